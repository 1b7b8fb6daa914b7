package io.bloomery.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bloom filters of other systems can be intersected bit by bit, and their keys estimated. */
final class ForeignIntersectionTest {

  static Stream<ForeignSubject> subjects() {
    return ForeignSubject.all().filter(s -> s.format().type() == ForeignBloomFilter.class);
  }

  private static ForeignBloomFilter read(ForeignSubject subject) throws IOException {
    return (ForeignBloomFilter) subject.format().read(subject.bytes());
  }

  private static byte[] key(int i) {
    byte[] key = new byte[20]; // what every system takes
    System.arraycopy(ForeignSubject.key(40 * i + 19), 0, key, 0, 20);
    return key;
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void theCommonBitsStay(ForeignSubject subject) throws IOException {
    ForeignBloomFilter more = read(subject);
    ForeignBloomFilter most = read(subject);
    for (int i = 0; i < 5; i++) {
      more.add(key(i));
      most.add(key(i));
      most.add(key(100 + i));
    }
    most.intersect(more);
    assertThat(ForeignSubject.written(most)).isEqualTo(ForeignSubject.written(more));
    most.intersect(read(subject));
    assertThat(most.bitsSet()).isEqualTo(read(subject).bitsSet());
    assertThat(subject.present()).allMatch(most::mightContain);
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void theNumberOfKeysIsEstimated(ForeignSubject subject) throws IOException {
    ForeignBloomFilter filter = read(subject);
    double before = filter.cardinality();
    if (filter.hashesPerKey() == 0) {
      assertThat(before).isZero();
      return;
    }
    int more = (int) (filter.sizeInBits() / filter.hashesPerKey() / 4);
    for (int i = 0; i < more; i++) {
      filter.add(key(i));
    }
    double deviation =
        Estimates.cardinalityStandardDeviation(
            filter.sizeInBits(), filter.hashesPerKey(), before + more);
    assertThat(filter.cardinality() - before).isCloseTo(more, within(5 * deviation));
    assertThat(filter.fillRatio()).isBetween(0.1, 1.0);
  }

  /** What the bits of the union say, whatever they are; nothing is written to either filter. */
  @ParameterizedTest
  @MethodSource("subjects")
  void sizesOfUnionIntersectionAndDifferenceAreEstimated(ForeignSubject subject)
      throws IOException {
    ForeignBloomFilter one = read(subject);
    ForeignBloomFilter two = read(subject);
    for (int i = 0; i < 10; i++) {
      (i % 2 == 0 ? one : two).add(key(i));
    }
    ForeignBloomFilter both = read(subject);
    both.merge(one);
    both.merge(two);
    double union = both.cardinality();
    assertThat(one.unionCardinality(two)).isEqualTo(union);
    assertThat(one.bitsSet()).isLessThanOrEqualTo(both.bitsSet());
    if (Double.isFinite(union)) {
      double sum = one.cardinality() + two.cardinality();
      assertThat(one.intersectionCardinality(two))
          .isCloseTo(Math.max(0, sum - union), within(1e-6));
      assertThat(one.symmetricDifferenceCardinality(two))
          .isCloseTo(Math.max(0, 2 * union - sum), within(1e-6));
    } else {
      assertThat(one.intersectionCardinality(two)).isNaN();
    }
  }

  @Test
  void anotherShapeIsRefused() throws IOException {
    ForeignBloomFilter[] filters = new ForeignBloomFilter[2];
    int found = 0;
    for (ForeignSubject subject : subjects().toList()) {
      if (found < 2 && (found == 0 || read(subject).sizeInBits() != filters[0].sizeInBits())) {
        filters[found++] = read(subject);
      }
    }
    assertThatThrownBy(() -> filters[0].intersect(filters[1]))
        .isInstanceOf(IncompatibleFiltersException.class);
  }
}
