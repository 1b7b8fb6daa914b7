package io.bloomery.contract;

import static io.bloomery.contract.FilterContractTest.assertNamed;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FrequencyFilter;
import io.bloomery.hash.Funnel;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every {@link FrequencyFilter} promises. */
final class FrequencyFilterContractTest {

  private static final String FREQUENCY = "io.bloomery.contract.Subjects#frequency";
  private static final String NEVER_LOW = "io.bloomery.contract.Subjects#neverLow";
  private static final String ONE_BY_ONE = "io.bloomery.contract.Subjects#oneByOne";
  private static final Funnel<String> FUNNEL = (text, into) -> into.put(text).put(7L);

  private static long[] counts(FrequencyFilter filter, long[] hashes) {
    return Arrays.stream(hashes).map(filter::countHash).toArray();
  }

  /** 10 000 members and as many outsiders. */
  @ParameterizedTest
  @MethodSource(FREQUENCY)
  void theCountIsZeroIfAndOnlyIfTheKeyIsAbsent(Subject subject) {
    FrequencyFilter filter = (FrequencyFilter) subject.of(Keys.members(Subject.KEYS));
    for (long[] hashes : new long[][] {Keys.members(10_000), Keys.outsiders(10_000)}) {
      for (long hash : hashes) {
        long count = filter.countHash(hash);
        assertThat(count).isNotNegative();
        assertThat(count > 0).isEqualTo(filter.mightContainHash(hash));
      }
    }
    assertThat(counts(subject.empty(FrequencyFilter.class), Keys.members(1_000))).containsOnly(0);
  }

  /** 10 000 keys, key i added 1 + i mod 5 times; within 5 standard deviations of the share. */
  @ParameterizedTest
  @MethodSource(FREQUENCY)
  void countsAreOffByNoMoreThanTheFilterSays(Subject subject) {
    long[] keys = Keys.members(Subject.KEYS);
    FrequencyFilter filter = subject.empty(FrequencyFilter.class);
    long total = 0;
    for (int i = 0; i < keys.length; i++) {
      filter.addHash(keys[i], 1 + i % 5);
      total += 1 + i % 5;
    }
    if (filter.countError().isEmpty()) {
      return;
    }
    FrequencyFilter.CountError error = filter.countError().get();
    assertThat(error.total()).isEqualTo(total);
    assertThat(error.saturatedCounters()).isZero();
    int higher = 0;
    for (int i = 0; i < keys.length; i++) {
      higher += filter.countHash(keys[i]) > 1 + i % 5 + error.tooHighByAtMost() ? 1 : 0;
    }
    double share = error.exceptForShare();
    double deviation = Math.sqrt(keys.length * share * (1 - share));
    assertThat((double) higher).isLessThanOrEqualTo(keys.length * share + 5 * deviation);
  }

  /** 2 000 keys, key i added 1 + i mod 5 times, in rounds. */
  @ParameterizedTest
  @MethodSource(NEVER_LOW)
  void noCountIsTooLow(Subject subject) {
    long[] keys = Keys.members(2_000);
    FrequencyFilter filter = subject.empty(FrequencyFilter.class);
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < keys.length; i++) {
        if (i % 5 >= round) {
          filter.addHash(keys[i]);
        }
      }
    }
    for (int i = 0; i < keys.length; i++) {
      assertThat(filter.countHash(keys[i])).as("key %d", i).isGreaterThanOrEqualTo(1 + i % 5);
    }
  }

  /** 30 histories of 300 additions of up to 5 times, of keys that come again, beside a map. */
  @ParameterizedTest
  @MethodSource(NEVER_LOW)
  void noHistoryCountsTooLow(Subject subject) {
    Property.check(
        60,
        30,
        draw -> {
          FrequencyFilter filter = subject.empty(FrequencyFilter.class);
          Map<Long, Long> model = new HashMap<>();
          for (int step = 0; step < 300; step++) {
            long hash = draw.between(0, 1) == 0 ? draw.anyLong() : Keys.hash(draw.between(0, 20));
            long times = draw.between(0L, 5L);
            boolean absent = filter.countHash(hash) == 0;
            assertThat(absent && model.getOrDefault(hash, 0L) > 0).isFalse();
            assertThat(filter.addHash(hash, times)).isEqualTo(absent && times > 0);
            model.merge(hash, times, Long::sum);
            assertNotTooLow(filter, hash, model.get(hash));
          }
          model.forEach((hash, count) -> assertNotTooLow(filter, hash, count));
        });
  }

  /**
   * Kinds that may count too low say so; a spectral filter does, although it is hardly ever wrong.
   */
  @ParameterizedTest
  @MethodSource(FREQUENCY)
  void onlyCountsThatAreNeverTooLowAreUpperBounds(Subject subject) {
    FrequencyFilter filter = subject.empty(FrequencyFilter.class);
    boolean recurring = subject.toString().contains("RECURRING_MINIMUM");
    assertThat(filter.isUpperBound())
        .isEqualTo(Subjects.neverLow().contains(subject) && !recurring);
  }

  private static void assertNotTooLow(FrequencyFilter filter, long hash, long count) {
    assertThat(filter.countHash(hash))
        .isGreaterThanOrEqualTo(Math.min(count, filter.maxCount()))
        .isLessThanOrEqualTo(filter.maxCount());
  }

  /** 1 000 keys in a filter for ten times as many: nearly all counts are right. */
  @ParameterizedTest
  @MethodSource(NEVER_LOW)
  void fewCountsAreTooHighInALargeFilter(Subject subject) {
    long[] keys = Keys.members(1_000);
    FrequencyFilter filter = subject.empty(FrequencyFilter.class);
    for (long hash : keys) {
      filter.addHash(hash, 2);
    }
    assertThat(Arrays.stream(counts(filter, keys)).filter(count -> count != 2).count())
        .isLessThanOrEqualTo(200);
  }

  /** 500 keys, each 0…7 times at once in one filter and one by one in the other. */
  @ParameterizedTest
  @MethodSource(ONE_BY_ONE)
  void addingSeveralTimesIsAddingOneByOne(Subject subject) {
    long[] keys = Keys.members(500);
    long[] outsiders = Keys.outsiders(5_000);
    FrequencyFilter atOnce = subject.empty(FrequencyFilter.class);
    FrequencyFilter single = subject.empty(FrequencyFilter.class);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < keys.length; i++) {
        boolean isNew = atOnce.addHash(keys[i], i % 8);
        boolean first = false;
        for (int j = 0; j < i % 8; j++) {
          first |= single.addHash(keys[i]);
        }
        assertThat(isNew).isEqualTo(first);
      }
    }
    assertThat(counts(atOnce, keys)).isEqualTo(counts(single, keys));
    assertThat(counts(atOnce, outsiders)).isEqualTo(counts(single, outsiders));
    assertThat(atOnce.falsePositiveRate()).isEqualTo(single.falsePositiveRate());
  }

  @ParameterizedTest
  @MethodSource(FREQUENCY)
  void noTimesChangeNothing(Subject subject) {
    long[] members = Keys.members(1_000);
    long[] outsiders = Keys.outsiders(1_000);
    FrequencyFilter filter = (FrequencyFilter) subject.of(members);
    long[] before = counts(filter, members);
    long[] outside = counts(filter, outsiders);
    double rate = filter.falsePositiveRate();
    for (int i = 0; i < members.length; i++) {
      assertThat(filter.addHash(members[i], 0)).isFalse();
      assertThat(filter.addHash(outsiders[i], 0)).isFalse();
    }
    assertThat(counts(filter, members)).isEqualTo(before);
    assertThat(counts(filter, outsiders)).isEqualTo(outside);
    assertThat(filter.falsePositiveRate()).isEqualTo(rate);
  }

  @ParameterizedTest
  @MethodSource(FREQUENCY)
  void negativeTimesAreRefusedAndChangeNothing(Subject subject) {
    FrequencyFilter filter = subject.empty(FrequencyFilter.class);
    for (long times : new long[] {-1, Integer.MIN_VALUE, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> filter.addHash(1, times))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("times = " + times);
      assertThatThrownBy(() -> filter.add("key", times))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(filter.countHash(1)).isZero();
    assertThat(filter.falsePositiveRate()).isZero();
  }

  /** A key that was added in any form has one count in every form. */
  @ParameterizedTest
  @MethodSource(FREQUENCY)
  void allFormsOfAKeyAreTheSameKey(Subject subject) {
    FrequencyFilter filter = subject.empty(FrequencyFilter.class);
    byte[] bytes = "key".getBytes(UTF_8);
    byte[] shifted = "<key>".getBytes(UTF_8);
    filter.add("key", 1);
    filter.add(bytes, 1);
    filter.add(shifted, 1, 3, 1);
    filter.add("key");
    long count = filter.countHash(filter.hasher().hash("key"));
    assertThat(count).isPositive();
    assertThat(filter.count("key")).isEqualTo(count);
    assertThat(filter.count(bytes)).isEqualTo(count);
    assertThat(filter.count(shifted, 1, 3)).isEqualTo(count);
    assertThat(filter.count("another key")).isZero();

    assertThat(filter.add(258L, 2)).isTrue();
    assertThat(filter.count(258L)).isPositive();
    assertThat(filter.count(new byte[] {2, 1, 0, 0, 0, 0, 0, 0})).isEqualTo(filter.count(258L));
    assertThat(filter.add("object", FUNNEL, 2)).isTrue();
    assertThat(filter.count("object", FUNNEL)).isPositive();
    assertThat(filter.count("object")).isZero();
    assertThat(filter.count("")).isZero();
    assertThat(filter.add("", 2)).isTrue();
    assertThat(filter.count(new byte[0])).isEqualTo(filter.count("")).isPositive();
  }

  @ParameterizedTest
  @MethodSource(FREQUENCY)
  void aNullArgumentIsNamed(Subject subject) {
    FrequencyFilter filter = subject.empty(FrequencyFilter.class);
    assertNamed("key", () -> filter.count((CharSequence) null));
    assertNamed("key", () -> filter.count((byte[]) null));
    assertNamed("bytes", () -> filter.count(null, 0, 0));
    assertNamed("key", () -> filter.count(null, FUNNEL));
    assertNamed("funnel", () -> filter.count("a", (Funnel<String>) null));
    assertNamed("key", () -> filter.add((CharSequence) null, 1L));
    assertNamed("key", () -> filter.add((byte[]) null, 1L));
    assertNamed("bytes", () -> filter.add(null, 0, 0, 1L));
    assertNamed("key", () -> filter.add(null, FUNNEL, 1L));
    assertNamed("funnel", () -> filter.add("a", (Funnel<String>) null, 1L));
    assertThat(filter.falsePositiveRate()).isZero();
  }
}
