package io.bloomery.transfer.group;

import io.bloomery.sync.transport.Transport;
import io.bloomery.testkit.Race;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Runs the processes of a group as threads of the test, over TCP on this machine. */
final class SocketGroup {

  static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** What a process does. */
  interface Task<T> {
    T run(Transport transport) throws IOException;
  }

  private SocketGroup() {}

  /** What each of a number of threads returns; the error of the first that fails. */
  static <T> List<T> run(int size, Task<T> task) throws IOException {
    GroupOptions options = new GroupOptions(TIMEOUT, 16 << 20);
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
                  SocketTransport.connect(rank, addresses, servers.get(rank), options)) {
                return task.run(transport);
              }
            });
      }
      return Race.results(calls, TIMEOUT.multipliedBy(2));
    } finally {
      for (ServerSocket server : servers) {
        server.close();
      }
    }
  }
}
