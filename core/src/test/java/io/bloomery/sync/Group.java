package io.bloomery.sync;

import io.bloomery.sync.transport.Transport;
import io.bloomery.testkit.Race;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Runs the processes of a group as threads of the test. */
final class Group {

  static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** What a process does. */
  interface Task<T> {
    T run(Transport transport) throws IOException;
  }

  private Group() {}

  /** What each thread returns, or the error of the first that fails. */
  static <T> List<T> run(int size, Task<T> task) throws IOException {
    return run(Transport.InMemory.group(size, TIMEOUT), task);
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
    return Race.results(calls, TIMEOUT.multipliedBy(2));
  }
}
