package io.bloomery.find;

import io.bloomery.tools.problem.Problem;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;

/** The threads that build filters and search blocks. */
final class Workers {

  private static final int MOST = 8;

  /** The number of threads. */
  static final int THREADS = Math.min(MOST, Runtime.getRuntime().availableProcessors());

  private Workers() {}

  /** The result of a task; rethrows its unchecked exceptions. */
  static <T> T get(Future<T> task) {
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem("interrupted");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Starts the threads; they end with the process at the latest. */
  static ExecutorService start(int threads) {
    return Executors.newFixedThreadPool(threads, new Daemons());
  }

  /** A class, like all tasks of a search, because the first lambda takes the JVM 10 ms. */
  private static final class Daemons implements ThreadFactory {
    @Override
    public Thread newThread(Runnable task) {
      Thread thread = new Thread(task, "bloom-worker");
      thread.setDaemon(true);
      return thread;
    }
  }
}
