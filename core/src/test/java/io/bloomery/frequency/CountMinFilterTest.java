package io.bloomery.frequency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Filters;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.ReadOptions;
import io.bloomery.Storable;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.probe.CounterRows;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Race;
import io.bloomery.testkit.Rates;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.Estimates;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Catalogue F8.
 *
 * <p>Measured here, of F8 (count-min, plain and conservative update): conservative update ÷1.935;
 * 20,000 Zipf(1.1) flows, 300,000 packets, 4 × 2,000 counters, 5 streams: mean over-count 15,327 ±
 * 117 bytes, conservative 7,922 ± 63 (÷1.935 ± .007; 20 streams); false heavies at 0.1 % of
 * traffic, conservative, 2 at most; missed 0 of about 92.
 */
final class CountMinFilterTest {

  private static CountMinFilter filter(int rows, long width, boolean conservative) {
    return filter(rows, width, 64, conservative);
  }

  private static CountMinFilter filter(
      int rows, long width, int counterBits, boolean conservative) {
    return CountMinFilter.create(new CountMinShape(rows, width, counterBits, conservative));
  }

  static byte[] bytes(Storable filter) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      filter.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Broder and Mitzenmacher, figure 2: the minimum is 2, 4 bytes come, counters rise to 6 only. */
  @Test
  void conservativeUpdateOfTheFigure() {
    Words words = Words.copyOf(new long[] {5, 2, 9, 6}, false);
    CounterRows rows = new CounterRows(words, 4, 1, 64);
    assertThat(rows.raise(Keys.hash(1), 4)).isEqualTo(2);
    assertThat(List.of(words.get(0), words.get(1), words.get(2), words.get(3)))
        .containsExactly(6L, 6L, 9L, 6L);
    assertThat(rows.min(Keys.hash(1))).isEqualTo(6);
    assertThat(rows.add(Keys.hash(1), 4)).isFalse();
    assertThat(List.of(words.get(0), words.get(1), words.get(2), words.get(3)))
        .containsExactly(10L, 10L, 13L, 10L);
  }

  /** One run over a stream of flows: bytes of each flow, and what a filter says of them. */
  private record Run(double meanOver, int heavy, int missed, int falseHeavy) {
    static Run of(CountMinFilter filter, int[] stream, int seed) {
      int flows = 20_000;
      long[] hashes = Keys.members(flows, seed);
      long[] bytes = new long[flows];
      for (int i = 0; i < stream.length; i++) {
        long size = 40 + Long.remainderUnsigned(Keys.hash(seed * 1_000_000L + i), 1_461);
        filter.addHash(hashes[stream[i]], size);
        bytes[stream[i]] += size;
      }
      long threshold = filter.total() / 1_000;
      double over = 0;
      int seen = 0;
      int heavy = 0;
      int missed = 0;
      int falseHeavy = 0;
      for (int i = 0; i < flows; i++) {
        long count = filter.countHash(hashes[i]);
        assertThat(count).isGreaterThanOrEqualTo(bytes[i]);
        if (bytes[i] > 0) {
          seen++;
          over += count - bytes[i];
        }
        heavy += bytes[i] >= threshold ? 1 : 0;
        missed += bytes[i] >= threshold && count < threshold ? 1 : 0;
        falseHeavy += bytes[i] < threshold && count >= threshold ? 1 : 0;
      }
      return new Run(over / seen, heavy, missed, falseHeavy);
    }
  }

  /**
   * 20 000 Zipf(1.1) flows, 300 000 packets of 40…1 500 bytes, 4 × 2 000 counters, 5 streams: the
   * mean over-count falls to 0.517 of plain (published ÷1.93), no heavy flow is missed. Means and
   * deviations are those of 20 other streams: 15,327 ± 117 bytes, conservative 7,922 ± 63, of
   * either 0.5169 ± 0.0018; 92 ± 1.7 heavy flows.
   */
  @Test
  void conservativeUpdateHalvesTheError() {
    double[] ratios = new double[5];
    for (int seed = 0; seed < ratios.length; seed++) {
      int[] stream = Zipf.stream(20_000, 1.1, 300_000, seed);
      Run plain = Run.of(filter(4, 2_000, false), stream, seed);
      Run careful = Run.of(filter(4, 2_000, true), stream, seed);
      ratios[seed] = careful.meanOver / plain.meanOver;
      assertThat(plain.meanOver).isCloseTo(15_327, within(5 * 117.0));
      assertThat(careful.meanOver).isCloseTo(7_922, within(5 * 63.0));
      assertThat(plain.heavy).isBetween(84, 100);
      assertThat(plain.missed + careful.missed).isZero();
      assertThat(careful.falseHeavy).isLessThanOrEqualTo(plain.falseHeavy).isLessThanOrEqualTo(2);
    }
    // Of 5 streams, and of the 20 that gave the expected value.
    double error = 0.0018 * Math.sqrt(1 / 5.0 + 1 / 20.0);
    assertThat(Rates.mean(ratios)).isCloseTo(0.5169, within(5 * error));
  }

  /** 100 000 keys that come once, error (0.001, 0.05): few counts are beyond the bound. */
  @Test
  void theErrorBoundHolds() {
    CountMinFilter filter = CountMinFilter.create(CountMinShape.forError(0.001, 0.05));
    assertThat(filter.shape()).isEqualTo(CountMinShape.of(3, 2_719));
    assertThat(filter.shape().delta()).isCloseTo(0.0498, within(5e-5));
    assertThat(filter.shape().epsilon()).isLessThanOrEqualTo(0.001).isGreaterThan(0.0009997);
    long[] keys = Keys.members(100_000);
    int[] stream = Zipf.stream(keys.length, 1, 200_000, 3);
    long[] counts = Zipf.counts(keys.length, stream);
    for (int key : stream) {
      filter.addHash(keys[key]);
    }
    assertThat(filter.total()).isEqualTo(200_000);
    assertThat(filter.errorBound()).isEqualTo(200);
    int beyond = 0;
    for (int i = 0; i < keys.length; i++) {
      beyond += filter.countHash(keys[i]) > counts[i] + filter.errorBound() ? 1 : 0;
    }
    Rates.assertRateAtMost(beyond, keys.length, filter.shape().delta(), 5);
  }

  /** Rule R4: 40 filters, 5 rows of 500, 400 keys, 5 000 outsiders each. */
  @Test
  void aFreshKeyHasACountAtThePredictedRate() {
    for (boolean conservative : new boolean[] {false, true}) {
      double[] rates = new double[40];
      for (int set = 0; set < rates.length; set++) {
        CountMinFilter filter = filter(5, 500, conservative);
        filter.addHashes(Keys.members(400, set), 0, 400);
        long[] hits = new long[5_000 / 64 + 1];
        int count = filter.mightContainHashes(Keys.outsiders(5_000, set), 0, 5_000, hits);
        rates[set] = count / 5_000.0;
        Rates.assertRate(count, 5_000, filter.falsePositiveRate(), 5);
      }
      double predicted = CountMinShape.of(5, 500).falsePositiveRate(400);
      assertThat(predicted).isCloseTo(Math.pow(1 - Math.pow(1 - 1 / 500.0, 400), 5), within(1e-12));
      Rates.assertMean(rates, predicted, 5, 0);
    }
  }

  @Test
  void shapesAreTheSmallestThatMeetTheRate() {
    for (long keys : new long[] {1, 2, 10, 1_000, 1_000_000}) {
      for (double rate : new double[] {0.5, 0.01, 1e-9}) {
        CountMinShape shape = CountMinShape.forKeys(keys, rate, 64);
        assertThat(shape.falsePositiveRate(keys)).isLessThanOrEqualTo(rate);
        for (int rows = 1; rows <= 40; rows++) {
          long width = (shape.rows() * shape.width() - 1) / rows;
          if (width > 0) {
            assertThat(CountMinShape.of(rows, width).falsePositiveRate(keys))
                .as("%d keys, rate %s, %d rows", keys, rate, rows)
                .isGreaterThan(rate);
          }
        }
      }
    }
    CountMinShape budget = CountMinShape.forBudget(1_000, 640_000, 64);
    assertThat(budget.sizeInBits()).isLessThanOrEqualTo(640_000).isGreaterThan(639_000);
    assertThat(budget.rows()).isEqualTo(7);
    assertThat(CountMinShape.forBudget(5, 64, 64)).isEqualTo(CountMinShape.of(1, 1));
  }

  @Test
  void merging() {
    long[] keys = Keys.members(2_000);
    int[] stream = Zipf.stream(keys.length, 1, 20_000, 1);
    long[] counts = Zipf.counts(keys.length, stream);
    for (boolean conservative : new boolean[] {false, true}) {
      CountMinFilter one = filter(4, 1_000, conservative);
      CountMinFilter two = filter(4, 1_000, conservative);
      CountMinFilter whole = filter(4, 1_000, conservative);
      for (int i = 0; i < stream.length; i++) {
        (i % 2 == 0 ? one : two).addHash(keys[stream[i]], 3);
        whole.addHash(keys[stream[i]], 3);
      }
      one.merge(two);
      assertThat(one.total()).isEqualTo(whole.total()).isEqualTo(60_000);
      if (!conservative) {
        assertThat(bytes(one)).isEqualTo(bytes(whole));
      }
      long merged = 0;
      long single = 0;
      for (int i = 0; i < keys.length; i++) {
        assertThat(one.countHash(keys[i])).isGreaterThanOrEqualTo(3 * counts[i]);
        merged += one.countHash(keys[i]);
        single += whole.countHash(keys[i]);
      }
      assertThat(merged).isGreaterThanOrEqualTo(single);
      one.merge(one);
      assertThat(one.total()).isEqualTo(60_000);
    }
    assertThatThrownBy(() -> filter(4, 1_000, true).merge(filter(4, 1_000, false)))
        .isInstanceOf(IncompatibleFiltersException.class);
  }

  /** 100 histories of 200 additions of small and huge amounts beside a map. */
  @Test
  void noHistoryCountsTooLow() {
    Property.check(
        71,
        100,
        draw -> {
          int counterBits = draw.oneOf(List.of(32, 64));
          CountMinFilter filter =
              filter(
                  draw.between(1, 6), draw.between(1L, 60L), counterBits, draw.between(0, 1) == 1);
          long most = counterBits == 32 ? 1L << 22 : 1L << 54;
          Map<Long, Long> model = new HashMap<>();
          for (int i = 0; i < 200; i++) {
            long hash = Keys.hash(draw.between(0, 50));
            long amount = draw.between(0L, draw.oneOf(List.of(3L, 1_000L, most)));
            filter.addHash(hash, amount);
            model.merge(hash, amount, Long::sum);
          }
          model.forEach(
              (hash, amount) ->
                  assertThat(filter.countHash(hash)).isGreaterThanOrEqualTo(amount.longValue()));
          assertThat(filter.total())
              .isEqualTo(model.values().stream().mapToLong(Long::longValue).sum());
          assertThat(filter.saturatedCounters()).isZero();
        });
  }

  @Test
  void saturationIsReported() {
    for (boolean conservative : new boolean[] {false, true}) {
      for (int bits : new int[] {8, 16, 32, 64}) {
        CountMinFilter filter = filter(3, 5, bits, conservative);
        long max = bits == 64 ? Long.MAX_VALUE : (1L << bits) - 1;
        assertThat(filter.maxCount()).isEqualTo(max);
        filter.addHash(1, max - 1);
        assertThat(filter.countHash(1)).isEqualTo(max - 1);
        assertThat(filter.saturatedCounters()).isZero();
        filter.addHash(1, 1);
        assertThat(filter.saturatedCounters()).isEqualTo(3);
        filter.addHash(1, Long.MAX_VALUE);
        assertThat(filter.countHash(1)).isEqualTo(max);
        assertThat(filter.addHash(1, 5)).isFalse();
        assertThat(filter.countHash(1)).isEqualTo(max);
      }
    }
    CountMinFilter wide = filter(4, 10, false);
    wide.addHash(7, 1L << 31);
    wide.addHash(7, 1L << 31);
    assertThat(wide.countHash(7)).isEqualTo(1L << 32);
  }

  /** Two threads, 200 000 additions of the same 50 keys each: with shared counters none is lost. */
  @Test
  void sharedCountersLoseNothing() {
    CountMinFilter filter = filter(4, 64, false);
    addByTwoThreads(filter);
    assertThat(filter.total()).isEqualTo(400_000);
  }

  /** Without atomic operations the same race loses additions: the test above would notice. */
  @Test
  void withoutTheAtomicAdditionsAreLost() {
    long lost = 0;
    for (int round = 0; round < 500 && lost == 0; round++) {
      CountMinFilter filter =
          CountMinFilter.create(CountMinShape.of(4, 64), Hasher.xxh3(), Writers.ONE);
      addByTwoThreads(filter);
      lost = 400_000 - filter.total();
    }
    assertThat(lost).isPositive();
  }

  private static void addByTwoThreads(CountMinFilter filter) {
    long[] keys = Keys.members(50);
    Race.run(
        2,
        thread -> {
          for (int i = 0; i < 200_000; i++) {
            filter.addHash(keys[i % 50]);
          }
        });
  }

  @Test
  void filesKeepCountsAndTotal(@TempDir Path directory) throws IOException {
    for (boolean conservative : new boolean[] {false, true}) {
      CountMinFilter filter = filter(3, 100, conservative);
      for (int i = 0; i < 500; i++) {
        filter.addHash(Keys.hash(i % 90), i);
      }
      Path file = directory.resolve("counts-" + conservative);
      filter.writeTo(file);
      CountMinFilter opened = Filters.open(file, ReadOptions.as(CountMinFilter.class));
      CountMinFilter mapped = Filters.map(file, ReadOptions.as(CountMinFilter.class));
      for (CountMinFilter again : List.of(opened, mapped, mapped.copy())) {
        assertThat(again.total()).isEqualTo(filter.total());
        assertThat(again.shape().conservative()).isEqualTo(conservative);
        for (int i = 0; i < 200; i++) {
          assertThat(again.countHash(Keys.hash(i))).isEqualTo(filter.countHash(Keys.hash(i)));
        }
      }
      assertThatThrownBy(() -> mapped.addHash(1, 0)).isInstanceOf(IllegalStateException.class);
      opened.addHash(5, 7);
      filter.addHash(5, 7);
      assertThat(bytes(opened)).isEqualTo(bytes(filter));
      opened.clear();
      assertThat(opened.total()).isZero();
      assertThat(opened.falsePositiveRate()).isZero();
    }
  }

  /** 4 rows of 4 000 and 2 000 keys: the mean estimate of the rows errs by 12 keys or so. */
  @Test
  void fillAndCardinality() {
    for (boolean conservative : new boolean[] {false, true}) {
      CountMinFilter filter = filter(4, 4_000, conservative);
      assertThat(filter.cardinality()).isZero();
      for (long hash : Keys.members(2_000)) {
        filter.addHash(hash, 17);
      }
      assertThat(filter.fillRatio())
          .isCloseTo(
              1 - BloomMath.zeroBitProbability(16_000, 2_000, 4),
              within(5 * BloomMath.fillStandardDeviation(16_000, 2_000, 4)));
      assertThat(filter.cardinality())
          .isCloseTo(2_000, within(5 * Estimates.cardinalityStandardDeviation(16_000, 4, 2_000)));
    }
  }

  @Test
  void argumentsOutsideTheirRangesAreRefused() {
    refused("width = 0", () -> CountMinShape.of(3, 0));
    refused("rows = 256", () -> CountMinShape.of(256, 3));
    refused("epsilon = 0.0", () -> CountMinShape.forError(0, 0.1));
    refused("delta = 1.0", () -> CountMinShape.forError(0.1, 1));
    refused("the limit", () -> CountMinShape.forError(1e-15, 0.1));
    refused("expectedKeys = -1", () -> CountMinFilter.create(-1, 0.01));
    refused("expectedKeys = 0", () -> CountMinShape.forBudget(0, 1_000));
    refused("bits = 63", () -> CountMinShape.forBudget(5, 63));
    refused(
        "counterBits = 12 is not one of 8, 16, 32, 64", () -> CountMinShape.forError(.1, .1, 12));
    refused(
        "writers = MANY and conservative = true exclude each other",
        () ->
            CountMinFilter.create(
                CountMinShape.of(3, 9).withConservativeUpdate(), Hasher.xxh3(), Writers.MANY));
    refused("outside", () -> CountMinShape.of(4, 1L << 40));
  }

  private static void refused(String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
  }

  @Test
  void thePlannerKnowsIt() {
    Plan plan =
        Planner.standard().plan(Needs.forKeys(100_000, 0.01).with(Need.COUNTS)).ranked().stream()
            .filter(each -> each.name().equals("count-min"))
            .findFirst()
            .orElseThrow();
    assertThat(plan.kind().type().getName()).isEqualTo(CountMinFilter.class.getName());
    assertThat(plan.shape()).isEqualTo(CountMinFilter.create(100_000, 0.01).shape());
    assertThat(plan.predictedRate()).isBetween(0.0099, 0.01);
    assertThat(plan.bitsPerKey()).isCloseTo(64 * 9.59, within(64 * 0.005));
  }
}
