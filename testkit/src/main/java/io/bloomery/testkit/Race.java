package io.bloomery.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that start together. A failure in any of them fails the test. */
public final class Race {

  /** What one thread does. */
  @FunctionalInterface
  public interface Runner {
    /** Runs as thread {@code number}, 0…threads-1. */
    void run(int number) throws Exception;
  }

  private Race() {}

  /** Runs all threads to their end. */
  public static void run(int threads, Runner runner) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CyclicBarrier start = new CyclicBarrier(threads);
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        running.add(
            pool.submit(
                () -> {
                  start.await();
                  runner.run(number);
                  return null;
                }));
      }
      for (Future<?> thread : running) {
        thread.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError("a thread failed: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    } finally {
      pool.shutdownNow();
    }
  }
}
