package io.bloomery.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.AddableFilter;
import io.bloomery.HashedFilter;

/** Code shared by the tests of the word-based filters. */
final class WordFilterChecks {

  private WordFilterChecks() {}

  /** How many of the hashes are reported present. */
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
}
