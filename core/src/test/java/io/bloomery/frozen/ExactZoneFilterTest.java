package io.bloomery.frozen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.ReadOptions;
import io.bloomery.hash.Funnel;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Catalogue S9.
 *
 * <p>Measured here, of S9 (EGH filter (false-positive-free zone)): the seven published sizes (3
 * numbers below 2^16: 13 primes, 238 bits); no false positive for all 780 pairs below 40 and 10,000
 * random sets of up to 3 below 1,000; all 9,880 triples below 40: .00398.
 */
final class ExactZoneFilterTest {

  private static final Funnel<String> FUNNEL = (text, into) -> into.put(text);

  private static ExactZoneFilter of(long universe, int zone, long... numbers) {
    ExactZoneFilter filter = ExactZoneFilter.create(ExactZoneShape.forKeys(zone, universe));
    for (long number : numbers) {
      filter.add(number);
    }
    return filter;
  }

  private static long yes(ExactZoneFilter filter) {
    return LongStream.range(0, filter.shape().universe()).filter(filter::mightContain).count();
  }

  @ParameterizedTest
  @CsvSource({
    "100, 1, 4, 17",
    "1000, 2, 8, 77",
    "1000, 3, 10, 129",
    "10000, 3, 12, 197",
    "65536, 3, 13, 238",
    "65536, 5, 19, 568",
    "1048576, 4, 19, 568"
  })
  void publishedSizes(long universe, int zone, int arrays, long bits) {
    ExactZoneShape shape = new ExactZoneShape(universe, zone, 1);
    assertThat(shape.primes()).hasSize(arrays);
    assertThat(shape.sizeInBits()).isEqualTo(bits);
    assertThat(ExactZoneFilter.create(ExactZoneShape.forKeys(zone, universe)).sizeInBits())
        .isEqualTo(bits);
    assertThat(new ExactZoneShape(universe, zone, 8).sizeInBits()).isEqualTo(8 * bits);
  }

  @Test
  void primesAreTheFirstOnes() {
    assertThat(new ExactZoneShape(40, 2, 1).primes()).containsExactly(2, 3, 5, 7, 11);
    // 2·3·5 = 30 reaches a universe of 30, not one of 31.
    assertThat(new ExactZoneShape(30, 1, 1).primes()).containsExactly(2, 3, 5);
    assertThat(new ExactZoneShape(31, 1, 1).primes()).containsExactly(2, 3, 5, 7);
    assertThat(new ExactZoneShape(2, 1, 1).primes()).containsExactly(2);
    int[] many = new ExactZoneShape(Long.MAX_VALUE, 100, 1).primes();
    for (int prime : many) {
      assertThat(LongStream.range(2, prime).noneMatch(i -> prime % i == 0)).isTrue();
    }
  }

  /** All 780 pairs and 40 single numbers of a universe of 40, each queried for all 40. */
  @Test
  void noErrorInTheZone() {
    for (long a = 0; a < 40; a++) {
      assertThat(yes(of(40, 2, a))).isEqualTo(1);
      for (long b = a + 1; b < 40; b++) {
        ExactZoneFilter filter = of(40, 2, a, b);
        assertThat(filter.isExact()).isTrue();
        assertThat(filter.falsePositiveRate()).isZero();
        assertThat(yes(filter)).isEqualTo(2);
        assertThat(filter.mightContain(a) && filter.mightContain(b)).isTrue();
      }
    }
  }

  /** All 9 880 triples: .00398 of the 365 560 questions for other numbers are answered wrongly. */
  @Test
  void publishedRateAboveTheZone() {
    long wrong = 0;
    for (long a = 0; a < 40; a++) {
      for (long b = a + 1; b < 40; b++) {
        for (long c = b + 1; c < 40; c++) {
          ExactZoneFilter filter = of(40, 2, a, b, c);
          assertThat(filter.mightContain(a) && filter.mightContain(b) && filter.mightContain(c))
              .isTrue();
          wrong += yes(filter) - 3;
        }
      }
    }
    assertThat(wrong / (9880.0 * 37)).isCloseTo(0.00398, within(0.000005));
  }

  /** 10 000 random sets of up to three numbers below 1 000, all numbers asked for. */
  @Test
  void randomSetsInTheZone() {
    SplittableRandom random = Seeds.random(9);
    for (int i = 0; i < 10_000; i++) {
      long[] numbers = random.longs(1 + i % 3, 0, 1000).distinct().sorted().toArray();
      ExactZoneFilter filter = of(1000, 3, numbers);
      assertThat(filter.keyBound()).isEqualTo(numbers.length);
      long[] found = LongStream.range(0, 1000).filter(filter::mightContain).toArray();
      assertThat(found).isEqualTo(numbers);
      assertThat(filter.list()).isEqualTo(numbers);
    }
  }

  /** Far above the zone, remainders are as good as independent: 300 sets of 30 below 2^40. */
  @Test
  void rateFarAboveTheZone() {
    SplittableRandom random = Seeds.random(10);
    long universe = 1L << 40;
    double[] stated = new double[300];
    long hits = 0;
    for (int i = 0; i < stated.length; i++) {
      ExactZoneFilter filter = of(universe, 1, random.longs(30, 0, universe).toArray());
      assertThat(filter.isExact()).isFalse();
      stated[i] = filter.falsePositiveRate();
      hits += random.longs(10_000, 0, universe).filter(filter::mightContain).count();
    }
    Rates.assertRate(hits, 3_000_000, Rates.mean(stated), 5);
    double expected = new ExactZoneShape(universe, 1, 1).falsePositiveRate(30);
    Rates.assertMean(stated, expected, 5, 0);
  }

  @ParameterizedTest
  @CsvSource({"9223372036854775807, 6", "4294967296, 10", "1000000, 20", "50, 30", "2, 2"})
  void listsTheMembers(long universe, int zone) {
    SplittableRandom random = Seeds.random(11);
    for (int i = 0; i < 5; i++) {
      ExactZoneFilter filter = ExactZoneFilter.create(ExactZoneShape.counting(zone, universe));
      assertThat(filter.list()).isEmpty();
      long[] numbers = random.longs(zone, 0, universe).distinct().sorted().toArray();
      for (long number : numbers) {
        assertThat(filter.add(number)).isTrue();
      }
      assertThat(filter.list()).isEqualTo(numbers);
      filter.remove(numbers[0]);
      assertThat(filter.list()).isEqualTo(LongStream.of(numbers).skip(1).toArray());
    }
  }

  @Test
  void aboveTheZoneNothingIsListed() {
    ExactZoneFilter filter = of(1000, 2, 1, 2, 3);
    assertThatThrownBy(filter::list)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("up to 3 members", "only 2");
  }

  /** Adds and removals against a map of counts, in and above the zone, with copies of numbers. */
  @Test
  void agreesWithAMapOfCounts() {
    Property.check(
        47,
        300,
        draw -> {
          int zone = draw.between(1, 6);
          long universe = draw.between(2L, 5_000L);
          ExactZoneFilter filter = ExactZoneFilter.create(ExactZoneShape.counting(zone, universe));
          Map<Long, Integer> model = new HashMap<>();
          boolean left = false;
          for (int step = 0; step < 60; step++) {
            long key =
                draw.between(0L, Math.min(universe - 1, 12L)) * (universe / 13 + 1) % universe;
            if (draw.between(0, 2) > 0) {
              boolean added = filter.add(key);
              assertThat(added && model.containsKey(key)).isFalse();
              assertThat(added || left || model.containsKey(key)).isTrue();
              model.merge(key, 1, Integer::sum);
            } else if (model.containsKey(key)) {
              assertThat(filter.remove(key)).isTrue();
              model.computeIfPresent(key, (k, n) -> n == 1 ? null : n - 1);
            }
            left |= model.size() > zone;
            assertThat(filter.keyBound()).isGreaterThanOrEqualTo(model.size());
            model.forEach((k, n) -> assertThat(filter.count(k)).isGreaterThanOrEqualTo(n));
            if (!left) {
              assertThat(filter.keyBound()).isEqualTo(model.size());
              assertThat(filter.list())
                  .containsExactly(model.keySet().stream().mapToLong(k -> k).sorted().toArray());
              model.forEach((k, n) -> assertThat(filter.count(k)).isEqualTo((long) n));
              assertThat(filter.remove(universe)).isFalse();
            }
            if (filter.isExact()) {
              assertThat(yes(filter)).isEqualTo(model.size());
            }
          }
        });
  }

  @Test
  void cellsDoNotOverflow() {
    ExactZoneFilter filter = ExactZoneFilter.create(new ExactZoneShape(100, 2, 2));
    for (int i = 0; i < 5; i++) {
      filter.add(7);
    }
    assertThat(filter.count(7)).isEqualTo(3);
    assertThat(filter.saturatedCells()).isEqualTo(filter.shape().primes().length);
    for (int i = 0; i < 5; i++) {
      assertThat(filter.remove(7)).isTrue();
    }
    assertThat(filter.mightContain(7)).isTrue();
    assertThat(of(100, 2, 7).saturatedCells()).isZero();
    assertThat(ExactZoneFilter.create(ExactZoneShape.counting(2, 100)).shape().cellBits())
        .isEqualTo(8);
    assertThat(ExactZoneFilter.create(ExactZoneShape.counting(1000, 100)).shape().cellBits())
        .isEqualTo(11);
  }

  /** All forms of a key: number, bytes, part, text, object. */
  @Test
  void allFormsOfAKeyAgree() {
    Filter filter = of(5_000, 4, 0, 77, 4_999);
    for (long number = -5; number < 5_100; number++) {
      byte[] bytes = new byte[13];
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(3, number);
      boolean expected = number == 0 || number == 77 || number == 4_999;
      assertThat(filter.mightContain(number)).isEqualTo(expected);
      assertThat(filter.mightContain(bytes, 3, 8)).isEqualTo(expected);
      assertThat(filter.mightContain(ByteBuffer.allocate(8).put(bytes, 3, 8).array()))
          .isEqualTo(expected);
    }
    assertThat(filter.mightContain("\0\0\0\0\0\0\0\0")).isTrue();
    assertThat(filter.mightContain("")).isFalse();
    assertThat(filter.mightContain("a long text")).isFalse();
    assertThat(filter.mightContain("a", FUNNEL)).isFalse();
    assertThat(filter.mightContain(new byte[7])).isFalse();
    assertThatThrownBy(() -> filter.mightContain((CharSequence) null)).hasMessage("key");
    assertThatThrownBy(() -> filter.mightContain((byte[]) null)).hasMessage("key");
    assertThatThrownBy(() -> filter.mightContain(null, 0, 0)).hasMessage("bytes");
    assertThatThrownBy(() -> filter.mightContain(null, FUNNEL)).hasMessage("key");
    assertThatThrownBy(() -> filter.mightContain(new byte[8], 1, 8))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void mergeAndCopy() {
    ExactZoneFilter one = of(500, 4, 1, 2);
    ExactZoneFilter two = of(500, 4, 2, 499);
    ExactZoneFilter copy = one.copy();
    one.merge(two);
    one.merge(one);
    assertThat(one.list()).containsExactly(1, 2, 499);
    assertThat(copy.list()).containsExactly(1, 2);
    assertThat(one.keyBound()).isEqualTo(4);
    assertThat(one.isCompatible(two)).isTrue();
    assertThatThrownBy(() -> one.merge(of(501, 4)))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContainingAll("universe=500", "universe=501");
    assertThatThrownBy(() -> one.merge(null)).hasMessage("other");
    assertThatThrownBy(() -> one.isCompatible(null)).hasMessage("other");
    ExactZoneFilter counts = ExactZoneFilter.create(ExactZoneShape.counting(4, 500));
    counts.add(3);
    counts.merge(counts.copy());
    assertThat(counts.count(3)).isEqualTo(2);
  }

  @Test
  void everyWayBackKeepsEveryAnswer(@TempDir Path directory) throws IOException {
    ExactZoneFilter filter = ExactZoneFilter.create(ExactZoneShape.counting(3, 1_000));
    filter.add(999);
    filter.add(5);
    filter.add(5);
    Path file = directory.resolve("zone.bloom");
    filter.writeTo(file);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    assertThat((long) out.size()).isEqualTo(filter.storedBytes());
    for (Filter again :
        List.of(
            Filters.open(file),
            Filters.map(file),
            Filters.read(
                new ByteArrayInputStream(out.toByteArray()),
                ReadOptions.defaults().withLimit(out.size())))) {
      ExactZoneFilter zone = (ExactZoneFilter) again;
      assertThat(zone.list()).containsExactly(5, 999);
      assertThat(zone.count(5)).isEqualTo(2);
      assertThat(zone.isExact()).isTrue();
    }
    ExactZoneFilter mapped = (ExactZoneFilter) Filters.map(file);
    assertThatThrownBy(() -> mapped.add(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> mapped.remove(5)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> mapped.merge(filter)).isInstanceOf(IllegalStateException.class);
    ExactZoneFilter opened = (ExactZoneFilter) Filters.open(file);
    assertThat(opened.add(6)).isTrue();
  }

  @Test
  void arguments() {
    ExactZoneFilter filter = of(10, 1);
    assertThatThrownBy(() -> filter.add(10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("key = 10", "0 … 9");
    assertThatThrownBy(() -> filter.add(-1)).hasMessageContaining("key = -1");
    assertThatThrownBy(() -> filter.remove(3))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("single bits");
    assertThatThrownBy(() -> ExactZoneFilter.create(ExactZoneShape.forKeys(1, 1)))
        .hasMessageContaining("universe = 1");
    assertThatThrownBy(() -> ExactZoneFilter.create(ExactZoneShape.forKeys(0, 9)))
        .hasMessageContaining("expectedKeys = 0");
    assertThatThrownBy(() -> ExactZoneFilter.create(ExactZoneShape.forKeys(4097, 9)))
        .hasMessageContaining("expectedKeys = 4097");
    assertThatThrownBy(() -> new ExactZoneShape(9, 2, 33)).hasMessageContaining("cellBits = 33");
    assertThatThrownBy(() -> new ExactZoneShape(9, 2, 1).falsePositiveRate(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void planned() {
    Needs needs = Needs.forKeys(3, 0.01).with(Need.CLOSED_UNIVERSE).withUniverse(65_536);
    Plan plan =
        Planner.standard().plan(needs).ranked().stream()
            .filter(p -> p.name().equals("exact-zone"))
            .findFirst()
            .orElseThrow();
    assertThat(plan.kind().type().getName()).isEqualTo(ExactZoneFilter.class.getName());
    assertThat(plan.shape().sizeInBits()).isEqualTo(238);
    assertThat(plan.predictedRate()).isZero();
    assertThat(plan.words()).isEqualTo(13);
    assertThat(
            Planner.standard()
                .plan(Needs.forKeys(5000, 0.01).with(Need.CLOSED_UNIVERSE).withUniverse(65_536))
                .ranked())
        .extracting(Plan::name)
        .doesNotContain("exact-zone")
        .contains("cascade");
  }
}
