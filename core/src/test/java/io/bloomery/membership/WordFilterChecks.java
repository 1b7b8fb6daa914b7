package io.bloomery.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.AddableFilter;
import io.bloomery.HashedFilter;
import io.bloomery.testing.Keys;
import java.util.concurrent.CountDownLatch;

/** What the tests of the word-based filters share. */
final class WordFilterChecks {

  private WordFilterChecks() {}

  /** How many of the hashes are answered with "probably". */
  static int hits(HashedFilter filter, long[] hashes) {
    return filter.mightContainHashes(hashes, 0, hashes.length, new long[(hashes.length + 63) / 64]);
  }

  /** The filter after adding all hashes. */
  static <F extends AddableFilter> F filled(F filter, long[] hashes) {
    filter.addHashes(hashes, 0, hashes.length);
    return filter;
  }

  /** The batch call answers as single calls do, whatever the range. */
  static void assertBatchEqualsSingles(HashedFilter filter, long[] hashes) {
    for (int from : new int[] {0, 1, 63, 64, 100}) {
      for (int to : new int[] {from, from + 1, from + 63, from + 64, from + 65, hashes.length}) {
        long[] hits = new long[(to - from + 63) / 64 + 1];
        hits[hits.length - 1] = 42;
        int total = filter.mightContainHashes(hashes, from, to, hits);
        int expected = 0;
        for (int i = from; i < to; i++) {
          boolean answer = filter.mightContainHash(hashes[i]);
          expected += answer ? 1 : 0;
          assertThat((hits[(i - from) >>> 6] >>> (i - from) & 1) != 0).isEqualTo(answer);
        }
        assertThat(total).isEqualTo(expected);
        assertThat(hits[hits.length - 1]).as("word after the answers").isEqualTo(42);
      }
    }
  }

  /**
   * Two threads add disjoint keys to one small table at the same time; no bit may be lost. The
   * table is so small that threads meet in every word, and without an atomic write the test fails.
   */
  static void assertNoKeyLost(AddableFilter filter, int keysPerThread) throws Exception {
    long[][] keys = {Keys.members(keysPerThread, 1), Keys.members(keysPerThread, 2)};
    CountDownLatch start = new CountDownLatch(1);
    Thread[] threads = new Thread[keys.length];
    for (int t = 0; t < threads.length; t++) {
      long[] own = keys[t];
      threads[t] =
          new Thread(
              () -> {
                try {
                  start.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                filter.addHashes(own, 0, own.length);
              });
      threads[t].start();
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    for (long[] own : keys) {
      assertThat(hits(filter, own)).isEqualTo(own.length);
    }
  }
}
