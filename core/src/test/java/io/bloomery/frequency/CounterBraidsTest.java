package io.bloomery.frequency;

import static io.bloomery.testkit.Rates.assertRate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Filters;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Race;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.Estimates;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Catalogue F10.
 *
 * <p>Measured here, of F10 (counter braids): n = 5,000, 1.4 counters per key, Pareto sizes: exact
 * in 9 to 17 rounds unless two keys share all counters (1 in 1,000), 19.0 bits/key; single layer
 * exact at 1.0 … 1.5 counters per key (n = 2,000, 10 streams each) but for keys with the same
 * counters; bounds hold after every round.
 */
final class CounterBraidsTest {

  /** Sizes by Pareto's law of exponent 1, 1 and more: P(size ≥ s) = 1/s, cut at a million. */
  private static long[] pareto(int n, long seed) {
    SplittableRandom random = Seeds.random(seed);
    long[] sizes = new long[n];
    for (int i = 0; i < n; i++) {
      sizes[i] = (long) Math.min(1e6, 1 / (1 - random.nextDouble()));
    }
    return sizes;
  }

  private static void addAll(CounterBraids braids, long[] keys, long[] sizes) {
    for (int i = 0; i < keys.length; i++) {
      braids.addHash(keys[i], sizes[i]);
    }
  }

  /** Keys with the same counters cannot be distinguished; all others are never wrong. */
  private static void assertTwins(BraidsShape shape, List<Long> wrong) {
    for (long key : wrong) {
      CounterBraids alone = CounterBraids.create(shape);
      alone.addHash(key);
      assertThat(wrong.stream().filter(alone::mightContainHash))
          .as("keys with the counters of a wrong one")
          .hasSizeGreaterThan(1);
    }
  }

  /**
   * n = 5000, m1/n = 1.4, 20 streams: all exact, whether or not every key is known to be there, but
   * for keys with the same counters, which one stream in 1000 has.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void fiveThousandFlowsAreExact(int minimum) {
    for (int seed = 0; seed < 20; seed++) {
      long[] keys = Keys.members(5000, seed);
      long[] sizes = pareto(5000, seed);
      CounterBraids braids = CounterBraids.create(BraidsShape.forKeys(5000));
      assertThat(braids.shape().counters()).isBetween(7000L, 7002L);
      addAll(braids, keys, sizes);
      CounterBraids.Counts counts = braids.decode(keys, minimum, 1000);
      assertThat(counts.unexplained()).isZero();
      assertThat(counts.rounds()).isLessThan(100);
      List<Long> wrong = new ArrayList<>();
      for (int i = 0; i < keys.length; i++) {
        if (counts.isExact(i)) {
          assertThat(counts.low(i)).isEqualTo(sizes[i]);
          assertThat(counts.high(i)).isEqualTo(sizes[i]);
        } else {
          wrong.add(keys[i]);
        }
        assertThat(braids.countHash(keys[i])).isGreaterThanOrEqualTo(sizes[i]);
      }
      assertThat(counts.isExact()).as("stream %d", seed).isEqualTo(wrong.isEmpty());
      assertTwins(braids.shape(), wrong);
    }
  }

  /**
   * Single layer, n = 2000, k = 3, m/n = 1.0 … 1.5, sizes of 1 and more: no flow is wrong unless
   * another one has the same three counters, so the two cannot be distinguished. A stream has such
   * a pair with probability n²/2 / (m/3)³, .0067 at m/n = 1.
   */
  @ParameterizedTest
  @ValueSource(doubles = {1.0, 1.1, 1.2, 1.3, 1.4, 1.5})
  void aSingleLayerIsExactFromOneCounterAKeyOn(double load) {
    long counters = (long) Math.ceil(2000 * load / 3) * 3;
    for (int seed = 0; seed < 10; seed++) {
      long[] keys = Keys.members(2000, seed);
      long[] sizes = pareto(2000, 100 + seed);
      CounterBraids braids = CounterBraids.create(new BraidsShape(counters, 31, 3, 6, 8));
      addAll(braids, keys, sizes);
      CounterBraids.Counts counts = braids.decode(keys, 1, 1000);
      List<Long> wrong = new ArrayList<>();
      for (int i = 0; i < keys.length; i++) {
        assertThat(counts.low(i)).isLessThanOrEqualTo(sizes[i]);
        assertThat(counts.high(i)).isGreaterThanOrEqualTo(sizes[i]);
        if (counts.low(i) != sizes[i] || counts.high(i) != sizes[i]) {
          wrong.add(keys[i]);
        }
      }
      assertTwins(braids.shape(), wrong);
    }
  }

  /** The bounds hold after every round, and narrow; also where they never meet (m1/n = 0.6). */
  @ParameterizedTest
  @CsvSource({"1.4,300", "0.6,300", "0.3,100"})
  void boundsHoldAfterEveryRound(double load, int n) {
    long[] keys = Keys.members(n);
    long[] sizes = pareto(n, 3);
    long counters = (long) Math.ceil(n * load / 3) * 3;
    CounterBraids braids = CounterBraids.create(new BraidsShape(counters, 6, 3, 60, 20));
    addAll(braids, keys, sizes);
    for (int minimum = 0; minimum < 2; minimum++) {
      CounterBraids.Counts before = braids.decode(keys, minimum, 1);
      for (int rounds = 1; rounds <= 40; rounds++) {
        CounterBraids.Counts counts = braids.decode(keys, minimum, rounds);
        assertThat(counts.rounds()).isBetween(before.rounds(), rounds);
        assertThat(counts.unexplained()).isZero();
        for (int i = 0; i < n; i++) {
          assertThat(counts.low(i)).isBetween(before.low(i), sizes[i]);
          assertThat(counts.high(i)).isBetween(sizes[i], before.high(i));
        }
        before = counts;
      }
      assertThat(before.isExact()).isEqualTo(load > 1);
    }
  }

  /** Flows that the list does not name are noticed, and no count is called exact. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 1000})
  void unknownFlowsAreNoticed(int unknown) {
    long[] keys = Keys.members(3000);
    long[] sizes = pareto(3000, 4);
    CounterBraids braids = CounterBraids.create(BraidsShape.forKeys(3000));
    addAll(braids, keys, sizes);
    long[] known = Arrays.copyOf(keys, 3000 - unknown);
    CounterBraids.Counts counts = braids.decode(known);
    assertThat(counts.unexplained()).isPositive();
    assertThat(counts.isExact()).isFalse();
    for (int i = 0; i < known.length; i++) {
      assertThat(counts.isExact(i)).isFalse();
    }
  }

  /** Keys of the list that were never added have a count of 0, exactly. */
  @Test
  void keysThatWereNotAddedAreDecodedAsZero() {
    long[] keys = Keys.members(3000);
    long[] sizes = pareto(3000, 5);
    CounterBraids braids = CounterBraids.create(BraidsShape.forKeys(3000));
    for (int i = 0; i < 3000; i += 2) {
      braids.addHash(keys[i], sizes[i]);
    }
    CounterBraids.Counts counts = braids.decode(keys);
    assertThat(counts.isExact()).isTrue();
    for (int i = 0; i < 3000; i++) {
      assertThat(counts.low(i)).isEqualTo(i % 2 == 0 ? sizes[i] : 0);
    }
    assertThat(braids.decode(new long[0]).unexplained()).isPositive();
    assertThat(CounterBraids.create(BraidsShape.forKeys(5)).decode(new long[0]).isExact()).isTrue();
  }

  /** Few keys have 96 counters: 100 filters of 10 keys each. */
  @Test
  void fewKeysAreDecodedMostly() {
    int exact = 0;
    for (int seed = 0; seed < 100; seed++) {
      long[] keys = Keys.members(10, seed);
      CounterBraids braids = CounterBraids.create(BraidsShape.forKeys(10));
      long[] sizes = pareto(10, seed);
      addAll(braids, keys, sizes);
      CounterBraids.Counts counts = braids.decode(keys);
      exact += counts.isExact() ? 1 : 0;
      for (int i = 0; i < 10; i++) {
        assertThat(sizes[i]).isBetween(counts.low(i), counts.high(i));
      }
    }
    assertThat(exact).isGreaterThanOrEqualTo(98);
  }

  /** 2^31 events of one key; a wide counter that is full says so. */
  @Test
  void largeCountsAndSaturation() {
    CounterBraids braids = CounterBraids.create(BraidsShape.forKeys(100));
    braids.addHash(1, 1L << 31);
    braids.addHash(2, (1L << 31) + 255);
    assertThat(braids.countHash(1)).isEqualTo(1L << 31);
    CounterBraids.Counts counts = braids.decode(new long[] {1, 2, 3});
    assertThat(counts.isExact()).isTrue();
    assertThat(counts.low(0)).isEqualTo(1L << 31);
    assertThat(counts.low(1)).isEqualTo((1L << 31) + 255);
    assertThat(counts.low(2)).isZero();

    braids.addHash(4, Long.MAX_VALUE);
    assertThat(braids.isSaturated(4)).isTrue();
    assertThat(braids.countHash(4)).isEqualTo(braids.maxCount()).isEqualTo((1L << 40) - 1);
    assertThat(braids.isSaturated(1)).isFalse();
    CounterBraids.Counts more = braids.decode(new long[] {1, 2, 4});
    assertThat(more.isExact()).isFalse();
    assertThat(more.high(2)).isEqualTo(Long.MAX_VALUE);
    assertThat(more.low(0)).isLessThanOrEqualTo(1L << 31);
    assertThat(more.high(0)).isGreaterThanOrEqualTo(1L << 31);
    assertThat(more.unexplained()).isZero();
  }

  /** Additions one by one, at once, in two braids that are merged: the same bytes. */
  @Test
  void everyWayToAddMakesTheSameBraids() throws IOException {
    BraidsShape shape = new BraidsShape(60, 3, 3, 12, 20);
    CounterBraids oneByOne = CounterBraids.create(shape);
    CounterBraids atOnce = CounterBraids.create(shape);
    CounterBraids first = CounterBraids.create(shape);
    CounterBraids second = CounterBraids.create(shape);
    for (int i = 0; i < 30; i++) {
      for (int j = 0; j < 7 * i; j++) {
        oneByOne.addHash(Keys.hash(i));
        (j % 3 == 0 ? first : second).addHash(Keys.hash(i));
      }
      atOnce.addHash(Keys.hash(i), 7L * i);
    }
    assertThat(bytes(atOnce)).isEqualTo(bytes(oneByOne));
    first.merge(second);
    assertThat(bytes(first)).isEqualTo(bytes(oneByOne));
  }

  /** Overflows included; a copy is another filter, whose counts are added. */
  @Test
  void mergingWithItselfChangesNothing() throws IOException {
    CounterBraids braids = CounterBraids.create(new BraidsShape(60, 3, 3, 12, 20));
    CounterBraids twice = CounterBraids.create(new BraidsShape(60, 3, 3, 12, 20));
    for (int i = 0; i < 30; i++) {
      braids.addHash(Keys.hash(i), 7L * i);
      twice.addHash(Keys.hash(i), 14L * i);
    }
    byte[] before = bytes(braids);
    braids.merge(braids);
    assertThat(bytes(braids)).isEqualTo(before);
    braids.merge(braids.copy());
    assertThat(bytes(braids)).isEqualTo(bytes(twice));
  }

  private static byte[] bytes(CounterBraids braids) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    braids.writeTo(out);
    return out.toByteArray();
  }

  /** Four threads add the same keys; nothing is lost, carries included. */
  @Test
  void threadsLoseNoAddition() throws IOException {
    BraidsShape shape = new BraidsShape(60, 3, 3, 12, 20);
    long[] keys = Keys.members(40);
    for (int round = 0; round < 20; round++) {
      CounterBraids braids = CounterBraids.create(shape);
      CounterBraids expected = CounterBraids.create(shape);
      Race.run(
          4,
          thread -> {
            for (int i = 0; i < 50; i++) {
              braids.addHashes(keys, 0, keys.length);
            }
          });
      for (long key : keys) {
        expected.addHash(key, 200);
      }
      assertThat(bytes(braids)).isEqualTo(bytes(expected));
    }
  }

  /** R3 and the shape's formula: 69 % of all keys are found in braids for decoding. */
  @Test
  void theRateIsThatOfPartitionedBits() {
    CounterBraids braids = CounterBraids.create(BraidsShape.forKeys(20_000));
    braids.addHashes(Keys.members(20_000), 0, 20_000);
    double predicted = braids.shape().falsePositiveRate(20_000);
    assertThat(predicted).isCloseTo(0.69, within(0.005));
    double deviation =
        Rates.rateDeviation((double) braids.shape().counters(), 20_000, 3) * predicted;
    assertThat(braids.falsePositiveRate()).isCloseTo(predicted, within(5 * deviation));
    int hits = braids.mightContainHashes(Keys.outsiders(100_000), 0, 100_000, new long[1563]);
    assertRate(hits, 100_000, braids.falsePositiveRate(), 5);
    assertThat((double) braids.sizeInBits() / 20_000).isCloseTo(19.0, within(0.005));
  }

  /** 3 slices of 4 667 and 5 000 keys. */
  @Test
  void fillAndCardinality() {
    CounterBraids braids = CounterBraids.create(BraidsShape.forKeys(10_000));
    assertThat(braids.cardinality()).isZero();
    for (long hash : Keys.members(5_000)) {
      braids.addHash(hash, 300);
    }
    long counters = braids.shape().counters();
    assertThat(braids.fillRatio())
        .isCloseTo(
            1 - BloomMath.zeroBitProbability(counters, 5_000, 3),
            within(5 * BloomMath.fillStandardDeviation(counters, 5_000, 3)));
    assertThat(braids.cardinality())
        .isCloseTo(5_000, within(5 * Estimates.cardinalityStandardDeviation(counters, 3, 5_000)));
  }

  /** 40 histories: single answers are never too low, decoded ones enclose the truth. */
  @Test
  void histories() {
    Property.check(
        32,
        40,
        draw -> {
          BraidsShape shape =
              new BraidsShape(
                  4L * draw.between(3, 60), draw.between(1, 12), 4, 3L * draw.between(2, 9), 30);
          CounterBraids braids = CounterBraids.create(shape);
          long[] keys = Keys.members(41);
          long[] model = new long[41];
          for (int step = 0; step < 200; step++) {
            int key = draw.between(0, 40);
            long times = draw.between(0, 1000);
            boolean absent = !braids.mightContainHash(keys[key]);
            assertThat(braids.addHash(keys[key], times)).isEqualTo(absent && times > 0);
            model[key] += times;
          }
          CounterBraids.Counts counts = braids.decode(keys);
          assertThat(counts.keyCount()).isEqualTo(41);
          assertThat(counts.unexplained()).isZero();
          for (int i = 0; i < 41; i++) {
            assertThat(braids.countHash(keys[i])).isGreaterThanOrEqualTo(model[i]);
            assertThat(model[i]).isBetween(counts.low(i), counts.high(i));
          }
        });
  }

  @Test
  void mappedDecodesAlike(@TempDir Path directory) throws IOException {
    long[] keys = Keys.members(500);
    CounterBraids braids = CounterBraids.create(BraidsShape.forKeys(500));
    addAll(braids, keys, pareto(500, 9));
    Path file = directory.resolve("braids.bloom");
    braids.writeTo(file);
    CounterBraids mapped = (CounterBraids) Filters.map(file);
    CounterBraids.Counts counts = mapped.decode(keys);
    assertThat(counts.isExact()).isTrue();
    CounterBraids.Counts heap = braids.decode(keys);
    for (int i = 0; i < 500; i++) {
      assertThat(counts.low(i)).isEqualTo(heap.low(i));
      assertThat(mapped.countHash(keys[i])).isEqualTo(braids.countHash(keys[i]));
    }
    assertThatThrownBy(() -> mapped.addHash(1, 5)).isInstanceOf(IllegalStateException.class);
    assertThat(mapped.copy().countHash(keys[0])).isEqualTo(braids.countHash(keys[0]));
  }
}
