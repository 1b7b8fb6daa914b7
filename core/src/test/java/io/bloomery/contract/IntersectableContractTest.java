package io.bloomery.contract;

import static io.bloomery.contract.FilterContractTest.assertNamed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.CardinalityFilter;
import io.bloomery.HashedFilter;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Intersectable;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every {@link Intersectable} filter promises. */
final class IntersectableContractTest {

  private static final String INTERSECTABLE = "io.bloomery.contract.Subjects#intersectable";

  private static final int OUTSIDERS = 2_000_000;
  private static final long[] LEFT = Keys.members(2_500, 1);
  private static final long[] RIGHT = Keys.members(3_500, 2);
  private static final long[] COMMON = Keys.members(1_500, 3);

  @SuppressWarnings("unchecked")
  private static Intersectable<CardinalityFilter> intersectable(HashedFilter filter) {
    return (Intersectable<CardinalityFilter>) filter;
  }

  private static long[] together(long[]... sets) {
    return Arrays.stream(sets).flatMapToLong(Arrays::stream).toArray();
  }

  @ParameterizedTest
  @MethodSource(INTERSECTABLE)
  void whatBothHoldStaysAndAnswersAreThoseOfBoth(Subject subject) {
    HashedFilter one = subject.of(together(LEFT, COMMON));
    HashedFilter two = subject.of(together(RIGHT, COMMON));
    long[] outsiders = Keys.outsiders(50_000);
    boolean[] ofOne = Subject.answers(one, outsiders);
    boolean[] ofTwo = Subject.answers(two, outsiders);
    intersectable(one).intersect(intersectable(two));
    assertThat(Subject.hits(one, COMMON)).isEqualTo(COMMON.length);
    boolean[] ofBoth = Subject.answers(one, outsiders);
    for (int i = 0; i < ofBoth.length; i++) {
      assertThat(ofBoth[i]).isEqualTo(ofOne[i] && ofTwo[i]);
    }
    assertThat(Subject.answers(two, outsiders)).as("the other is as it was").isEqualTo(ofTwo);
    assertThat(Subject.hits(two, RIGHT)).isEqualTo(RIGHT.length);
  }

  /**
   * No higher than of either filter, no lower than of the common keys' filter (Tarkoma et al., sec.
   * II-B), and what the filter says: overfilled filters of 25 000 and 20 000 keys, 10 000 of them
   * common; 2 000 000 outsiders, and the 15 000 keys of one side only, which the other must refuse.
   * What a blocked filter says leaves out that an outsider may have the mask of a member: 0.08 % of
   * the rate with blocks of 128 bits, 0.2 standard deviations.
   */
  @ParameterizedTest
  @MethodSource(INTERSECTABLE)
  void theRateIsBetweenThatOfTheCommonKeysAndThatOfEither(Subject subject) {
    long[] left = Keys.members(15_000, 4);
    long[] common = Keys.members(10_000, 5);
    HashedFilter one = subject.of(together(left, common));
    HashedFilter two = subject.of(together(Keys.members(10_000, 6), common));
    double ofTwo = two.falsePositiveRate();
    double least = Math.min(one.falsePositiveRate(), ofTwo);
    intersectable(one).intersect(intersectable(two));
    double rate = one.falsePositiveRate();
    assertThat(rate).isBetween(subject.of(common).falsePositiveRate(), least);
    int hits =
        one.mightContainHashes(
            Keys.outsiders(OUTSIDERS), 0, OUTSIDERS, new long[OUTSIDERS / 64 + 1]);
    Rates.assertRate(hits, OUTSIDERS, rate, 5);
    Rates.assertRate(Subject.hits(one, left), left.length, ofTwo, 5);
  }

  /** 30 pairs of sets: sizes are right on average, to within 0.2 % besides the scatter. */
  @ParameterizedTest
  @MethodSource(INTERSECTABLE)
  void sizesOfTheSetsTheirUnionAndIntersectionAreEstimated(Subject subject) {
    int pairs = 30;
    double[] set = new double[pairs];
    double[] union = new double[pairs];
    double[] common = new double[pairs];
    double[] different = new double[pairs];
    for (int i = 0; i < pairs; i++) {
      long[] shared = Keys.members(COMMON.length, 300 + i);
      HashedFilter one = subject.of(together(Keys.members(LEFT.length, 100 + i), shared));
      HashedFilter two = subject.of(together(Keys.members(RIGHT.length, 200 + i), shared));
      set[i] = intersectable(one).cardinality();
      double other = intersectable(two).cardinality();
      double fill = intersectable(one).fillRatio();
      union[i] = intersectable(one).unionCardinality(intersectable(two));
      common[i] = intersectable(one).intersectionCardinality(intersectable(two));
      different[i] = intersectable(one).symmetricDifferenceCardinality(intersectable(two));
      assertThat(intersectable(one).fillRatio()).as("nothing changed").isEqualTo(fill);
      assertThat(intersectable(two).cardinality()).isEqualTo(other);
      assertThat(intersectable(two).unionCardinality(intersectable(one))).isEqualTo(union[i]);
      assertThat(common[i]).isCloseTo(set[i] + other - union[i], within(1e-6));
      assertThat(different[i]).isCloseTo(union[i] - common[i], within(1e-6));
      intersectable(one).merge(intersectable(two));
      assertThat(intersectable(one).cardinality()).isEqualTo(union[i]);
    }
    Rates.assertMean(set, LEFT.length + COMMON.length, 5, 0.002);
    Rates.assertMean(union, LEFT.length + RIGHT.length + COMMON.length, 5, 0.002);
    Rates.assertMean(common, COMMON.length, 5, 0.002);
    Rates.assertMean(different, LEFT.length + RIGHT.length, 5, 0.002);
    assertThat(Rates.standardError(common) * Math.sqrt(pairs)).isLessThan(0.1 * COMMON.length);
  }

  @ParameterizedTest
  @MethodSource(INTERSECTABLE)
  void emptyFiltersHaveNoKeysAndFullOnesTooMany(Subject subject) {
    HashedFilter filter = subject.of();
    assertThat(intersectable(filter).cardinality()).isZero();
    assertThat(intersectable(filter).fillRatio()).isZero();
    HashedFilter full = subject.of(Keys.members(400_000));
    assertThat(intersectable(full).fillRatio()).isGreaterThan(0.999);
    assertThat(intersectable(full).cardinality()).isGreaterThan(80_000);
    intersectable(full).intersect(intersectable(filter));
    assertThat(intersectable(full).fillRatio()).isZero();
  }

  /** A filter and itself have everything in common; one without keys has nothing. */
  @ParameterizedTest
  @MethodSource(INTERSECTABLE)
  void sizesAtTheEnds(Subject subject) {
    Intersectable<CardinalityFilter> filter = intersectable(subject.of(LEFT));
    Intersectable<CardinalityFilter> same = intersectable(subject.of(LEFT));
    Intersectable<CardinalityFilter> empty = intersectable(subject.of());
    double size = filter.cardinality();
    assertThat(filter.unionCardinality(same)).isEqualTo(size);
    assertThat(filter.intersectionCardinality(same)).isCloseTo(size, within(1e-6));
    assertThat(filter.symmetricDifferenceCardinality(same)).isCloseTo(0, within(1e-6));
    assertThat(filter.unionCardinality(empty)).isEqualTo(size);
    assertThat(filter.intersectionCardinality(empty)).isCloseTo(0, within(1e-6));
    assertThat(filter.symmetricDifferenceCardinality(empty)).isCloseTo(size, within(1e-6));
  }

  @ParameterizedTest
  @MethodSource(INTERSECTABLE)
  void withItselfNothingChanges(Subject subject) {
    HashedFilter filter = subject.of(LEFT);
    double fill = intersectable(filter).fillRatio();
    intersectable(filter).intersect(intersectable(filter));
    assertThat(intersectable(filter).fillRatio()).isEqualTo(fill);
  }

  @ParameterizedTest
  @MethodSource(INTERSECTABLE)
  void othersAreRefusedByNameAndNothingChanges(Subject subject) {
    HashedFilter filter = subject.of(Hasher.xxh3(7), LEFT);
    assertRefused(filter, subject.of(Hasher.xxh3(9), LEFT), "seed 9");
    HashedFilter same = subject.of(LEFT);
    subject
        .otherShapes()
        .forEach((word, maker) -> assertRefused(same, maker.make(Subject.HASHER, RIGHT), word));
    assertNamed("other", () -> intersectable(filter).intersect(null));
    assertNamed("other", () -> intersectable(filter).unionCardinality(null));
  }

  private static void assertRefused(HashedFilter filter, HashedFilter other, String word) {
    double fill = intersectable(filter).fillRatio();
    assertThatThrownBy(() -> intersectable(filter).intersect(intersectable(other)))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining(word);
    assertThatThrownBy(
            () -> intersectable(filter).symmetricDifferenceCardinality(intersectable(other)))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining(word);
    assertThat(intersectable(filter).fillRatio()).isEqualTo(fill);
  }
}
