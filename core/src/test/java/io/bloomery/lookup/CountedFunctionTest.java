package io.bloomery.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CountingShape;
import io.bloomery.frequency.SpectralFilter;
import io.bloomery.frequency.SpectralShape;
import io.bloomery.frequency.SpectralShape.Method;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Catalogue D1: functions by counting.
 *
 * <p>Measured here, of D1 (functions by counting): 2,000 values of 1 … 100, 20 filters: none too
 * low, too high at the rate of wrong counts.
 */
final class CountedFunctionTest {

  private static final int KEYS = 2_000;
  private static final int FILTERS = 20;

  /** Values 1 … 100 of 2,000 keys, 20 filters: none too low, too high as often as counts are. */
  @Test
  void valuesAreNeverTooLow() {
    SpectralShape shape = new SpectralShape(5, KEYS / 5 * 6, 32, Method.MINIMUM_SELECTION);
    double[] wrong = new double[FILTERS];
    double[] outside = new double[FILTERS];
    for (int set = 0; set < FILTERS; set++) {
      CountedFunction function = new CountedFunction(SpectralFilter.create(shape));
      wrong[set] = wrongShare(function, set);
      outside[set] = absentWithValue(function);
    }
    Rates.assertMean(wrong, shape.errorRate(KEYS), 5, 0.01);
    Rates.assertMean(outside, shape.falsePositiveRate(KEYS), 5, 0.01);
  }

  private static double wrongShare(CountedFunction function, int set) {
    long[] keys = Keys.members(KEYS, set);
    long[] values = Seeds.random(set).longs(KEYS, 1, 101).toArray();
    for (int i = 0; i < KEYS; i++) {
      function.putHash(keys[i], values[i]);
    }
    int wrong = 0;
    for (int i = 0; i < KEYS; i++) {
      long value = function.getHash(keys[i]);
      assertThat(value).isGreaterThanOrEqualTo(values[i]);
      wrong += value == values[i] ? 0 : 1;
    }
    return (double) wrong / KEYS;
  }

  private static double absentWithValue(CountedFunction function) {
    int found = 0;
    for (long hash : Keys.outsiders(10_000)) {
      assertThat(function.getHash(hash)).isNotZero();
      found += function.mightContainHash(hash) ? 1 : 0;
    }
    return found / 10_000.0;
  }

  /** Values change while all others stay at least as high, and all can be removed. */
  @Test
  void valuesAreReplaced() {
    CountingShape shape = CountingShape.of(BloomShape.forKeys(KEYS, 0.01), 16);
    CountingBloomFilter counters = CountingBloomFilter.create(shape);
    CountedFunction function = new CountedFunction(counters);
    long[] keys = Keys.members(KEYS);
    long[] values = new long[KEYS];
    SplittableRandom random = Seeds.random(3);
    for (int step = 0; step < 20_000; step++) {
      int i = random.nextInt(KEYS);
      if (values[i] > 0) {
        assertThat(function.removeHash(keys[i], values[i])).isTrue();
      }
      values[i] = random.nextInt(20);
      if (values[i] > 0) {
        function.putHash(keys[i], values[i]);
      }
    }
    for (int i = 0; i < KEYS; i++) {
      assertThat(Math.max(0, function.getHash(keys[i]))).isGreaterThanOrEqualTo(values[i]);
    }
    for (int i = 0; i < KEYS; i++) {
      assertThat(values[i] == 0 || function.removeHash(keys[i], values[i])).isTrue();
    }
    assertThat(counters.fillRatio()).isZero();
    assertThat(function.counts()).isSameAs(counters);
    assertThat(function.sizeInBits()).isEqualTo(counters.sizeInBits());
  }

  @Test
  void keysOfAllTypesAndChecks() {
    CountedFunction function =
        new CountedFunction(CountingBloomFilter.create(CountingShape.of(1_000, 4)));
    function.put("seven", 7);
    function.put(5L, 15);
    assertThat(function.get("seven")).isEqualTo(7);
    assertThat(function.get(5L)).isEqualTo(15);
    assertThat(function.get("six")).isEqualTo(CountedFunction.ABSENT);
    assertThat(function.removeHash(function.hasher().hash("six"), 1)).isFalse();
    assertThat(function.removeHash(function.hasher().hash("seven"), 8)).isFalse();
    assertThatThrownBy(() -> function.put("x", 0)).hasMessageStartingWith("value = 0 ");
    assertThatThrownBy(() -> function.put("x", 16)).hasMessageStartingWith("value = 16 ");
    assertThatThrownBy(() -> new CountedFunction(null)).hasMessage("counts");
    CountedFunction increase =
        new CountedFunction(
            SpectralFilter.create(new SpectralShape(3, 100, 32, Method.MINIMAL_INCREASE)));
    increase.put("x", 3);
    assertThat(increase.removeHash(increase.hasher().hash("x"), 3)).isFalse();
    assertThat(increase.toString()).startsWith("CountedFunction[SpectralFilter[");
    assertThat(increase.falsePositiveRate()).isPositive();
  }
}
