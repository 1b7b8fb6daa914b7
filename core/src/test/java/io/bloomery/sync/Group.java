package io.bloomery.sync;

import io.bloomery.sync.transport.MemoryTransport;
import io.bloomery.sync.transport.SocketTransport;
import io.bloomery.sync.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs the processes of a group as threads of the test. */
final class Group {

  static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** What a process does. */
  interface Task<T> {
    T run(Transport transport) throws IOException;
  }

  private Group() {}

  /** What each of so many threads returns; the error of the first that fails. */
  static <T> List<T> run(int size, Task<T> task) throws IOException {
    return run(MemoryTransport.group(size, TIMEOUT), task);
  }

  static <T> List<T> run(List<? extends Transport> members, Task<T> task) throws IOException {
    List<Callable<T>> calls = new ArrayList<>();
    for (Transport transport : members) {
      calls.add(
          () -> {
            try (transport) {
              return task.run(transport);
            }
          });
    }
    return all(calls);
  }

  /** The same over TCP on this machine. */
  static <T> List<T> runOverSockets(int size, Task<T> task) throws IOException {
    List<ServerSocket> servers = new ArrayList<>();
    try {
      List<InetSocketAddress> addresses = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        servers.add(new ServerSocket(0, size, InetAddress.getLoopbackAddress()));
        addresses.add((InetSocketAddress) servers.get(i).getLocalSocketAddress());
      }
      List<Callable<T>> calls = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        int rank = i;
        calls.add(
            () -> {
              try (Transport transport =
                  SocketTransport.connect(rank, addresses, servers.get(rank), TIMEOUT, 16 << 20)) {
                return task.run(transport);
              }
            });
      }
      return all(calls);
    } finally {
      for (ServerSocket server : servers) {
        server.close();
      }
    }
  }

  private static <T> List<T> all(List<Callable<T>> calls) throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(calls.size());
    try {
      List<T> results = new ArrayList<>();
      IOException failure = null;
      for (Future<T> future : threads.invokeAll(calls, 2 * TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
        try {
          results.add(future.get());
        } catch (ExecutionException e) {
          if (!(e.getCause() instanceof IOException problem)) {
            throw new AssertionError(e.getCause());
          }
          failure = failure == null ? problem : failure;
        }
      }
      if (failure != null) {
        throw failure;
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    } finally {
      threads.shutdownNow();
    }
  }
}
