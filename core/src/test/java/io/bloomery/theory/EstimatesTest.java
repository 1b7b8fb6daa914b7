package io.bloomery.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Measured here, of A.3 (cardinality of sets, unions, intersections and differences, with
 * deviations): the estimates of two sets have the variance of the estimate of their intersection as
 * covariance, so that an intersection deviates by √(V(A ∪ B) - V(A) - V(B) + 2·V(A ∩ B)): 4,000
 * pairs of filters agree within 1.1 %.
 */
class EstimatesTest {

  private static final int M = 1 << 16;
  private static final int K = 7;

  private static BitSet filter(SplittableRandom random, int keys) {
    BitSet bits = new BitSet(M);
    for (int i = 0; i < keys * K; i++) {
      bits.set(random.nextInt(M));
    }
    return bits;
  }

  @Test
  void relativeDeviationsOfSectionA3() {
    // Catalogue A.3: 0.28 % at m = 2^16, k = 7, n = 1000 and 0.34 % at n = 10 000.
    assertThat(Estimates.cardinalityStandardDeviation(M, K, 1000) / 1000)
        .isCloseTo(0.0028, within(0.00005));
    assertThat(Estimates.cardinalityStandardDeviation(M, K, 10_000) / 10_000)
        .isCloseTo(0.0034, within(0.00005));
  }

  @Test
  void cardinalityIsWithinItsOwnDeviation_bothSides() {
    SplittableRandom random = Seeds.random(3);
    for (int n : new int[] {1000, 10_000}) {
      double sd = Estimates.cardinalityStandardDeviation(M, K, n);
      double squares = 0;
      int rounds = 200;
      for (int i = 0; i < rounds; i++) {
        double estimate = Estimates.cardinality(M, K, filter(random, n).cardinality());
        assertThat(estimate).isCloseTo(n, within(5 * sd));
        squares += (estimate - n) * (estimate - n);
      }
      // The sample deviation of 200 rounds is within 25 % (5 sd of its own) of the prediction.
      assertThat(Math.sqrt(squares / rounds)).isCloseTo(sd, within(0.25 * sd));
    }
  }

  @Test
  void emptyAndFullFilters() {
    assertThat(Estimates.cardinality(M, K, 0)).isZero();
    assertThat(Estimates.cardinality(M, K, M)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(Estimates.cardinality(M, K, M - 1)).isCloseTo(M * Math.log(M) / K, within(1e-6));
    assertThat(Estimates.cardinalityStandardDeviation(M, K, 0)).isZero();
    assertThat(Estimates.partitionedCardinality(64, 64)).isEqualTo(Double.POSITIVE_INFINITY);
  }

  @Test
  void unionAndIntersection() {
    SplittableRandom random = Seeds.random(11);
    BitSet both = filter(random, 3000);
    BitSet a = filter(random, 7000);
    a.or(both);
    BitSet b = filter(random, 5000);
    b.or(both);
    BitSet or = (BitSet) a.clone();
    or.or(b);
    int xa = a.cardinality();
    int xb = b.cardinality();
    int xor = or.cardinality();
    double sdOr = Estimates.cardinalityStandardDeviation(M, K, 15_000);
    assertThat(Estimates.union(M, K, xor)).isCloseTo(15_000, within(5 * sdOr));
    double shared = Estimates.intersection(M, K, xa, xb, xor);
    double sd = Estimates.intersectionStandardDeviation(M, K, 10_000, 8_000, 15_000);
    assertThat(shared).isCloseTo(3000, within(5 * sd));
    // The inner-product form is the same number but for 1 + 1/2m.
    assertThat(Estimates.innerProductIntersection(M, K, xa, xb, xor) / shared)
        .isCloseTo(1 - 0.5 / M, within(1e-9));
  }

  /** Equal sets have one estimate, which is that of their intersection, and no difference. */
  @Test
  void deviationsOfEqualAndOfDisjointSets() {
    double one = Estimates.cardinalityStandardDeviation(M, K, 10_000);
    assertThat(Estimates.intersectionStandardDeviation(M, K, 10_000, 10_000, 10_000))
        .isCloseTo(one, within(1e-9));
    assertThat(Estimates.symmetricDifferenceStandardDeviation(M, K, 10_000, 10_000, 10_000))
        .isCloseTo(0, within(1e-5));
    double both = Estimates.cardinalityStandardDeviation(M, K, 20_000);
    assertThat(Estimates.intersectionStandardDeviation(M, K, 10_000, 10_000, 20_000))
        .isCloseTo(Math.sqrt(both * both - 2 * one * one), within(1e-9));
  }

  /**
   * The standard deviations of 4,000 pairs of filters: sets of 600 and 480 keys with 180 in common,
   * m = 4096, k = 7. That of a sample of normal values scatters by 1/√(2·4000), 1.1 %.
   */
  @Test
  void deviationsOfIntersectionsAndDifferencesAreMet() {
    SplittableRandom random = Seeds.random(12);
    int m = 4096;
    int pairs = 4_000;
    double[] union = new double[pairs];
    double[] common = new double[pairs];
    double[] different = new double[pairs];
    for (int i = 0; i < pairs; i++) {
      BitSet both = throwInto(random, m, 180 * K);
      BitSet a = throwInto(random, m, 420 * K);
      a.or(both);
      BitSet b = throwInto(random, m, 300 * K);
      b.or(both);
      double ofA = Estimates.cardinality(m, K, a.cardinality());
      double ofB = Estimates.cardinality(m, K, b.cardinality());
      a.or(b);
      union[i] = Estimates.union(m, K, a.cardinality());
      common[i] = Estimates.intersection(ofA, ofB, union[i]);
      different[i] = Estimates.symmetricDifference(ofA, ofB, union[i]);
    }
    double ofCommon = Estimates.intersectionStandardDeviation(m, K, 600, 480, 900);
    assertDeviation(union, Estimates.cardinalityStandardDeviation(m, K, 900));
    assertDeviation(common, ofCommon);
    assertDeviation(different, Estimates.symmetricDifferenceStandardDeviation(m, K, 600, 480, 900));
    Rates.assertMean(common, 180, 5, 0);
    Rates.assertMean(different, 720, 5, 0);
    // As if the three estimates were independent, it would be far too wide.
    double apart =
        Math.hypot(
            Estimates.cardinalityStandardDeviation(m, K, 900),
            Math.hypot(
                Estimates.cardinalityStandardDeviation(m, K, 600),
                Estimates.cardinalityStandardDeviation(m, K, 480)));
    assertThat(apart).isGreaterThan(1.3 * ofCommon);
  }

  private static void assertDeviation(double[] samples, double expected) {
    double measured = Rates.standardError(samples) * Math.sqrt(samples.length);
    assertThat(measured).isCloseTo(expected, within(expected * 5 / Math.sqrt(2 * samples.length)));
  }

  @Test
  void aFullUnionTellsNothing() {
    double full = Double.POSITIVE_INFINITY;
    assertThat(Estimates.intersection(5, 7, full)).isNaN();
    assertThat(Estimates.symmetricDifference(full, 7, full)).isNaN();
    assertThat(Estimates.intersection(5, 7, 13)).isZero();
    assertThat(Estimates.symmetricDifference(5, 7, 5.5)).isZero();
    assertThatThrownBy(() -> Estimates.intersectionStandardDeviation(M, K, 5, 7, 13))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("keysOfUnion = 13");
  }

  @Test
  void partitionedEstimateAveragesTheSlices() {
    // s bits after n throws hold s·(1 − (1 − 1/s)^n) set bits; the estimate returns n, but for the
    // half bit that is rounded away, of which e^(n/s) throws set one.
    long s = 1 << 20;
    long x = Math.round(s * -Math.expm1(500_000 * Math.log1p(-1.0 / s)));
    assertThat(Estimates.partitionedCardinality(s, x, x, x))
        .isCloseTo(500_000, within(0.5 * Math.exp(500_000.0 / s)));
    double mean = Estimates.partitionedCardinality(s, x, 0);
    assertThat(mean).isCloseTo(250_000, within(0.25 * Math.exp(500_000.0 / s)));
  }

  @Test
  void theorem2IsALowerBound_erratumE13() {
    // m = 512, k = 4, differences of 4, intersection of 60: .606 against .738.
    assertThat(Estimates.andEqualsIntersectionLowerBound(512, 4, 4, 4))
        .isCloseTo(0.606, within(5.1e-4));
    assertThat(Estimates.andEqualsIntersection(512, 4, 4, 4, 60)).isCloseTo(0.738, within(5.1e-4));
    // m = 4096, k = 4, 5, 5, empty intersection: .9069, and they nearly coincide.
    assertThat(Estimates.andEqualsIntersectionLowerBound(4096, 4, 5, 5))
        .isCloseTo(0.9069, within(5.1e-5));
    assertThat(Estimates.andEqualsIntersection(4096, 4, 5, 5, 0)).isCloseTo(0.9074, within(5.1e-5));
  }

  @Test
  void betterFormulaAgreesWithSimulationAndTheTheoremDoesNot() {
    SplittableRandom random = Seeds.random(5);
    int rounds = 20_000;
    int equal = 0;
    for (int i = 0; i < rounds; i++) {
      BitSet both = throwInto(random, 512, 60 * 4);
      BitSet a = throwInto(random, 512, 16);
      BitSet b = throwInto(random, 512, 16);
      a.and(b);
      a.andNot(both);
      equal += a.isEmpty() ? 1 : 0;
    }
    double measured = (double) equal / rounds;
    double sd = Math.sqrt(0.738 * 0.262 / rounds);
    assertThat(measured)
        .isCloseTo(Estimates.andEqualsIntersection(512, 4, 4, 4, 60), within(5 * sd));
    assertThat(measured - Estimates.andEqualsIntersectionLowerBound(512, 4, 4, 4))
        .isGreaterThan(20 * sd);
  }

  private static BitSet throwInto(SplittableRandom random, int bins, int balls) {
    BitSet bits = new BitSet(bins);
    for (int i = 0; i < balls; i++) {
      bits.set(random.nextInt(bins));
    }
    return bits;
  }

  @Test
  void badArgumentsAreNamed() {
    assertThatThrownBy(() -> Estimates.cardinality(64, 3, 65))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("setBits = 65 is outside the allowed range 0 … 64");
    assertThatThrownBy(() -> Estimates.intersection(64, 3, 5, 7, 6))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("setBitsOfOr = 6 is outside the allowed range 7 … 12");
    assertThatThrownBy(() -> Estimates.partitionedCardinality(64))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("slices = 0 ");
  }
}
