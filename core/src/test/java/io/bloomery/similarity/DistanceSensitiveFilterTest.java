package io.bloomery.similarity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.ReadOptions;
import io.bloomery.hash.Funnel;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Race;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Measured here, of L1 (distance-sensitive): ε = .02, t = 32: no error in 6,000 queries, mean
 * scores 51.7 and 11.4 of 100; L = 1024, n = 1000, k = 100, m' = 8192, L' = 40. ε = .05, t = 18: FN
 * .102, FP .044 in 3,000 queries each (exact .0941 and .0357; published, from one run, .109 and
 * .038). Members always score k. Sized by {@code DistanceShape.forVectors} for ε = .02, δ = .4 and
 * 1 % of either error: 68,000 bits instead of 819,200. A collection of 300 Bloom filters of 4,096
 * bits: sets that share 95 % of the keys are found, those that share 60 % are not, in 509 kbit.
 */
final class DistanceSensitiveFilterTest {

  private static final int DIMENSION = 1024;
  private static final int ITEMS = 1_000;
  private static final int RUNS = 20;
  private static final int QUERIES = 150;

  @TempDir Path directory;

  /** The published setting: L = 1024, n = 1000, k = 100, m' = 8192, L' = 40. */
  private static DistanceShape published(int threshold) {
    return DistanceShape.hamming(DIMENSION, 40, 100, 8192, threshold);
  }

  /** What 20 filters with 150 close and 150 far queries each measure. */
  private static final class Measured {
    final double[] missed = new double[RUNS];
    final double[] found = new double[RUNS];
    final double[] close = new double[RUNS];
    final double[] far = new double[RUNS];
  }

  private static Measured measure(DistanceShape shape, int flips, int seed) {
    Measured all = new Measured();
    for (int run = 0; run < RUNS; run++) {
      SplittableRandom random = Seeds.random(seed * 100L + run);
      DistanceSensitiveFilter filter = DistanceSensitiveFilter.create(shape, random.nextLong());
      byte[][] members = new byte[ITEMS][];
      for (int i = 0; i < ITEMS; i++) {
        members[i] = Vectors.random(random, DIMENSION);
        filter.add(members[i]);
      }
      for (int i = 0; i < QUERIES; i++) {
        int close = filter.score(Vectors.flipped(random, members[i], flips));
        int far = filter.score(Vectors.random(random, DIMENSION));
        all.close[run] += (double) close / QUERIES;
        all.far[run] += (double) far / QUERIES;
        all.missed[run] += close < shape.threshold() ? 1.0 / QUERIES : 0;
        all.found[run] += far >= shape.threshold() ? 1.0 / QUERIES : 0;
      }
      assertThat(filter.score(members[run])).isEqualTo(shape.arrays());
    }
    return all;
  }

  /**
   * Published, from one run of 3,000: at ε = .02, t = 32 no error and means of 51.7 and 11.4; at ε
   * = .05, t = 18 FN .109 and FP .038. Exact are .0941 and .0357. Measured from 20 filters.
   */
  @ParameterizedTest
  @CsvSource({"20, 32, 51.70, 0, 0", "51, 18, 22.96, 0.109, 0.038"})
  void closeAndFarItemsAsPublished(
      int flips, int threshold, double closeMean, double missed, double found) {
    DistanceShape shape = published(threshold);
    double near = (double) flips / DIMENSION;
    Measured all = measure(shape, flips, threshold);

    assertThat(100 * shape.closeProbability(ITEMS, near)).isCloseTo(closeMean, offset(0.005));
    assertThat(100 * shape.farProbability(ITEMS, 0.5)).isCloseTo(11.49, offset(0.005));
    Rates.assertMean(all.close, 100 * shape.closeProbability(ITEMS, near), 5, 0);
    Rates.assertMean(all.far, 100 * shape.farProbability(ITEMS, 0.5), 5, 0);
    // The gap that the structure promises between near and far.
    double[] gaps = new double[RUNS];
    Arrays.setAll(gaps, run -> all.close[run] - all.far[run]);
    double predicted =
        100 * shape.collisionProbability(near) * (1 - shape.fill(ITEMS)); // p_close - p_far
    Rates.assertMean(gaps, predicted, 5, 0);

    double falseNegatives = shape.falseNegativeRate(ITEMS, near);
    double falsePositives = shape.falsePositiveRate(ITEMS, 0.5);
    if (missed == 0) {
      assertThat(falseNegatives).isLessThan(1e-4);
      assertThat(falsePositives).isLessThan(1e-7);
      Rates.assertRateAtMost(count(all.missed), (long) RUNS * QUERIES, falseNegatives, 5);
      Rates.assertRateAtMost(count(all.found), (long) RUNS * QUERIES, falsePositives, 5);
    } else {
      // The published run.
      Rates.assertRate(Math.round(3_000 * missed), 3_000, falseNegatives, 5);
      Rates.assertRate(Math.round(3_000 * found), 3_000, falsePositives, 5);
      Rates.assertMean(all.missed, falseNegatives, 5, 0);
      Rates.assertMean(all.found, falsePositives, 5, 0);
    }
    assertThat(shape.middleThreshold(ITEMS, near, 0.5)).isEqualTo(threshold);
  }

  /** How many queries the shares of all runs are. */
  private static long count(double[] shares) {
    return Math.round(QUERIES * Arrays.stream(shares).sum());
  }

  @Test
  void membersAlwaysScoreAll() {
    SplittableRandom random = Seeds.random(31);
    DistanceSensitiveFilter filter =
        DistanceSensitiveFilter.create(DistanceShape.hamming(70, 9, 12, 200, 12), Seeds.of(4));
    for (int i = 0; i < 2_000; i++) {
      byte[] item = Vectors.random(random, 70);
      filter.add(item);
      assertThat(filter.score(item)).isEqualTo(12);
      assertThat(filter.mightContain(item)).isTrue();
      assertThat(filter.add(item)).isFalse();
    }
  }

  /** The filter's own word from the fills of its arrays, 100,000 vectors, from both sides. */
  @Test
  void theRateOfFarItemsIsWhatTheFilterSays() {
    SplittableRandom random = Seeds.random(32);
    DistanceShape shape = DistanceShape.hamming(256, 30, 12, 256, 9);
    DistanceSensitiveFilter filter = DistanceSensitiveFilter.create(shape, Seeds.of(5));
    assertThat(filter.falsePositiveRate()).isZero();
    double before = 0;
    for (int i = 1; i <= 200; i++) {
      filter.add(Vectors.random(random, 256));
      assertThat(filter.falsePositiveRate()).isBetween(before, 1.0);
      before = filter.falsePositiveRate();
    }
    int hits = 0;
    for (int i = 0; i < 100_000; i++) {
      hits += filter.mightContain(Vectors.random(random, 256)) ? 1 : 0;
    }
    Rates.assertRate(hits, 100_000, filter.falsePositiveRate(), 5);
    double[] rates = new double[100];
    for (int run = 0; run < rates.length; run++) {
      DistanceSensitiveFilter other = DistanceSensitiveFilter.create(shape, Seeds.of(1_000 + run));
      for (int i = 0; i < 200; i++) {
        other.add(Vectors.random(random, 256));
      }
      rates[run] = other.falsePositiveRate();
    }
    Rates.assertMean(rates, shape.falsePositiveRate(200), 5, 0);
  }

  /** Sets of 40 elements, of which 38 and 20 are common: J = 38/42 and 20/60. */
  @Test
  void setsByMinHash() {
    DistanceShape shape = DistanceShape.forSets(200, 4.0 / 42, 40.0 / 60, 0.001);
    double[] missed = new double[RUNS];
    double[] found = new double[RUNS];
    double[] scores = new double[RUNS];
    for (int run = 0; run < RUNS; run++) {
      DistanceSensitiveFilter filter = DistanceSensitiveFilter.create(shape, Seeds.of(run));
      long[][] sets = new long[200][];
      for (int i = 0; i < sets.length; i++) {
        sets[i] = Keys.members(40, 200 * run + i);
        filter.addSet(sets[i]);
      }
      long[] shuffled = {sets[3][1], sets[3][0], sets[3][1]};
      assertThat(filter.scoreSet(shuffled)).isEqualTo(filter.scoreSet(sets[3][0], sets[3][1]));
      for (int i = 0; i < 50; i++) {
        int close = filter.scoreSet(replaced(sets[i], 2));
        scores[run] += close / 50.0;
        missed[run] += close < shape.threshold() ? 1 : 0;
        found[run] += filter.scoreSet(replaced(sets[i], 20)) >= shape.threshold() ? 1 : 0;
      }
    }
    Rates.assertMean(scores, shape.arrays() * shape.closeProbability(200, 4.0 / 42), 5, 0);
    Rates.assertRateAtMost((long) Arrays.stream(missed).sum(), 50 * RUNS, 0.001, 5);
    Rates.assertRateAtMost((long) Arrays.stream(found).sum(), 50 * RUNS, 0.001, 5);
  }

  private static long[] replaced(long[] set, int count) {
    long[] copy = set.clone();
    for (int i = 0; i < count; i++) {
      copy[i] = ~copy[i];
    }
    return copy;
  }

  /** Any locality-sensitive hash: numbers on a line, cut into pieces at a random offset. */
  @Test
  void aHashOfTheCallersOwn() {
    LocalityHash<Double> pieces = (x, j) -> (long) Math.floor(x + (Keys.hash(j) >>> 11) * 0x1p-53);
    DistanceSensitiveFilter filter =
        DistanceSensitiveFilter.create(DistanceShape.custom(200, 400, 150));
    for (int i = 0; i < 20; i++) {
      assertThat(filter.add(10.0 * i, pieces)).isTrue();
    }
    assertThat(filter.add(10.0, pieces)).isFalse();
    for (int i = 0; i < 20; i++) {
      assertThat(filter.score(10.0 * i, pieces)).isEqualTo(200);
      assertThat(filter.score(10.0 * i + 0.1, pieces)).isGreaterThanOrEqualTo(150);
      assertThat(filter.score(10.0 * i + 5, pieces)).isLessThan(50);
    }
    // As a byte string an item is its k values.
    ByteBuffer values = ByteBuffer.allocate(1600).order(ByteOrder.LITTLE_ENDIAN);
    for (int j = 0; j < 200; j++) {
      values.putLong(pieces.hash(30.0, j));
    }
    assertThat(filter.score(values.array())).isEqualTo(200);
    assertThat(filter.mightContain(values.array())).isTrue();
    assertThat(filter.mightContain(new byte[1599])).isFalse();
  }

  /** What sizing promises, measured: at most 1 % of either error. */
  @Test
  void sizedForTwoDistances() {
    DistanceShape shape = DistanceShape.forVectors(DIMENSION, ITEMS, 20.0 / 1024, 0.4, 0.01);
    assertThat(shape.falseNegativeRate(ITEMS, 20.0 / 1024)).isLessThanOrEqualTo(0.01);
    assertThat(shape.falsePositiveRate(ITEMS, 0.4)).isLessThanOrEqualTo(0.01);
    assertThat(shape.sizeInBits()).as("the published filter is larger").isLessThan(8192 * 100 / 8);
    Measured all = measure(shape, 20, 9);
    Rates.assertRateAtMost(count(all.missed), (long) RUNS * QUERIES, 0.01, 5);
    Rates.assertRateAtMost(count(all.found), (long) RUNS * QUERIES, 0.01, 5);

    assertThat(DistanceShape.forVectors(64, 1, 0, 0.5, 0.5).samples()).isPositive();
    for (double error : new double[] {0.1, 1e-3, 1e-6}) {
      for (double far : new double[] {0.2, 0.45}) {
        DistanceShape each = DistanceShape.forVectors(4096, 10_000, 0.05, far, error);
        assertThat(each.falseNegativeRate(10_000, 0.05)).isLessThanOrEqualTo(error);
        assertThat(each.falsePositiveRate(10_000, far)).isLessThanOrEqualTo(error);
      }
    }
  }

  @Test
  void positionsOfSamplesAreUniform() {
    BitSampling sampling = new BitSampling(100, 64, Seeds.of(6));
    long[] counts = new long[100];
    for (int j = 0; j < 500; j++) {
      for (int i = 0; i < 64; i++) {
        counts[sampling.position(j, i)]++;
      }
    }
    Rates.assertUniform(counts, 5);
  }

  @Test
  void mergedAndCopied() {
    SplittableRandom random = Seeds.random(33);
    DistanceShape shape = DistanceShape.hamming(64, 10, 9, 500, 6);
    DistanceSensitiveFilter one = DistanceSensitiveFilter.create(shape, 1);
    DistanceSensitiveFilter two = DistanceSensitiveFilter.create(shape, 1);
    byte[] a = Vectors.random(random, 64);
    byte[] b = Vectors.random(random, 64);
    one.add(a);
    two.add(b);
    DistanceSensitiveFilter copy = one.copy();
    one.merge(two);
    one.merge(one);
    assertThat(one.score(a) + one.score(b)).isEqualTo(18);
    assertThat(copy.score(b)).isLessThan(9);
    assertThat(two.score(a)).isLessThan(9);
    DistanceSensitiveFilter other = DistanceSensitiveFilter.create(shape, 2);
    assertThat(one.isCompatible(other)).isFalse();
    assertThatThrownBy(() -> one.merge(other))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessage("seed 1 != 2");
    assertThatThrownBy(
            () ->
                one.merge(
                    DistanceSensitiveFilter.create(DistanceShape.hamming(64, 10, 9, 500, 7), 1)))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("threshold");
    assertThatNullPointerException().isThrownBy(() -> one.merge(null)).withMessage("other");
  }

  /** The forms of a key, and every way back from a file. */
  @Test
  void keysOfAFilterAreItems() throws IOException {
    DistanceShape shape = DistanceShape.hamming(64, 8, 20, 300, 18);
    DistanceSensitiveFilter filter = DistanceSensitiveFilter.create(shape, Seeds.of(8));
    Funnel<Integer> funnel = (number, into) -> into.put(new byte[] {1, 2, 3, 4});
    filter.add("8 bytes!".getBytes(UTF_8));
    filter.add(new byte[] {4, 0, 0, 0, 1, 2, 3, 4});
    filter.add(new byte[] {2, 1, 0, 0, 0, 0, 0, 0});
    Path file = directory.resolve("close.bloom");
    filter.writeTo(file);
    for (Filter each : List.of(filter, Filters.open(file), Filters.map(file))) {
      assertThat(each.mightContain("8 bytes!")).isTrue();
      assertThat(each.mightContain("8 bytes")).isFalse();
      assertThat(each.mightContain("<8 bytes!>".getBytes(UTF_8), 1, 8)).isTrue();
      assertThat(each.mightContain(258L)).isTrue();
      assertThat(each.mightContain(-258L)).isFalse();
      assertThat(each.mightContain(5, funnel)).isTrue();
      assertThat(each.mightContain(new byte[9])).isFalse();
      assertThat(each.sizeInBits()).isEqualTo(6_000);
      assertThat(each.falsePositiveRate()).isEqualTo(filter.falsePositiveRate());
      assertThat(each).hasToString(filter.toString());
    }
    DistanceSensitiveFilter mapped =
        Filters.map(file, ReadOptions.as(DistanceSensitiveFilter.class));
    assertThat(mapped.seed()).isEqualTo(Seeds.of(8));
    assertThatThrownBy(() -> mapped.add(new byte[8])).isInstanceOf(IllegalStateException.class);
    assertThat(mapped.copy().add(new byte[] {-1, -1, -1, -1, 7, 7, 7, 7})).isTrue();
    assertThatThrownBy(() -> filter.mightContain(new byte[8], 1, 8))
        .isInstanceOf(IndexOutOfBoundsException.class);
    for (String name : List.of("key", "bytes", "item")) {
      assertThatNullPointerException()
          .isThrownBy(
              () -> {
                switch (name) {
                  case "key" -> filter.mightContain((byte[]) null);
                  case "bytes" -> filter.mightContain(null, 0, 0);
                  default -> filter.add(null);
                }
              })
          .withMessage(name);
    }
  }

  /** Four threads add 2,000 items of their own each; none is lost. */
  @Test
  void threadsLoseNoItem() {
    DistanceSensitiveFilter filter =
        DistanceSensitiveFilter.create(DistanceShape.jaccard(1, 8, 4096, 8), 3);
    Race.run(
        4,
        thread -> {
          for (long hash : Keys.members(2_000, thread)) {
            filter.addSet(hash);
          }
        });
    for (int thread = 0; thread < 4; thread++) {
      assertThat(Arrays.stream(Keys.members(2_000, thread)).map(filter::scoreSet)).containsOnly(8L);
    }
  }

  @Test
  void argumentsAreChecked() {
    assertThatThrownBy(() -> DistanceShape.hamming(0, 1, 1, 1, 1))
        .hasMessage("dimension = 0 is outside the allowed range 1 … 134217728");
    assertThatThrownBy(() -> new DistanceShape(DistanceShape.Distance.JACCARD, 8, 1, 1, 1, 1))
        .hasMessage("dimension = 8 is outside the allowed range 0 … 0");
    assertThatThrownBy(() -> new DistanceShape(DistanceShape.Distance.CUSTOM, 0, 2, 1, 1, 1))
        .hasMessage("samples = 2 is outside the allowed range 1 … 1");
    assertThatThrownBy(() -> DistanceShape.jaccard(4097, 1, 1, 1)).hasMessageStartingWith("samp");
    assertThatThrownBy(() -> DistanceShape.jaccard(1, 65_536, 1, 1)).hasMessageStartingWith("arr");
    assertThatThrownBy(() -> DistanceShape.jaccard(1, 2, 1L << 36, 1))
        .hasMessageStartingWith("arrayBits = ");
    assertThatThrownBy(() -> DistanceShape.jaccard(1, 2, 1, 3)).hasMessageStartingWith("threshold");
    assertThatThrownBy(() -> DistanceShape.forSets(10, 0.5, 0.5, 0.1))
        .hasMessage("near = 0.5 is not below far = 0.5");
    assertThatThrownBy(() -> DistanceShape.forSets(1L << 36, 0.5, 0.500001, 1e-9))
        .hasMessageStartingWith("no filter of 65535 arrays");
    DistanceSensitiveFilter vectors = DistanceSensitiveFilter.create(published(1));
    assertThatThrownBy(() -> vectors.add(new byte[127]))
        .hasMessage("item.length = 127 is outside the allowed range 128 … 128");
    assertThatThrownBy(() -> vectors.addSet(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> vectors.scoreSet(1)).hasMessage("a filter of HAMMING, not of JACCARD");
    DistanceSensitiveFilter sets =
        DistanceSensitiveFilter.create(DistanceShape.jaccard(1, 1, 1, 1));
    assertThatThrownBy(() -> sets.score(new byte[9]))
        .hasMessage("item.length = 9 is not a multiple of 8");
    assertThat(sets.mightContain(new byte[9])).isFalse();
    assertThat(sets.mightContain("")).as("the empty set is an item").isFalse();
    assertThat(sets.addSet()).isTrue();
    assertThat(sets.mightContain("")).isTrue();
    assertThatThrownBy(() -> LocalityHash.bitSampling(8, 1, 0).hash(new byte[2], 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LocalityHash.bitSampling(0, 1, 0))
        .hasMessageContaining("dimension = 0");
    assertThatThrownBy(() -> LocalityHash.minHash(0, 1)).hasMessageContaining("samples = 0");
    LocalityHash<long[]> orders = LocalityHash.minHash(4, Seeds.of(7));
    assertThat(orders.hash(new long[] {5, 8, 5}, 2)).isEqualTo(orders.hash(new long[] {8, 5}, 2));
    assertThat(orders.hash(new long[] {5, 8}, 2)).isNotEqualTo(orders.hash(new long[] {6, 7}, 2));
  }
}
