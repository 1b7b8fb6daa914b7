package io.bloomery.growing;

import static io.bloomery.testkit.Rates.assertMean;
import static io.bloomery.testkit.Rates.assertRate;
import static io.bloomery.testkit.Rates.assertRateAtMost;
import static io.bloomery.testkit.Rates.standardError;
import static io.bloomery.testkit.Rates.student;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.HashedFilter;
import io.bloomery.testkit.Keys;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rate of scalable filters that have grown by orders of magnitude. */
final class ScalableRateTest {

  private static ScalableBloomFilter filter(long keys, double rate, ScalableShape.LayerKind kind) {
    return ScalableBloomFilter.create(ScalableShape.forKeys(keys, rate, kind).withGrowth(2));
  }

  private static int hits(HashedFilter filter, long[] hashes) {
    return filter.mightContainHashes(hashes, 0, hashes.length, new long[hashes.length / 64 + 1]);
  }

  /**
   * 10, 100 and 1,000 times the keys it was made for; a million outsiders each. The prediction is
   * that of the mean of 30 filters of 10,000 keys, and of one filter within 5 of their deviations:
   * most of it comes from the first layers, those beyond add 5 % at most.
   */
  @ParameterizedTest
  @EnumSource
  void theRateIsKeptAsTheFilterGrows(ScalableShape.LayerKind kind) {
    double[] rates = new double[30];
    for (int set = 0; set < rates.length; set++) {
      ScalableBloomFilter other = filter(1000, 0.01, kind);
      other.addHashes(Keys.members(10_000, set + 1), 0, 10_000);
      rates[set] = other.falsePositiveRate();
    }
    assertMean(rates, filter(1000, 0.01, kind).shape().falsePositiveRate(10_000), 5, 0);
    double deviation = standardError(rates) * Math.sqrt(rates.length);
    ScalableBloomFilter filter = filter(1000, 0.01, kind);
    long[] members = Keys.members(1_000_000);
    long[] outsiders = Keys.outsiders(1_000_000);
    int added = 0;
    for (int keys : new int[] {10_000, 100_000, 1_000_000}) {
      filter.addHashes(members, added, keys);
      added = keys;
      assertThat(filter.layerCount()).isEqualTo(filter.shape().layersFor(keys));
      assertThat(hits(filter, Arrays.copyOf(members, keys))).isEqualTo(keys);
      double expected = filter.falsePositiveRate();
      int hits = hits(filter, outsiders);
      assertRate(hits, 1_000_000, expected, 5);
      assertRateAtMost(hits, 1_000_000, 0.01, 5);
      assertThat(expected).isLessThan(0.01);
      assertThat(filter.shape().falsePositiveRate(keys))
          .isCloseTo(expected, within(1.05 * student(5, rates.length) * deviation));
      assertThat(filter.sizeInBits()).isEqualTo(filter.shape().sizeInBits(filter.layerCount()));
      assertThat(filter.cardinality()).isEqualTo((double) filter.keyCount());
      assertThat(filter.fillRatio()).isBetween(0.2, 0.6);
      assertThat(filter.keyCount()).isBetween((long) (keys * 0.99), (long) keys);
    }
  }

  /** 300,000 keys in the default's steps, with two words per key and with four. */
  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.001})
  void theRateIsKeptInSteps(double rate) {
    ScalableBloomFilter filter = ScalableBloomFilter.create(1000, rate);
    long[] members = Keys.members(400_000);
    long[] outsiders = Keys.outsiders(1_000_000);
    int added = 0;
    for (int keys : new int[] {2_000, 100_000, 400_000}) {
      filter.addHashes(members, added, keys);
      added = keys;
      assertThat(filter.layerCount()).isEqualTo(filter.shape().layersFor(keys));
      assertThat(hits(filter, Arrays.copyOf(members, keys))).isEqualTo(keys);
      int hits = hits(filter, outsiders);
      assertRate(hits, 1_000_000, filter.falsePositiveRate(), 5);
      assertRateAtMost(hits, 1_000_000, rate, 5);
      for (int i = 0; i < 10_000; i++) {
        boolean single = filter.mightContainHash(outsiders[i]);
        assertThat(hits(filter, new long[] {outsiders[i]})).isEqualTo(single ? 1 : 0);
      }
    }
  }

  /** From 1,000 to ten million at 1 % and 0.1 %; two million outsiders. */
  @Tag("long")
  @ParameterizedTest
  @CsvSource({"0.01, BLOCKED", "0.001, BLOCKED", "0.001, PARTITIONED"})
  void tenMillionFromAThousand(double rate, ScalableShape.LayerKind kind) {
    ScalableBloomFilter filter = filter(1000, rate, kind);
    for (int set = 0; set < 10; set++) {
      filter.addHashes(Keys.members(1_000_000, set), 0, 1_000_000);
    }
    assertThat(filter.layerCount()).isEqualTo(14);
    for (int set = 0; set < 10; set++) {
      assertThat(hits(filter, Keys.members(1_000_000, set))).isEqualTo(1_000_000);
    }
    double expected = filter.falsePositiveRate();
    assertThat(expected).isLessThan(rate);
    assertRate(hits(filter, Keys.outsiders(2_000_000)), 2_000_000, expected, 5);
  }
}
