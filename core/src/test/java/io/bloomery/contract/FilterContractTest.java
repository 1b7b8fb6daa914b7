package io.bloomery.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.Filter;
import io.bloomery.HashedFilter;
import io.bloomery.hash.Funnel;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every {@link Filter} promises. */
final class FilterContractTest {

  private static final String ALL = "io.bloomery.contract.Subjects#all";
  private static final Funnel<String> FUNNEL = (text, into) -> into.put(text);
  private static final long[] OUTSIDERS = Keys.outsiders(1_000_000);

  /** Rule R1 with 10 000 members. */
  @ParameterizedTest
  @MethodSource(ALL)
  void noMemberIsMissed(Subject subject) {
    long[] members = Keys.members(Subject.KEYS);
    assertThat(Subject.hits(subject.of(members), members)).isEqualTo(Subject.KEYS);
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void anEmptyFilterHoldsNothing(Subject subject) {
    Filter filter = subject.of();
    assertThat(Subject.hits(subject.of(), Keys.outsiders(10_000))).isZero();
    assertThat(filter.mightContain("")).isFalse();
    assertThat(filter.mightContain(0)).isFalse();
    assertThat(filter.falsePositiveRate()).isZero();
  }

  /** Rule R3: 1 000 000 outsiders, within 5 standard deviations of the filter's own word. */
  @ParameterizedTest
  @MethodSource(ALL)
  void theRateIsWhatTheFilterSays(Subject subject) {
    for (int keys : new int[] {Subject.KEYS, Subject.KEYS * 3 / 2}) {
      HashedFilter filter = subject.of(Keys.members(keys));
      double rate = filter.falsePositiveRate();
      int queries = keys == Subject.KEYS ? OUTSIDERS.length : 200_000;
      long[] hits = new long[(queries + 63) / 64];
      int count = filter.mightContainHashes(OUTSIDERS, 0, queries, hits);
      assertRate(count, queries, rate);
    }
  }

  /** From both sides where a sample can tell, from above for rates that are too small. */
  static void assertRate(int hits, int queries, double rate) {
    if (rate * queries >= 500 || rate == 0) {
      Rates.assertRate(hits, queries, rate, 5);
    } else {
      Rates.assertRateAtMost(hits, queries, rate, 5);
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void theRateRisesWithTheKeys(Subject subject) {
    double before = 0;
    for (int keys : new int[] {1, 10, 100, 1_000, 5_000, 10_000, 20_000}) {
      double rate = subject.of(Keys.members(keys)).falsePositiveRate();
      assertThat(rate).as("%d keys", keys).isBetween(before, 1.0);
      before = rate;
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void theSizeIsKnown(Subject subject) {
    assertThat(subject.of(Keys.members(100)).sizeInBits()).isPositive();
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aNullArgumentIsNamed(Subject subject) {
    Filter filter = subject.of(Keys.members(100));
    assertNamed("key", () -> filter.mightContain((CharSequence) null));
    assertNamed("key", () -> filter.mightContain((byte[]) null));
    assertNamed("bytes", () -> filter.mightContain(null, 0, 0));
    assertNamed("key", () -> filter.mightContain(null, FUNNEL));
    assertNamed("funnel", () -> filter.mightContain("a", (Funnel<String>) null));
  }

  static void assertNamed(String parameter, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(parameter);
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void rangesOutsideOfTheArrayAreRefused(Subject subject) {
    Filter filter = subject.of(Keys.members(100));
    for (int[] range : new int[][] {{-1, 1}, {0, 5}, {5, 0}, {3, 2}, {2, -1}}) {
      assertThatThrownBy(() -> filter.mightContain(new byte[4], range[0], range[1]))
          .as(Arrays.toString(range))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
