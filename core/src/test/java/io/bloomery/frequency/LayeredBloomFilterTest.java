package io.bloomery.frequency;

import static io.bloomery.testkit.Rates.assertRate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Filters;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Catalogue F7.
 *
 * <p>Measured here, of F7 (layered Bloom filter): Zipf stream of 100,000, 19,730 keys, layers sized
 * for its counts at 1 %: 98.36 % exact, 0 too low.
 */
final class LayeredBloomFilterTest {

  /** A Zipf(1) stream over 50 000 keys; the key's number is its rank. */
  private static int[] zipf(int length, long seed) {
    double[] below = new double[50_000];
    double sum = 0;
    for (int i = 0; i < below.length; i++) {
      sum += 1.0 / (i + 1);
      below[i] = sum;
    }
    SplittableRandom random = Seeds.random(seed);
    int[] stream = new int[length];
    for (int i = 0; i < length; i++) {
      int at = Arrays.binarySearch(below, random.nextDouble() * sum);
      stream[i] = Math.min(below.length - 1, at < 0 ? -at - 1 : at);
    }
    return stream;
  }

  private static Map<Integer, Integer> counts(int[] stream) {
    Map<Integer, Integer> counts = new HashMap<>();
    for (int key : stream) {
      counts.merge(key, 1, Integer::sum);
    }
    return counts;
  }

  private static long[] keysByCount(Map<Integer, Integer> counts, int layers) {
    long[] keys = new long[layers];
    for (int count : counts.values()) {
      for (int i = 0; i < Math.min(count, layers); i++) {
        keys[i]++;
      }
    }
    for (int i = 0; i < layers; i++) {
      keys[i] = Math.max(1, keys[i]);
    }
    return keys;
  }

  /** Zipf stream of 100 000, layers sized by its counts at 1 %: 98 % exact, none too low. */
  @Test
  void aZipfStreamIsCountedExactly() {
    int[] stream = zipf(100_000, 7);
    Map<Integer, Integer> truth = counts(stream);
    LayeredBloomFilter filter =
        LayeredBloomFilter.create(
            LayeredShape.forCounts(keysByCount(truth, LayeredShape.MAX_LAYERS), 0.01));
    for (int key : stream) {
      filter.addHash(Keys.hash(key));
    }
    int exact = 0;
    for (Map.Entry<Integer, Integer> key : truth.entrySet()) {
      long hash = Keys.hash(key.getKey());
      long count = filter.countHash(hash);
      boolean saturated = filter.isSaturated(hash);
      assertThat(count >= key.getValue() || saturated).isTrue();
      assertThat(saturated).isEqualTo(count == LayeredShape.MAX_LAYERS);
      exact += count == key.getValue() ? 1 : 0;
    }
    assertThat((double) exact / truth.size()).isBetween(0.98, 0.995);
  }

  /**
   * P(too high) for keys of one addition: layer 1 took it for its own when it came, at the mean of
   * its rate over the filling, or layer 2 does now. 10 000 keys, all twice after one another's
   * first; from both sides within 5 standard deviations of the rates of the layers.
   */
  @Test
  void aCountIsTooHighAtTheRateOfTheLayers() {
    long[] twice = Keys.members(10_000, 1);
    long[] once = Keys.members(20_000, 2);
    LayeredBloomFilter filter =
        LayeredBloomFilter.create(LayeredShape.forCounts(new long[] {30_000, 10_000, 1000}, 0.02));
    for (long hash : twice) {
      filter.addHash(hash, 2);
    }
    int high = 0;
    double expected = 0;
    for (int i = 0; i < once.length; i++) {
      if (i % 500 == 0) {
        expected += 500 * filter.layerRate(1);
      }
      filter.addHash(once[i]);
    }
    double second = filter.layerRate(2);
    for (long hash : once) {
      assertThat(filter.countHash(hash)).isPositive();
      high += filter.countHash(hash) > 1 ? 1 : 0;
    }
    double skipped = expected / once.length;
    assertRate(high, once.length, skipped + (1 - skipped) * second, 5);
    // Layer 2 has the keys that came twice, and those that layer 1 took for its own.
    BloomShape layer = filter.shape().layers().get(1);
    long inSecond = twice.length + Math.round(expected);
    double ofSecond = layer.falsePositiveRate(inSecond);
    double deviation =
        Rates.rateDeviation((double) layer.bits(), (double) inSecond, layer.hashesPerKey());
    assertThat(second).isCloseTo(ofSecond, within(5 * deviation * ofSecond));
  }

  /** R3: the first layer is a Bloom filter of its shape, Q = 1 000 000. */
  @Test
  void theRateIsThatOfTheFirstLayer() {
    LayeredBloomFilter filter = LayeredBloomFilter.create(20_000, 0.01);
    for (int round = 0; round < 3; round++) {
      filter.addHashes(Keys.members(20_000), 0, 20_000);
    }
    BloomShape layer = filter.shape().layers().get(0);
    double deviation = Rates.rateDeviation((double) layer.bits(), 20_000, layer.hashesPerKey());
    double expected = layer.falsePositiveRate(20_000);
    assertThat(filter.falsePositiveRate()).isCloseTo(expected, within(5 * deviation * expected));
    int hits = filter.mightContainHashes(Keys.outsiders(1_000_000), 0, 1_000_000, new long[15_625]);
    assertRate(hits, 1_000_000, filter.falsePositiveRate(), 5);
  }

  @ParameterizedTest
  @CsvSource({"1,0.01", "2,0.001", "10,1e-9", "100000,0.01"})
  void layersAreSizedByZipfsLaw(long keys, double rate) {
    LayeredShape shape = LayeredShape.forKeys(keys, rate, 16);
    assertThat(shape.layers()).hasSize(16);
    assertThat(shape.falsePositiveRate(keys)).isLessThanOrEqualTo(rate);
    for (int i = 0; i < 16; i++) {
      assertThat(shape.layers().get(i))
          .isEqualTo(BloomShape.forKeys((keys + i) / (i + 1), rate, IndexScheme.INDEPENDENT));
    }
    assertThat(LayeredBloomFilter.create(keys, rate).shape()).isEqualTo(shape);
  }

  /** 2 000 keys, each three times: the first layer holds every key once. */
  @Test
  void fillAndCardinality() {
    LayeredBloomFilter filter = LayeredBloomFilter.create(2_000, 0.01);
    assertThat(filter.cardinality()).isZero();
    for (long hash : Keys.members(2_000)) {
      filter.addHash(hash, 3);
    }
    long bits = filter.shape().layers().get(0).bits();
    int k = filter.shape().layers().get(0).hashesPerKey();
    assertThat(filter.fillRatio())
        .isCloseTo(
            1 - BloomMath.zeroBitProbability(bits, 2_000, k),
            within(5 * BloomMath.fillStandardDeviation(bits, 2_000, k)));
    assertThat(filter.cardinality())
        .isCloseTo(2_000, within(5 * Estimates.cardinalityStandardDeviation(bits, k, 2_000)));
  }

  @Test
  void saturationIsReported() {
    LayeredBloomFilter filter = LayeredBloomFilter.create(100, 0.001);
    assertThat(filter.addHash(1, 15)).isTrue();
    assertThat(filter.countHash(1)).isEqualTo(15);
    assertThat(filter.isSaturated(1)).isFalse();
    assertThat(filter.addHash(1, Long.MAX_VALUE)).isFalse();
    assertThat(filter.countHash(1)).isEqualTo(16).isEqualTo(filter.maxCount());
    assertThat(filter.isSaturated(1)).isTrue();
    assertThat(filter.isSaturated(2)).isFalse();
  }

  /** 40 histories beside a map, in layers small enough to be wrong. */
  @Test
  void noHistoryCountsTooLow() {
    Property.check(
        31,
        40,
        draw -> {
          LayeredBloomFilter filter =
              LayeredBloomFilter.create(
                  LayeredShape.forKeys(draw.between(1, 60), 0.1, draw.between(1, 200)));
          Map<Long, Long> model = new HashMap<>();
          for (int step = 0; step < 300; step++) {
            long hash = Keys.hash(draw.between(0, 40));
            long times = draw.between(0, 6);
            boolean absent = !filter.mightContainHash(hash);
            assertThat(filter.addHash(hash, times)).isEqualTo(absent && times > 0);
            model.merge(hash, times, Long::sum);
          }
          model.forEach(
              (hash, count) ->
                  assertThat(filter.countHash(hash) >= count || filter.isSaturated(hash)).isTrue());
        });
  }

  @Test
  void mappedCountsAlike(@TempDir Path directory) throws IOException {
    LayeredBloomFilter filter = LayeredBloomFilter.create(100, 0.05);
    for (int i = 0; i < 100; i++) {
      filter.addHash(Keys.hash(i), 20 / (i + 1));
    }
    Path file = directory.resolve("counts.bloom");
    filter.writeTo(file);
    LayeredBloomFilter mapped = (LayeredBloomFilter) Filters.map(file);
    for (int i = 0; i < 1000; i++) {
      assertThat(mapped.countHash(Keys.hash(i))).isEqualTo(filter.countHash(Keys.hash(i)));
    }
    assertThat(mapped.shape()).isEqualTo(filter.shape());
    assertThatThrownBy(() -> mapped.addHash(1, 5)).isInstanceOf(IllegalStateException.class);
    assertThat(mapped.copy().addHash(-1, 5)).isTrue();
  }

  @Test
  void plans() {
    Needs needs = Needs.forKeys(100_000, 0.01).with(Need.COUNTS);
    Plan plan =
        Planner.standard().plan(needs).ranked().stream()
            .filter(p -> p.name().equals("layered"))
            .findFirst()
            .orElseThrow();
    assertThat(plan.kind().type().getName()).isEqualTo(LayeredBloomFilter.class.getName());
    assertThat(plan.predictedRate()).isBetween(0.0098, 0.01);
    // 9.59 bits per key times 1 + 1/2 + … + 1/16.
    assertThat(plan.bitsPerKey()).isCloseTo(9.59 * 3.3807, within(0.005 * 3.3807));
  }

  @Test
  void badArgumentsAreNamed() {
    assertRefused("layers = 0 ", () -> LayeredShape.forKeys(5, 0.1, 0));
    assertRefused("layers = 1025 ", () -> LayeredShape.forKeys(5, 0.1, 1025));
    assertRefused("layers = 0 ", () -> LayeredShape.forCounts(new long[0], 0.1));
    assertRefused("expectedKeys = -1 ", () -> LayeredBloomFilter.create(-1, 0.1));
    assertRefused(
        "keysByCount[1] = 3 is more than keysByCount[0] = 2",
        () -> LayeredShape.forCounts(new long[] {2, 3}, 0.1));
    for (IndexScheme scheme : List.of(IndexScheme.PARTITIONED, IndexScheme.DOUBLE)) {
      assertRefused("layer 1 = ", () -> new LayeredShape(List.of(new BloomShape(100, 4, scheme))));
    }
    assertRefused(
        "layer 1 = ",
        () -> new LayeredShape(List.of(new BloomShape(3, 4, IndexScheme.INDEPENDENT))));
    LayeredBloomFilter filter = LayeredBloomFilter.create(10, 0.1);
    assertRefused("times = -1 ", () -> filter.addHash(1, -1));
    assertRefused("layer = 17 ", () -> filter.layerRate(17));
    assertThat(filter.mightContainHash(1)).isFalse();
    assertThat(filter.toString()).contains("16 layers", filter.sizeInBits() + " bits");
    assertThatThrownBy(() -> LayeredBloomFilter.create(null, Hasher.xxh3()))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("shape");
  }

  private static void assertRefused(String message, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
