package io.bloomery.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.ConstructionException;
import io.bloomery.LookupFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Rates;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Catalogue S7.
 *
 * <p>Measured here, of S7 (Bloomier cascade of Bloom filters): 4 values of 2,500 keys at .05 per
 * filter: exact; each level holds .143 of the keys of the level before (1 - .95^3); .826 of the
 * outsiders get no value, (1-ε)^4 = .8145 of them at the first level; 256 values at 1 %: 21.3 bits
 * per key.
 */
final class BloomierCascadeTest {

  private static final double RATE = 0.05;

  /** Keys of set {@code i}, {@code perValue} for each of some values. */
  private static BloomierCascade of(int values, int perValue, int set, double filterRate) {
    BloomierCascade.Builder builder = BloomierCascade.builder().filterRate(filterRate);
    long[] hashes = Keys.members(values * perValue, set);
    for (int i = 0; i < hashes.length; i++) {
      builder.putHash(hashes[i], i % values);
    }
    return builder.build();
  }

  private static void assertExact(BloomierCascade map, int values, int perValue, int set) {
    long[] hashes = Keys.members(values * perValue, set);
    for (int i = 0; i < hashes.length; i++) {
      if (map.getHash(hashes[i]) != i % values) {
        throw new AssertionError("key " + i + " has " + map.getHash(hashes[i]));
      }
    }
  }

  /**
   * 4 values of 2 500 keys, rate .05 per filter, 20 maps: exact, and each level holds the share 1 -
   * .95^3 = .1426 of the keys of the one before, at the rates of the filters as they are sized.
   */
  @Test
  void levelsShrinkByThreeTimesTheRate() {
    double[] second = new double[20];
    double[] third = new double[20];
    for (int set = 0; set < 20; set++) {
      BloomierCascade map = of(4, 2_500, set, RATE);
      assertExact(map, 4, 2_500, set);
      assertThat(map.levelCount()).isBetween(3, 8);
      assertThat(map.levelKeys(0)).isEqualTo(10_000);
      second[set] = map.levelKeys(1) / 10_000.0;
      third[set] = (double) map.levelKeys(2) / map.levelKeys(1);
    }
    assertThat(1 - Math.pow(1 - RATE, 3)).isCloseTo(0.1426, within(5e-5));
    Rates.assertMean(second, share(2_500), 5, 0);
    // Of some 356 keys per value, more or fewer of each.
    Rates.assertMean(third, share(Math.round(2_500 * share(2_500))), 5, 0.01);
  }

  /** The share of keys that one of three other filters of so many keys each finds. */
  private static double share(long members) {
    BloomShape filter = new BloomierCascadeShape(10_000, 4, RATE).filter(members);
    return 1 - Math.pow(1 - filter.falsePositiveRate(members), 3);
  }

  /**
   * What outsiders get: one at the first level is 4ε(1-ε)^3 = .1715, none (1-ε)^4 = .8145, and the
   * rest is decided below in the same proportion: .826 get nothing, a little more than (1-ε)^4.
   */
  @Test
  void outsidersHaveNoValueButForTheRate() {
    double[] absent = new double[20];
    for (int set = 0; set < 20; set++) {
      BloomierCascade map = of(4, 2_500, set, RATE);
      long found =
          Arrays.stream(Keys.outsiders(200_000, set))
              .filter(hash -> map.getHash(hash) != LookupFilter.ABSENT)
              .count();
      Rates.assertRate(found, 200_000, map.falsePositiveRate(), 5);
      absent[set] = 1 - map.falsePositiveRate();
    }
    double none = Math.pow(1 - RATE, 4);
    double one = 4 * RATE * Math.pow(1 - RATE, 3);
    Rates.assertMean(absent, none / (none + one), 5, 0.002);
    double error = Rates.standardError(absent);
    assertThat(Rates.mean(absent) - none).isGreaterThan(5 * error);
    Rates.assertMean(
        absent, 1 - new BloomierCascadeShape(10_000, 4, RATE).falsePositiveRate(10_000), 5, 0.001);
  }

  /** Over all levels: 4ε(1-ε)^3 of what is left at each; 10^8 keys, so that ε is exact. */
  @ParameterizedTest
  @CsvSource({"4, 0.05", "16, 0.02", "2, 0.3", "256, 0.003"})
  void theShapeAddsUpAllLevels(int values, double filterRate) {
    double none = Math.pow(1 - filterRate, values);
    double one = values * filterRate * Math.pow(1 - filterRate, values - 1);
    double rate =
        new BloomierCascadeShape(100_000_000, values, filterRate).falsePositiveRate(100_000_000);
    assertThat(rate).isCloseTo(one / (one + none), within(1e-4 * rate)).isGreaterThan(one);
  }

  /** The whole rate, R3 with 300 000 outsiders, and the expected size. */
  @ParameterizedTest
  @CsvSource({"2, 0.01", "16, 0.01", "16, 0.2", "100, 0.05", "256, 0.1", "1, 0.02"})
  void aRateDecidesTheFilters(int values, double rate) {
    int keys = 25_600;
    long[] hashes = Keys.members(keys);
    long[] numbers = new long[keys];
    Arrays.setAll(numbers, i -> 1_000L * (i % values));
    BloomierCascade map = BloomierCascade.ofHashes(hashes, numbers, rate);
    for (int i = 0; i < keys; i++) {
      if (map.getHash(hashes[i]) != numbers[i]) {
        throw new AssertionError("key " + i + " has " + map.getHash(hashes[i]));
      }
    }
    assertThat(map.values()).hasSize(values).startsWith(0).endsWith(1_000L * (values - 1));
    double expected = map.shape().falsePositiveRate(keys);
    assertThat(expected).isBetween(0.99 * rate, rate);
    BloomShape filter = map.shape().filter(keys / values);
    double deviation =
        Rates.rateDeviation((double) filter.bits(), (double) keys / values, filter.hashesPerKey())
            / Math.sqrt(values);
    assertThat(map.falsePositiveRate()).isCloseTo(expected, within(5 * deviation * expected));
    long found = Arrays.stream(Keys.outsiders(300_000)).filter(map::mightContainHash).count();
    Rates.assertRate(found, 300_000, map.falsePositiveRate(), 5);
    assertThat((double) map.sizeInBits())
        .isCloseTo((double) map.shape().sizeInBits(), within(0.01 * map.sizeInBits()));
  }

  /** 300 maps of up to 100 small numbers as hashes with skewed values, against a map. */
  @Test
  void agreesWithAMap() {
    Property.check(
        50,
        300,
        draw -> {
          BloomierCascade.Builder builder =
              BloomierCascade.builder().falsePositiveRate(0.02).seed(draw.anyLong());
          Map<Long, Long> model = new HashMap<>();
          for (int i = draw.between(0, 100); i > 0; i--) {
            long key = draw.between(0L, 200L);
            long value = draw.between(0L, draw.between(0L, 9L)) << draw.between(0, 40);
            if (model.putIfAbsent(key, value) == null) {
              builder.putHash(key, value);
            } else {
              builder.putHash(key, model.get(key));
            }
          }
          BloomierCascade map = builder.build();
          model.forEach((key, value) -> assertThat(map.getHash(key)).isEqualTo(value));
          assertThat(map.levelCount() == 0).isEqualTo(model.isEmpty());
        });
  }

  @Test
  void orderAndDuplicatesDoNotMatter() {
    byte[] bytes = bytes(of(3, 500, 1, RATE));
    BloomierCascade.Builder builder = BloomierCascade.builder().filterRate(RATE);
    long[] hashes = Keys.members(1_500, 1);
    for (int i = 2 * hashes.length - 1; i >= 0; i--) {
      builder.putHash(hashes[i / 2], i / 2 % 3);
    }
    assertThat(bytes(builder.build())).isEqualTo(bytes);
    assertThat(bytes(builder.seed(1).build())).isNotEqualTo(bytes);
  }

  private static byte[] bytes(BloomierCascade map) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      map.writeTo(out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }

  @Test
  void errors() {
    BloomierCascade.Builder twice =
        BloomierCascade.builder().filterRate(RATE).put("a", 1).put("a", 2);
    assertThatThrownBy(twice::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two values");
    BloomierCascade.Builder many = BloomierCascade.builder().filterRate(RATE);
    for (int i = 0; i < 257; i++) {
      many.putHash(i, 3L * i);
    }
    assertThatThrownBy(many::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("values = 257", "1 … 256");
    assertThatThrownBy(() -> of(100, 100, 0, 0.3))
        .isInstanceOf(ConstructionException.class)
        .hasMessageContainingAll("10000 keys", "100 values", "64 levels", "lower rate");
    BloomierCascade.Builder builder = BloomierCascade.builder();
    assertThatThrownBy(builder::build).hasMessageContaining("either");
    assertThatThrownBy(() -> builder.filterRate(0.1).falsePositiveRate(0.1).build())
        .hasMessageContaining("either");
    assertThatThrownBy(() -> builder.filterRate(1)).hasMessageContaining("filterRate = 1.0");
    assertThatThrownBy(() -> builder.firstFilter(1, 1)).hasMessageContaining("bits = 1");
    assertThatThrownBy(() -> builder.firstFilter(2, 3)).hasMessageContaining("hashesPerKey = 3");
    assertThatThrownBy(() -> BloomierCascadeShape.forKeys(0, 0.1, 2))
        .hasMessageContaining("expectedKeys = 0");
    assertThatThrownBy(() -> BloomierCascadeShape.forBudget(1_000, 300_000, 0))
        .hasMessageContaining("values = 0");
    assertThatThrownBy(() -> BloomierCascadeShape.forBudget(1_000, 3_000, 256))
        .hasMessage("bits = 3000 is too few for expectedKeys = 1000 and values = 256");
    assertThatThrownBy(() -> new BloomierCascadeShape(1, 257, 0.1))
        .hasMessageContaining("values = 257");
    assertThatThrownBy(() -> new BloomierCascadeShape(0, 2, 0.1))
        .hasMessageContaining("keyCount = 0");
  }

  @Test
  void namesAndDefaults() {
    BloomierCascade map =
        BloomierCascade.builder().falsePositiveRate(0.01).put("rose", 7).put(5L, 9).build();
    assertThat(map.get("rose")).isEqualTo(7);
    assertThat(map.get(5L)).isEqualTo(9);
    assertThat(map.values()).containsExactly(7, 9);
    assertThat(map.levelKeys(0)).isEqualTo(2);
    assertThat(map.toString())
        .startsWith("BloomierCascade[BloomierCascadeShape[keyCount=2, values=2");
    BloomierCascade empty = BloomierCascade.ofHashes(new long[0], new long[0], 0.01);
    assertThat(empty.getHash(0)).isEqualTo(LookupFilter.ABSENT);
    assertThat(empty.sizeInBits()).isZero();
  }

  /** The best filter rate within a budget, also where a higher one would take more memory. */
  @ParameterizedTest
  @CsvSource({"1, 1", "1, 256", "1000, 1", "1000, 4", "100000, 256", "100000000, 16"})
  void budgetsAreKeptAndUsed(long keys, int values) {
    for (double rate : new double[] {0.1, 0.01, 1e-6}) {
      BloomierCascadeShape sized = BloomierCascadeShape.forKeys(keys, rate, values);
      long budget = sized.sizeInBits();
      BloomierCascadeShape best = BloomierCascadeShape.forBudget(keys, budget, values);
      assertThat(best.sizeInBits()).isLessThanOrEqualTo(budget);
      assertThat(best.filterRate()).isLessThanOrEqualTo(sized.filterRate() * 1.0001);
    }
  }

  @Test
  void planned() {
    Plan plan =
        Planner.standard().plan(Needs.forKeys(256_000, 0.01).with(Need.VALUES)).ranked().stream()
            .filter(p -> p.name().equals("bloomier-cascade"))
            .findFirst()
            .orElseThrow();
    assertThat(plan.kind()).isSameAs(BloomierCascade.KIND);
    assertThat(plan.predictedRate()).isBetween(0.0099, 0.01);
    assertThat(plan.bitsPerKey()).isCloseTo(21.33, within(0.005));
    long[] hashes = Keys.members(64_000);
    long[] values = new long[hashes.length];
    Arrays.setAll(values, i -> i & 255);
    BloomierCascade map = BloomierCascade.ofHashes(hashes, values, 0.01);
    Plan small = Planner.standard().named("bloomier-cascade", Needs.forKeys(64_000, 0.01));
    assertThat(small.bitsPerKey()).isCloseTo(map.sizeInBits() / 64_000.0, within(0.2));
    assertThat(plan.bitsPerKey()).isCloseTo(small.bitsPerKey(), within(0.2));
    long budget = plan.shape().sizeInBits();
    Plan within = Planner.standard().named("bloomier-cascade", Needs.forBudget(256_000, budget));
    assertThat(within.shape().sizeInBits()).isBetween(budget - budget / 100, budget);
    assertThat(within.predictedRate()).isBetween(0.0099, 0.01);
  }
}
