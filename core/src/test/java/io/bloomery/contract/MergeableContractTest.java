package io.bloomery.contract;

import static io.bloomery.contract.FilterContractTest.assertNamed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.AddableFilter;
import io.bloomery.HashedFilter;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Mergeable;
import io.bloomery.RemovableFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Keys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every {@link Mergeable} filter promises, and what {@code copy()} does. */
final class MergeableContractTest {

  private static final String MERGEABLE = "io.bloomery.contract.Subjects#mergeable";
  private static final String COPYABLE = "io.bloomery.contract.Subjects#copyable";

  private static final long[] ONE = Keys.members(3_000, 1);
  private static final long[] TWO = Keys.members(4_000, 2);
  private static final long[] OUTSIDERS = Keys.outsiders(50_000);

  @SuppressWarnings("unchecked")
  private static Mergeable<HashedFilter> mergeable(HashedFilter filter) {
    return (Mergeable<HashedFilter>) filter;
  }

  @ParameterizedTest
  @MethodSource(MERGEABLE)
  void mergeIsTheUnionOfKeys(Subject subject) {
    HashedFilter one = subject.of(ONE);
    HashedFilter two = subject.of(TWO);
    boolean[] ofOne = Subject.answers(one, OUTSIDERS);
    boolean[] ofTwo = Subject.answers(two, OUTSIDERS);
    double rateOfOne = one.falsePositiveRate();
    double rateOfTwo = two.falsePositiveRate();
    assertThat(mergeable(one).isCompatible(two)).isTrue();
    mergeable(one).merge(two);

    assertThat(Subject.hits(one, ONE)).isEqualTo(ONE.length);
    assertThat(Subject.hits(one, TWO)).isEqualTo(TWO.length);
    assertThat(one.falsePositiveRate()).isGreaterThanOrEqualTo(Math.max(rateOfOne, rateOfTwo));
    boolean[] merged = Subject.answers(one, OUTSIDERS);
    for (int i = 0; i < merged.length; i++) {
      assertThat(merged[i] || !(ofOne[i] || ofTwo[i])).isTrue();
    }
    assertThat(Subject.answers(two, OUTSIDERS)).as("the other is as it was").isEqualTo(ofTwo);
    assertThat(two.falsePositiveRate()).isEqualTo(rateOfTwo);
  }

  /** The rate of a merged filter is that of 7 000 keys, 500 000 queries. */
  @ParameterizedTest
  @MethodSource(MERGEABLE)
  void theMergedRateIsWhatTheFilterSays(Subject subject) {
    HashedFilter filter = subject.of(ONE);
    mergeable(filter).merge(subject.of(TWO));
    long[] outsiders = Keys.outsiders(500_000);
    int hits = filter.mightContainHashes(outsiders, 0, 500_000, new long[500_000 / 64 + 1]);
    double rate = filter.falsePositiveRate();
    FilterContractTest.assertRate(hits, 500_000, rate);
  }

  /**
   * 3 000 and 3 000 keys, 1 500 of them in both: removing half of one side removes no other key.
   */
  @ParameterizedTest
  @MethodSource("io.bloomery.contract.Subjects#removableAndMergeable")
  void removalsAfterAMergeLoseNoOtherKey(Subject subject) {
    long[] all = Keys.members(4_500, 3);
    long[] low = Arrays.copyOf(all, 3_000);
    long[] high = Arrays.copyOfRange(all, 1_500, 4_500);
    for (long[][] sides : new long[][][] {{low, high}, {high, low}}) {
      RemovableFilter filter = (RemovableFilter) subject.of(low);
      mergeable(filter).merge(subject.of(high));
      for (int i = 0; i < 3_000; i += 2) {
        filter.removeHash(sides[0][i]);
      }
      assertThat(Subject.hits(filter, sides[1])).isEqualTo(3_000);
      assertThat(IntStream.range(0, 1_500).mapToLong(i -> sides[0][2 * i + 1]))
          .allMatch(filter::mightContainHash);
    }
  }

  @ParameterizedTest
  @MethodSource(MERGEABLE)
  void mergingWithItselfOrWithNothingChangesNothing(Subject subject) {
    HashedFilter filter = subject.of(ONE);
    boolean[] before = Subject.answers(filter, OUTSIDERS);
    double rate = filter.falsePositiveRate();
    mergeable(filter).merge(filter);
    mergeable(filter).merge(subject.of());
    assertThat(Subject.answers(filter, OUTSIDERS)).isEqualTo(before);
    assertThat(filter.falsePositiveRate()).isEqualTo(rate);

    HashedFilter empty = subject.of();
    mergeable(empty).merge(filter);
    assertThat(Subject.answers(empty, OUTSIDERS)).isEqualTo(before);
    assertThat(empty.falsePositiveRate()).isEqualTo(rate);
  }

  /** Not only the answers: counts, marks and sizes are as they were, too. */
  @ParameterizedTest
  @MethodSource(MERGEABLE)
  void mergingWithItselfLeavesEveryStoredByte(Subject subject) throws IOException {
    HashedFilter filter = subject.of(ONE);
    if (filter instanceof Storable storable) {
      byte[] before = stored(storable);
      mergeable(filter).merge(filter);
      assertThat(stored(storable)).isEqualTo(before);
    }
  }

  private static byte[] stored(Storable filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  @ParameterizedTest
  @MethodSource(MERGEABLE)
  void otherHashersAreRefusedByName(Subject subject) {
    HashedFilter filter = subject.of(Hasher.xxh3(7), ONE);
    assertRefused(filter, subject.of(Hasher.xxh3(9), TWO), "seed 7", "seed 9");
    assertRefused(filter, subject.of(Hasher.keyed(new byte[16]), TWO), "XXH3", "SipHash");
  }

  @ParameterizedTest
  @MethodSource(MERGEABLE)
  void otherShapesAreRefusedByName(Subject subject) {
    HashedFilter filter = subject.of(ONE);
    assertThat(subject.kind() == null || !subject.otherShapes().isEmpty())
        .as("Subjects names shapes that differ")
        .isTrue();
    subject
        .otherShapes()
        .forEach((word, maker) -> assertRefused(filter, maker.make(Subject.HASHER, TWO), word));
  }

  private static void assertRefused(HashedFilter filter, HashedFilter other, String... words) {
    boolean[] before = Subject.answers(filter, OUTSIDERS);
    double rate = filter.falsePositiveRate();
    assertThat(mergeable(filter).isCompatible(other)).isFalse();
    assertThat(mergeable(other).isCompatible(filter)).isFalse();
    assertThatThrownBy(() -> mergeable(filter).merge(other))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContainingAll(words);
    assertThat(Subject.answers(filter, OUTSIDERS)).isEqualTo(before);
    assertThat(filter.falsePositiveRate()).isEqualTo(rate);
  }

  @ParameterizedTest
  @MethodSource(MERGEABLE)
  void aNullArgumentIsNamed(Subject subject) {
    HashedFilter filter = subject.of(ONE);
    assertNamed("other", () -> mergeable(filter).merge(null));
    assertNamed("other", () -> mergeable(filter).isCompatible(null));
  }

  @ParameterizedTest
  @MethodSource(COPYABLE)
  void aCopyIsIndependent(Subject subject) {
    AddableFilter filter = (AddableFilter) subject.of(ONE);
    AddableFilter copy = (AddableFilter) Subjects.copy(filter);
    boolean[] before = Subject.answers(filter, OUTSIDERS);
    boolean[] ofTwo = Subject.answers(filter, TWO);
    double rate = filter.falsePositiveRate();
    assertThat(copy.hasher()).isEqualTo(filter.hasher());
    assertThat(copy.sizeInBits()).isEqualTo(filter.sizeInBits());
    assertThat(Subject.answers(copy, OUTSIDERS)).isEqualTo(before);

    copy.addHashes(TWO, 0, TWO.length);
    assertThat(Subject.hits(copy, TWO)).isEqualTo(TWO.length);
    assertThat(Subject.answers(filter, TWO)).isEqualTo(ofTwo);
    assertThat(Subject.answers(filter, OUTSIDERS)).isEqualTo(before);
    assertThat(filter.falsePositiveRate()).isEqualTo(rate);

    AddableFilter second = (AddableFilter) Subjects.copy(filter);
    filter.addHashes(TWO, 0, TWO.length);
    assertThat(Subject.answers(second, TWO)).isEqualTo(ofTwo);
    assertThat(Subject.answers(second, OUTSIDERS)).isEqualTo(before);
    assertThat(second.falsePositiveRate()).isEqualTo(rate);
    assertThat(Subject.hits(second, ONE)).isEqualTo(ONE.length);
  }
}
