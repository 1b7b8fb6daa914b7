package io.bloomery.internal.solve;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Two tasks that share no data. */
final class Pair {

  private Pair() {}

  /** Runs both, in parallel if two threads are allowed, and returns when both are done. */
  static void run(int threads, Runnable first, Runnable second) {
    if (threads < 2) {
      first.run();
      second.run();
      return;
    }
    FutureTask<Void> task = new FutureTask<>(second, null);
    Thread thread = new Thread(task, "bloomery-solve");
    thread.setDaemon(true);
    thread.start();
    try {
      first.run();
    } finally {
      join(task);
    }
  }

  /** Waits even if this thread is interrupted: the other one works on the same arrays. */
  private static void join(FutureTask<Void> task) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          task.get();
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("the second thread failed", e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
