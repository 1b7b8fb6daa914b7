package io.bloomery.frequency;

import static io.bloomery.testkit.Rates.assertRateAtMost;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FrequencyFilter;
import io.bloomery.frequency.HeavyHitters.Counted;
import io.bloomery.frequency.SpectralShape.Method;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * The heavy-hitters view of catalogue F1 to F3 and F8.
 *
 * <p>Measured here, of F1–F3, F8 (heavy hitters and iceberg query): top 20 of 20,000 Zipf(1.1) keys
 * right with room for 200; no key missed from {@code completeFrom} on; false heavies of the next
 * interval 28, with shielding 3.
 */
final class HeavyHittersTest {

  private static final Funnel<List<String>> WORDS = (words, into) -> words.forEach(into::put);

  private static CountMinFilter countMin(int rows, long width) {
    return CountMinFilter.create(CountMinShape.of(rows, width).withConservativeUpdate());
  }

  private static List<FrequencyFilter> filters() {
    List<FrequencyFilter> filters = new ArrayList<>();
    filters.add(countMin(4, 2_000));
    filters.add(CountMinFilter.create(CountMinShape.of(4, 2_000)));
    for (Method method : Method.values()) {
      filters.add(SpectralFilter.create(new SpectralShape(4, 2_000, 32, method)));
    }
    return filters;
  }

  /**
   * Hashes whose halves are equal lie in one place under a public function, where each of 50,000
   * searches would pass 25,000 slots. In a table at most half full it is 1.5 for random places, and
   * log n times as many for the worst set and a secret.
   */
  @Test
  void chosenHashesDoNotCrowd() {
    int keys = 50_000;
    HeavyHitters<byte[]> heavy = HeavyHitters.ofBytes(countMin(2, 1 << 18), keys);
    for (long i = 1; i <= keys; i++) {
      heavy.addHash(i << 32 | i, 1, () -> new byte[0]);
    }
    assertThat(heavy.top(keys)).hasSize(keys);
    assertThat(heavy.steps()).isLessThan(25L * keys);
  }

  /** 20 000 Zipf(1.1) keys, 300 000 events, room for 200 keys: the first 20 are the true ones. */
  @Test
  void theTopOfAZipfStream() {
    int[] stream = Zipf.stream(20_000, 1.1, 300_000, 5);
    long[] counts = Zipf.counts(20_000, stream);
    for (FrequencyFilter filter : filters()) {
      HeavyHitters<String> heavy = HeavyHitters.ofTexts(filter, 200);
      for (int key : stream) {
        heavy.add("flow " + key);
      }
      List<Counted<String>> top = heavy.top(20);
      Set<String> expected = new HashSet<>();
      for (int i = 0; i < 40; i++) {
        long own = counts[i];
        if (Arrays.stream(counts).filter(count -> count > own).count() < 20) {
          expected.add("flow " + i);
        }
      }
      assertThat(top).hasSize(20).isSortedAccordingTo(Comparator.comparingLong(c -> -c.count()));
      if (filter.isUpperBound()) {
        assertThat(top.stream().map(Counted::key)).isSubsetOf(expected);
        assertIceberg(heavy, counts);
      } else {
        // Ten keys per counter mark most of the marker: any key may be counted too low.
        long low = 0;
        for (int i = 0; i < counts.length; i++) {
          low += filter.count("flow " + i) < counts[i] ? 1 : 0;
        }
        assertRateAtMost(low, counts.length, ((SpectralFilter) filter).lowCountRate(), 5);
      }
    }
  }

  /** From {@code completeFrom} on no key is missed, and no count is too low. */
  private static void assertIceberg(HeavyHitters<String> heavy, long[] counts) {
    assertThat(heavy.keyCount()).isEqualTo(200);
    long threshold = heavy.completeFrom();
    assertThat(threshold).isLessThan(300);
    Map<String, Long> found = new HashMap<>();
    heavy.atLeast(threshold).forEach(each -> found.put(each.key(), each.count()));
    for (int i = 0; i < counts.length; i++) {
      String key = "flow " + i;
      assertThat(counts[i] < threshold || found.containsKey(key)).as(key).isTrue();
      assertThat(found.getOrDefault(key, counts[i])).isGreaterThanOrEqualTo(counts[i]);
      assertThat(heavy.count(key)).isGreaterThanOrEqualTo(counts[i]);
    }
  }

  /** 100 histories of 300 additions in small filters, some shielded, beside a map. */
  @Test
  void noHistoryMissesAHeavyKey() {
    Property.check(
        73,
        100,
        draw -> {
          FrequencyFilter filter = countMin(draw.between(1, 4), draw.between(5L, 60L));
          int capacity = draw.between(1, 12);
          HeavyHitters<Long> heavy = HeavyHitters.ofNumbers(filter, capacity);
          if (draw.between(0, 1) == 1) {
            heavy = heavy.shielded(draw.between(1L, 40L));
          }
          Map<Long, Long> model = new HashMap<>();
          for (int i = 0; i < 300; i++) {
            long key = Math.min(draw.between(0, 40), draw.between(0, 40));
            long times = draw.between(0L, 3L);
            model.merge(key, times, Long::sum);
            assertThat(heavy.add(key, times)).isGreaterThanOrEqualTo(model.get(key));
            check(heavy, model, capacity);
          }
          heavy.flush();
          model.forEach(
              (key, count) ->
                  assertThat(filter.count(key.longValue())).isGreaterThanOrEqualTo(count));
        });
  }

  private static void check(HeavyHitters<Long> heavy, Map<Long, Long> model, int capacity) {
    List<Counted<Long>> top = heavy.top(Integer.MAX_VALUE);
    assertThat(top).hasSize(heavy.keyCount()).hasSizeLessThanOrEqualTo(capacity);
    assertThat(top).isSortedAccordingTo(Comparator.comparingLong(each -> -each.count()));
    assertThat(top.stream().map(Counted::key)).doesNotHaveDuplicates();
    long complete = heavy.completeFrom();
    Set<Long> kept = new HashSet<>();
    for (Counted<Long> each : top) {
      kept.add(each.key());
      assertThat(each.count()).isEqualTo(heavy.count(each.key()));
      assertThat(each.least()).isLessThanOrEqualTo(model.get(each.key()));
    }
    model.forEach(
        (key, count) -> {
          assertThat(heavy.count(key)).isGreaterThanOrEqualTo(count);
          assertThat(kept.contains(key) || count < complete).isTrue();
        });
  }

  @Test
  void theSameStreamGivesTheSameList() {
    int[] stream = Zipf.stream(500, 0.7, 5_000, 2);
    List<List<Counted<Long>>> lists = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      HeavyHitters<Long> heavy = HeavyHitters.ofNumbers(countMin(3, 200), 50);
      for (int key : stream) {
        heavy.add((long) key);
      }
      lists.add(heavy.top(50));
    }
    assertThat(lists.get(0)).isEqualTo(lists.get(1)).hasSize(50);
  }

  @Test
  void ofEqualCountsTheFirstSeenAreKeptAndListedFirst() {
    HeavyHitters<String> heavy = HeavyHitters.ofTexts(countMin(4, 1_000), 3);
    for (String key : List.of("a", "b", "c", "d", "e")) {
      heavy.add(key, 2);
    }
    assertThat(heavy.top(9))
        .containsExactly(
            new Counted<>("a", 2, 2), new Counted<>("b", 2, 2), new Counted<>("c", 2, 2));
    assertThat(heavy.completeFrom()).isEqualTo(3);
    assertThat(heavy.add("e")).isEqualTo(3);
    assertThat(heavy.top(2)).containsExactly(new Counted<>("e", 3, 1), new Counted<>("a", 2, 2));
    assertThat(heavy.atLeast(3)).containsExactly(new Counted<>("e", 3, 1));
    assertThat(heavy.top(0)).isEmpty();
    assertThat(heavy.count("c")).isEqualTo(2);
    assertThat(heavy.count("z")).isZero();
  }

  /**
   * 20 000 Zipf(1.1) flows of 300 000 packets, 3 × 700 plain counters, two intervals: heavy flows
   * that are known from the first one no longer make light ones look heavy.
   */
  @Test
  void shieldingLeavesFewerFalseHeaviesInTheNextInterval() {
    long threshold = 300;
    HeavyHitters<Long> first =
        HeavyHitters.ofNumbers(CountMinFilter.create(CountMinShape.of(3, 700)), 2_000)
            .shielded(threshold);
    interval(first, Zipf.stream(20_000, 1.1, 300_000, 8), threshold);
    assertThat(((CountMinFilter) first.filter()).total()).isLessThan(150_000);

    int[] stream = Zipf.stream(20_000, 1.1, 300_000, 9);
    HeavyHitters<Long> shielded = first.next(CountMinFilter.create(CountMinShape.of(3, 700)));
    assertThat(shielded.top(2_000)).isEmpty();
    HeavyHitters<Long> plain =
        HeavyHitters.ofNumbers(CountMinFilter.create(CountMinShape.of(3, 700)), 2_000);
    int with = interval(shielded, stream, threshold);
    int without = interval(plain, stream, threshold);
    assertThat(without).isGreaterThan(10);
    assertThat(with).isLessThan(without / 2);
    assertThatThrownBy(
            () -> first.next(CountMinFilter.create(CountMinShape.forError(.1, .1), Hasher.xxh3(4))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Adds a stream; how many light keys look heavy. None that is heavy may be missed. */
  private static int interval(HeavyHitters<Long> heavy, int[] stream, long threshold) {
    for (int key : stream) {
      heavy.add((long) key);
    }
    long[] counts = Zipf.counts(20_000, stream);
    assertThat(heavy.completeFrom()).isLessThanOrEqualTo(threshold);
    int falseHeavies = 0;
    Set<Long> found = new HashSet<>();
    for (Counted<Long> each : heavy.atLeast(threshold)) {
      found.add(each.key());
      falseHeavies += counts[Math.toIntExact(each.key())] < threshold ? 1 : 0;
    }
    for (int i = 0; i < counts.length; i++) {
      assertThat(counts[i] < threshold || found.contains((long) i)).isTrue();
    }
    return falseHeavies;
  }

  /** A shielded key that is evicted returns its count to the filter. */
  @Test
  void anEvictedKeyKeepsItsCount() {
    CountMinFilter filter = countMin(4, 1_000);
    HeavyHitters<String> heavy = HeavyHitters.ofTexts(filter, 1).shielded(10);
    heavy.add("first", 10);
    heavy.add("first", 5);
    assertThat(filter.count("first")).isEqualTo(10);
    assertThat(heavy.count("first")).isEqualTo(15);
    heavy.add("second", 20);
    assertThat(heavy.top(1)).containsExactly(new Counted<>("second", 20, 20));
    assertThat(filter.count("first")).isEqualTo(15);
    heavy.add("second", 1);
    assertThat(filter.count("second")).isEqualTo(20);
    heavy.flush();
    assertThat(filter.count("second")).isEqualTo(21);
    heavy.flush();
    assertThat(filter.count("second")).isEqualTo(21);
    assertThat(heavy.filter()).isSameAs(filter);
  }

  @Test
  void afterAMergeTheKeysOfTheOtherAreOffered() {
    CountMinFilter one = CountMinFilter.create(CountMinShape.of(4, 1_000));
    CountMinFilter two = CountMinFilter.create(CountMinShape.of(4, 1_000));
    HeavyHitters<String> here = HeavyHitters.ofTexts(one, 2);
    HeavyHitters<String> there = HeavyHitters.ofTexts(two, 2);
    here.add("a", 5);
    here.add("b", 4);
    there.add("b", 9);
    there.add("c", 7);
    one.merge(two);
    for (HeavyHitters<String> side : List.of(here, there)) {
      side.top(2).forEach(each -> here.offer(each.key()));
    }
    assertThat(here.top(2)).containsExactly(new Counted<>("b", 13, 4), new Counted<>("c", 7, 0));
    assertThat(here.offer("unknown")).isZero();
  }

  @Test
  void objectsAreKeysByTheirHash() {
    HeavyHitters<List<String>> heavy = HeavyHitters.of(countMin(4, 1_000), 10, WORDS);
    heavy.add(List.of("ab", "c"));
    heavy.add(List.of("a", "bc"), 2);
    heavy.add(new ArrayList<>(List.of("a", "bc")));
    assertThat(heavy.top(5))
        .containsExactly(
            new Counted<>(List.of("a", "bc"), 3, 3), new Counted<>(List.of("ab", "c"), 1, 1));
    assertThat(heavy.capacity()).isEqualTo(10);
  }

  @Test
  void aKeyIsSuppliedOnlyWhenItIsNewlyKept() {
    HeavyHitters<byte[]> heavy = HeavyHitters.ofBytes(countMin(4, 1_000), 1);
    byte[] key = {1, 2};
    long hash = Hasher.xxh3().hash(key);
    assertThat(heavy.addHash(hash, 2, () -> key)).isEqualTo(2);
    Supplier<byte[]> unwanted =
        () -> {
          throw new AssertionError("asked for");
        };
    assertThat(heavy.addHash(hash, 1, unwanted)).isEqualTo(3);
    assertThat(heavy.addHash(5, 3, unwanted)).isEqualTo(3);
    assertThat(heavy.count(new byte[] {1, 2})).isEqualTo(3);
    assertThat(heavy.top(1)).containsExactly(new Counted<>(key, 3, 3));
    assertThatThrownBy(() -> heavy.addHash(hash, -1, unwanted)).hasMessageContaining("times = -1");
    assertThatThrownBy(() -> heavy.addHash(hash, 1, null)).hasMessage("key");
  }

  @Test
  void argumentsOutsideTheirRangesAreRefused() {
    CountMinFilter filter = countMin(2, 10);
    HeavyHitters<String> heavy = HeavyHitters.ofTexts(filter, 2);
    assertThatThrownBy(() -> HeavyHitters.ofTexts(filter, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacity = 0");
    assertThatThrownBy(() -> heavy.shielded(0)).hasMessageContaining("threshold = 0");
    assertThatThrownBy(() -> heavy.top(-1)).hasMessageContaining("k = -1");
    assertThatThrownBy(() -> heavy.add("x", -1)).hasMessageContaining("times = -1");
    assertThat(heavy.add("x", 0)).isZero();
    named("filter", () -> HeavyHitters.ofTexts(null, 2));
    named("funnel", () -> HeavyHitters.of(filter, 2, null));
    named("key", () -> heavy.add(null));
    named("key", () -> heavy.count(null));
    named("key", () -> HeavyHitters.ofNumbers(filter, 2).offer(null));
    assertThat(heavy.top(1)).isEmpty();
    heavy.add("x");
    assertThatThrownBy(() -> heavy.shielded(5)).isInstanceOf(IllegalStateException.class);
  }

  private static void named(String parameter, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(parameter);
  }
}
