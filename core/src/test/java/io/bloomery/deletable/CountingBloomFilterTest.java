package io.bloomery.deletable;

import static io.bloomery.testkit.Rates.assertRate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.HashedFilter;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.probe.Probes;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Rates;
import io.bloomery.theory.CountingMath;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * D1, half removed: bit for bit the Bloom filter of the rest; 38.37 bits/key at 1 %. D2: 0.03834.
 */
class CountingBloomFilterTest {

  static CountingBloomFilter filled(CountingBloomFilter filter, long[] hashes) {
    filter.addHashes(hashes, 0, hashes.length);
    return filter;
  }

  static int hits(HashedFilter filter, long[] hashes) {
    return filter.mightContainHashes(hashes, 0, hashes.length, new long[hashes.length / 64 + 1]);
  }

  private static long[] evens(long[] hashes) {
    return IntStream.range(0, hashes.length / 2).mapToLong(i -> hashes[2 * i]).toArray();
  }

  private static long[] odds(long[] hashes) {
    return IntStream.range(0, hashes.length / 2).mapToLong(i -> hashes[2 * i + 1]).toArray();
  }

  /** 100,000 keys, k = 5, m = 8n: the counters are distributed as eq. 13 says, load 0.625. */
  @Test
  void countersAreBinomial() {
    int n = 100_000;
    CountingBloomFilter filter =
        filled(CountingBloomFilter.create(CountingShape.of(8L * n, 5)), Keys.members(n));
    long[] histogram = filter.histogram();
    long[] cells = Arrays.copyOf(histogram, 6);
    cells[5] = Arrays.stream(histogram).skip(5).sum();
    double[] expected = new double[6];
    for (int j = 0; j < 5; j++) {
      expected[j] = CountingMath.countProbability(8L * n, n, 5, j);
    }
    expected[5] = CountingMath.countAtLeastProbability(8L * n, n, 5, 5);
    Rates.assertDistribution(cells, expected, 5);
    assertThat(IntStream.range(0, 16).mapToLong(j -> j * histogram[j]).sum()).isEqualTo(5L * n);
    assertThat(filter.overflowedCounters()).isZero();
  }

  /** 100,000 keys, half of them removed: none of the others is missed, 10^6 outsiders. */
  @ParameterizedTest
  @EnumSource(IndexScheme.class)
  void halfOfTheKeysAreRemoved(IndexScheme scheme) {
    long[] members = Keys.members(100_000);
    CountingBloomFilter filter =
        CountingBloomFilter.create(CountingShape.of(BloomShape.of(800_000, 5, scheme), 4));
    filled(filter, members);
    for (long hash : evens(members)) {
      assertThat(filter.removeHash(hash)).isTrue();
    }
    assertThat(hits(filter, odds(members))).isEqualTo(50_000);
    double rate = filter.falsePositiveRate();
    double expected = filter.shape().falsePositiveRate(50_000);
    assertThat(rate)
        .isCloseTo(expected, within(5 * Rates.rateDeviation(800_000, 50_000, 5) * expected));
    assertRate(hits(filter, Keys.outsiders(1_000_000)), 1_000_000, rate, 5);

    BloomFilter bloom = BloomFilter.create(BloomShape.of(800_000, 5, scheme));
    bloom.addHashes(odds(members), 0, 50_000);
    assertThat(filter.toBloomFilter().sameContent(bloom)).isTrue();
    assertThat(filter.cardinality()).isEqualTo(bloom.cardinality());

    for (long hash : odds(members)) {
      assertThat(filter.removeHash(hash)).isTrue();
    }
    assertThat(filter.histogram()[0]).isEqualTo(filter.shape().cells().bits());
    assertThat(filter.falsePositiveRate()).isZero();
  }

  /** The course slides' example: x0 has 1, 4, 9 and x1 has 4, 5, 8 of ten counters. */
  @Test
  void theSlidesExample() {
    CountingBloomFilter filter =
        CountingBloomFilter.create(
            CountingShape.of(BloomShape.of(10, 3, IndexScheme.INDEPENDENT), 4));
    long x0 = hashOf(1, 4, 9);
    long x1 = hashOf(4, 5, 8);
    filter.addHash(x0);
    filter.addHash(x1);
    assertThat(counters(filter)).containsExactly(0, 1, 0, 0, 2, 1, 0, 0, 1, 1);
    assertThat(filter.mightContainHash(hashOf(0, 4, 8))).isFalse();
    assertThat(filter.mightContainHash(hashOf(1, 5, 8))).as("false positive").isTrue();
    assertThat(filter.removeHash(x0)).isTrue();
    assertThat(filter.mightContainHash(x1)).isTrue();
    assertThat(counters(filter)).containsExactly(0, 0, 0, 0, 1, 1, 0, 0, 1, 0);
  }

  /** A hash that has these three of ten positions. */
  private static long hashOf(long... positions) {
    Probes probes = new Probes(IndexScheme.INDEPENDENT, 10, 3);
    long[] found = new long[3];
    for (long place = 0; ; place++) {
      probes.indexes(Keys.hash(place), found);
      Arrays.sort(found);
      if (Arrays.equals(found, positions)) {
        return Keys.hash(place);
      }
    }
  }

  /** The counters of a filter of ten with three probes, by hashes that have one position thrice. */
  private static long[] counters(CountingBloomFilter filter) {
    return IntStream.range(0, 10).mapToLong(i -> filter.countHash(hashOf(i, i, i))).toArray();
  }

  /** The course slides' 16 additions and 15 removals. */
  @Test
  void saturatedCountersAreStickyUnlessSetOtherwise() {
    for (CountingShape.Overflow overflow : CountingShape.Overflow.values()) {
      CountingBloomFilter filter =
          CountingBloomFilter.create(CountingShape.of(1000, 5).withOverflow(overflow));
      for (int i = 0; i < 16; i++) {
        filter.add("x");
      }
      assertThat(filter.overflowedCounters()).isEqualTo(5);
      assertThat(filter.count("x")).isEqualTo(15).isEqualTo(filter.maxCount());
      for (int i = 0; i < 15; i++) {
        assertThat(filter.remove("x")).isTrue();
      }
      boolean sticky = overflow == CountingShape.Overflow.STICKY;
      assertThat(filter.mightContain("x")).isEqualTo(sticky);
      assertThat(filter.overflowedCounters()).isEqualTo(sticky ? 5 : 0);
    }
    assertThat(CountingShape.Overflow.STICKY.wireId()).isEqualTo(1);
    assertThat(CountingShape.Overflow.DECREMENT.wireId()).isEqualTo(2);
  }

  /** All counters of all widths, beside an array of numbers: 400 histories of 200 steps. */
  @Test
  void everyHistoryMatchesAnArray() {
    Property.check(
        14,
        400,
        draw -> {
          IndexScheme scheme = draw.oneOf(List.of(IndexScheme.values()));
          int width = draw.between(2, 16);
          int probes = draw.between(1, 9);
          int m = draw.between(2, 40) * probes;
          CountingShape.Overflow overflow = draw.oneOf(List.of(CountingShape.Overflow.values()));
          CountingBloomFilter filter =
              CountingBloomFilter.create(
                  new CountingShape(m, probes, scheme, width, overflow),
                  Hasher.xxh3(),
                  draw.oneOf(List.of(Writers.values())));
          ArrayModel model = new ArrayModel(scheme, m, probes, width, overflow);
          long[] keys = new long[12];
          Arrays.setAll(keys, i -> draw.anyLong());
          for (int step = 0; step < 200; step++) {
            long hash = keys[draw.between(0, 11)];
            long count = model.count(hash);
            assertThat(filter.countHash(hash)).isEqualTo(count);
            assertThat(filter.mightContainHash(hash)).isEqualTo(count > 0);
            int threshold = draw.between(1, (int) filter.maxCount());
            assertThat(filter.mightContainHashAtLeast(hash, threshold))
                .isEqualTo(count >= threshold);
            if (draw.between(0, 2) == 0) {
              assertThat(filter.removeHash(hash)).isEqualTo(count > 0);
              model.remove(hash);
            } else {
              long times = draw.between(0, 5) == 0 ? draw.between(0L, 100_000L) : 1;
              assertThat(filter.addHash(hash, times)).isEqualTo(count == 0 && times > 0);
              model.add(hash, times);
            }
          }
          assertThat(filter.histogram()).isEqualTo(model.histogram());
        });
  }

  /** A counting filter as an array of numbers. */
  private static final class ArrayModel {
    private final Probes probes;
    private final long[] counters;
    private final long max;
    private final boolean sticky;

    ArrayModel(IndexScheme scheme, int m, int count, int width, CountingShape.Overflow overflow) {
      probes = new Probes(scheme, m, count);
      counters = new long[m];
      max = (1L << width) - 1;
      sticky = overflow == CountingShape.Overflow.STICKY;
    }

    private long[] positions(long hash) {
      long[] positions = new long[probes.count()];
      probes.indexes(hash, positions);
      return positions;
    }

    long count(long hash) {
      return Arrays.stream(positions(hash)).map(i -> counters[(int) i]).min().orElseThrow();
    }

    void add(long hash, long times) {
      for (long i : positions(hash)) {
        counters[(int) i] = Math.min(max, counters[(int) i] + times);
      }
    }

    void remove(long hash) {
      if (count(hash) == 0) {
        return;
      }
      for (long i : positions(hash)) {
        if (!(sticky && counters[(int) i] == max)) {
          counters[(int) i] = Math.max(0, counters[(int) i] - 1);
        }
      }
    }

    long[] histogram() {
      long[] histogram = new long[(int) max + 1];
      Arrays.stream(counters).forEach(value -> histogram[(int) value]++);
      return histogram;
    }
  }

  /** Removing a false positive loses one key for each of its counters that was 1, at most k. */
  @Test
  void theDamageOfRemovingAFalsePositiveIsBounded() {
    long[] members = Keys.members(2_000);
    CountingBloomFilter filter =
        filled(CountingBloomFilter.create(CountingShape.of(16_000, 5)), members);
    long[] histogram = filter.histogram();
    double ones = (double) histogram[1] / (16_000 - histogram[0]);
    double[] lost =
        Arrays.stream(Keys.outsiders(60_000))
            .filter(filter::mightContainHash)
            .mapToDouble(
                hash -> {
                  CountingBloomFilter damaged = filter.copy();
                  assertThat(damaged.removeHash(hash)).isTrue();
                  return members.length - hits(damaged, members);
                })
            .toArray();
    assertThat(lost).hasSizeGreaterThan(1_000);
    assertThat(Arrays.stream(lost).max().orElseThrow()).isLessThanOrEqualTo(5);
    // Five counters that are not 0, each of them 1 with this probability.
    Rates.assertMean(lost, 5 * ones, 5, 0);
  }

  /** Threshold 3, m/n = 10, the best k: 20 filters of 5,000 keys, 100,000 outsiders each. */
  @ParameterizedTest
  @CsvSource({"2, 9", "3, 12", "3, 4"})
  void thresholdsHaveTheirRate(int threshold, int probes) {
    int n = 2_000;
    CountingShape shape = null;
    double[] rates = new double[20];
    long[] members = Keys.members(20 * n);
    long[] outsiders = Keys.outsiders(100_000);
    for (int run = 0; run < rates.length; run++) {
      CountingBloomFilter filter =
          CountingBloomFilter.create(
              CountingShape.of(BloomShape.of(3L * n, probes, IndexScheme.INDEPENDENT), 4));
      filter.addHashes(members, run * n, (run + 1) * n);
      shape = filter.shape();
      long hits =
          Arrays.stream(outsiders)
              .filter(hash -> filter.mightContainHashAtLeast(hash, threshold))
              .count();
      rates[run] = hits / 1e5;
      assertRate(hits, 100_000, filter.thresholdRate(threshold), 5);
    }
    Rates.assertMean(rates, shape.thresholdRate(n, threshold), 5, 0);
  }

  /** 20 filters of 1,000 keys: a count is too high where the 999 others report the key present. */
  @Test
  void countsNeverFallShort() {
    CountingShape shape = CountingShape.of(BloomShape.of(8_000, 5), 16);
    double[] wrong = new double[20];
    for (int run = 0; run < wrong.length; run++) {
      CountingBloomFilter filter = CountingBloomFilter.create(shape);
      long[] keys = Keys.members(1_000, run);
      for (int i = 0; i < keys.length; i++) {
        filter.addHash(keys[i], i + 1L);
      }
      for (int i = 0; i < keys.length; i++) {
        assertThat(filter.countHash(keys[i])).isGreaterThan(i);
        wrong[run] += filter.countHash(keys[i]) == i + 1 ? 0 : 1;
      }
      filter.addHash(keys[1], Long.MAX_VALUE);
      assertThat(filter.countHash(keys[1])).isEqualTo(65_535);
    }
    Rates.assertMean(wrong, 1_000 * shape.falsePositiveRate(999), 5, 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void mergingAddsCounters(int width) {
    long[] members = Keys.members(2_000);
    CountingShape shape = CountingShape.of(BloomShape.of(5_000, 5), width);
    CountingBloomFilter one = filled(CountingBloomFilter.create(shape), evens(members));
    CountingBloomFilter two = filled(CountingBloomFilter.create(shape), odds(members));
    CountingBloomFilter both = filled(CountingBloomFilter.create(shape), members);
    assertThat(one.sameContent(both)).isFalse();
    one.merge(two);
    assertThat(one.sameContent(both)).isTrue();
    for (long hash : odds(members)) {
      one.removeHash(hash);
    }
    assertThat(hits(one, evens(members))).isEqualTo(1_000);
    one.clear();
    assertThat(one.sameContent(CountingBloomFilter.create(shape))).isTrue();
  }
}
