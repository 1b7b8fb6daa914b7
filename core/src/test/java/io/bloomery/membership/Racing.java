package io.bloomery.membership;

import io.bloomery.AddableFilter;
import io.bloomery.testkit.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** Lets threads add to one small filter at the same time, many times over. */
final class Racing {

  private static final int THREADS = 2;
  private static final int ROUNDS = 40;
  private static final int KEYS = 20_000;

  private Racing() {}

  /**
   * How many of the added keys are missing afterwards. Threads that fill a thousand words meet in
   * some word in almost every round, so that an update that is not atomic loses bits.
   */
  static long lostKeys(Supplier<? extends AddableFilter> empty) throws Exception {
    List<AddableFilter> filters = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      filters.add(empty.get());
    }
    CyclicBarrier start = new CyclicBarrier(THREADS);
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        long[] keys = Keys.members(KEYS, thread);
        running.add(
            pool.submit(
                () -> {
                  for (AddableFilter filter : filters) {
                    start.await();
                    filter.addHashes(keys, 0, keys.length);
                  }
                  return null;
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      pool.shutdownNow();
    }
    long lost = 0;
    for (AddableFilter filter : filters) {
      for (int thread = 0; thread < THREADS; thread++) {
        lost += KEYS - Hits.count(filter, Keys.members(KEYS, thread));
      }
    }
    return lost;
  }
}
