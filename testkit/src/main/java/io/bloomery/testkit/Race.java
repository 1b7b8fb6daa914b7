package io.bloomery.testkit;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

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

  /**
   * Runs all calls concurrently and returns their results; throws the exception of the first that
   * fails.
   */
  public static <T> List<T> results(List<? extends Callable<T>> calls, Duration limit)
      throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(calls.size());
    try {
      List<T> results = new ArrayList<>();
      IOException failure = null;
      for (Future<T> call : pool.invokeAll(calls, limit.toSeconds(), TimeUnit.SECONDS)) {
        try {
          results.add(call.get());
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
      pool.shutdownNow();
    }
  }
}
