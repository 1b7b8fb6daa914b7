package io.bloomery.deletable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Keys;
import org.junit.jupiter.api.Test;

/** Sizes of counting filters, and what is refused. */
final class CountingBloomSizesTest {

  @Test
  void sizesByItsRate() {
    CountingBloomFilter filter = CountingBloomFilter.create(1_000_000, 0.01);
    assertThat(filter.sizeInBits() / 1e6).isCloseTo(38.37, within(0.005));
    assertThat(filter.shape().falsePositiveRate(1_000_000)).isBetween(0.00995, 0.01);
    assertThat(filter.shape().sizeInBits()).isEqualTo(filter.sizeInBits());
    assertThat(filter.shape().scheme()).isEqualTo(IndexScheme.POWERS);
    for (int n : new int[] {1, 2, 10}) {
      for (double p : new double[] {0.5, 0.01, 1e-9}) {
        CountingBloomFilter small = CountingBloomFilter.create(n, p);
        assertThat(small.shape().falsePositiveRate(n)).isLessThanOrEqualTo(p);
        long[] members = Keys.members(n);
        assertThat(
                CountingBloomFilterTest.hits(
                    CountingBloomFilterTest.filled(small, members), members))
            .isEqualTo(n);
        assertThat(small.shape().scheme()).isEqualTo(BloomFilter.create(n, p).scheme());
      }
    }
  }

  @Test
  void refusesImpossibleArguments() {
    assertRefused("counters = 1 ", () -> CountingShape.of(1, 1));
    assertRefused("hashesPerKey = 0 ", () -> CountingShape.of(10, 0));
    assertRefused("counterBits = 1 ", () -> CountingShape.of(BloomShape.of(10, 3), 1));
    assertRefused("counterBits = 17 ", () -> CountingShape.forKeys(10, 0.1, 17));
    assertRefused("counterBits = 17 ", () -> CountingShape.forBudget(10, 1_000, 17));
    assertRefused("expectedKeys = -1 ", () -> CountingBloomFilter.create(-1, 0.1));
    assertRefused("expectedKeys = 0 ", () -> CountingShape.forBudget(0, 1_000));
    assertRefused("falsePositiveRate = 1.0 ", () -> CountingBloomFilter.create(10, 1));
    assertRefused(
        "counters = 10 is not a multiple of hashesPerKey = 3",
        () -> new CountingShape(10, 3, IndexScheme.PARTITIONED, 4, CountingShape.Overflow.STICKY));
    CountingBloomFilter filter = CountingBloomFilter.create(CountingShape.of(100, 3));
    assertRefused("times = -1 ", () -> filter.add("x", -1));
    assertRefused("threshold = 0 ", () -> filter.mightContainHashAtLeast(1, 0));
    assertRefused("threshold = 16 ", () -> filter.mightContainHashAtLeast(1, 16));
    assertRefused("threshold = 16 ", () -> filter.thresholdRate(16));
    assertThat(filter.add("x", 0)).isFalse();
    assertThat(filter.falsePositiveRate()).isZero();
    assertThatThrownBy(() -> CountingShape.of(10, 3).withOverflow(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("overflow");
  }

  /** D5: the message names what the caller gave, not a number of counters. */
  @Test
  void aFilterThatIsTooLargeNamesItsArguments() {
    assertThatThrownBy(() -> CountingBloomFilter.create(1L << 33, 0.01))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a counting Bloom filter of 4-bit counters for expectedKeys = 8589934592 and"
                + " falsePositiveRate = 0.01 needs more than the limit of "
                + CountingShape.MAX_BITS
                + " bits");
    String words = "for expectedKeys = 8589934592 and falsePositiveRate = 0.001 needs more than";
    assertRefused(words, () -> BlockedCountingFilter.create(1L << 33, 0.001));
    assertRefused(words, () -> OneWordCountingFilter.create(1L << 33, 0.001));
    assertRefused(words, () -> VariableIncrementCountingFilter.create(1L << 33, 0.001));
    assertRefused(words, () -> DeletableBloomFilter.create(1L << 33, 0.001));
    assertRefused(words, () -> MultilayerCountingFilter.create(1L << 33, 0.001));
  }

  private static void assertRefused(
      String words, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
  }
}
