package io.bloomery.internal.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OccupancyTest {

  /** All targets hit, by inclusion and exclusion in integers: Σ (−1)^i C(d,i) (b−i)^t / b^t. */
  private static double covered(int bins, int targets, int balls) {
    BigInteger sum = BigInteger.ZERO;
    BigInteger choose = BigInteger.ONE;
    for (int i = 0; i <= targets; i++) {
      BigInteger term = choose.multiply(BigInteger.valueOf(bins - i).pow(balls));
      sum = i % 2 == 0 ? sum.add(term) : sum.subtract(term);
      choose = choose.multiply(BigInteger.valueOf(targets - i)).divide(BigInteger.valueOf(i + 1L));
    }
    return new BigDecimal(sum)
        .divide(new BigDecimal(BigInteger.valueOf(bins).pow(balls)), MathContext.DECIMAL64)
        .doubleValue();
  }

  @ParameterizedTest
  @CsvSource({"64,1", "64,8", "64,30", "8,8", "512,12"})
  void coverEqualsInclusionExclusionInIntegers(int bins, int targets) {
    Cover cover = new Cover(bins, targets);
    for (int balls : new int[] {0, 1, 5, targets, 2 * targets, 40, 77, 300}) {
      double expected = covered(bins, targets, balls);
      assertThat(cover.after(balls)).isCloseTo(expected, within(1e-13 * expected));
    }
    assertThat(cover.after(cover.limit())).isEqualTo(1);
    assertThat(cover.after(cover.limit() - 1)).isCloseTo(1, within(1e-12));
  }

  @ParameterizedTest
  @CsvSource({"64,4", "8,3", "512,7", "16,40"})
  void tableEqualsTheMixtureForAnySize(int bins, int probes) {
    Occupancy table = new Occupancy(bins, probes);
    for (int balls : new int[] {1, 2, 3, 10, 33, 64, 200, 1000}) {
      double expected = Occupancy.allHit(bins, balls, probes);
      assertThat(table.after(balls)).isCloseTo(expected, within(1e-12 * expected));
    }
    assertThat(table.after(0)).isZero();
    assertThat(table.after(1L << 40)).isEqualTo(1);
  }

  /** Omitting negligible terms changes no bit of the result. */
  @ParameterizedTest
  @CsvSource({"100, 7", "1000, 30", "200, 139", "200000000, 139", "64, 255", "1000000, 1"})
  void theSumOverAllNumbersOfDistinctBinsIsTheSame(long bins, int probes) {
    Occupancy.AllHit table = new Occupancy.AllHit(bins, probes);
    double[] distinct = Occupancy.distinct(bins, probes);
    for (long balls : new long[] {1, 5, bins / 10, bins / 2, bins, 3 * bins}) {
      double sum = 0;
      for (int d = distinct.length - 1; d > 0; d--) {
        sum += distinct[d] * Occupancy.covered(bins, balls, d);
      }
      assertThat(table.after(balls)).isEqualTo(Math.min(1, sum));
      assertThat(Occupancy.allHit(bins, balls, probes)).isEqualTo(Math.min(1, sum));
    }
    assertThat(table.after(0)).isZero();
  }

  @Test
  void distinctBinsOfThreeThrowsIntoFourBins() {
    // 4·3·2 ways for three bins, 3·4·3 for two, 4 for one, of 64.
    assertThat(Occupancy.distinct(4, 3)).containsExactly(0, 4 / 64.0, 36 / 64.0, 24 / 64.0);
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "5", "8", "16"})
  void laneCoverEqualsInclusionExclusion(int s) {
    // P(all s given bits set by x subsets) = Σ_i (−1)^i C(s,i) [C(64−i,s)/C(64,s)]^x.
    for (int x : new int[] {0, 1, 2, 5, 11, 30}) {
      BigInteger sum = BigInteger.ZERO;
      for (int i = 0; i <= s; i++) {
        BigInteger term = choose(s, i).multiply(choose(64 - i, s).pow(x));
        sum = i % 2 == 0 ? sum.add(term) : sum.subtract(term);
      }
      double expected =
          new BigDecimal(sum)
              .divide(new BigDecimal(choose(64, s).pow(x)), MathContext.DECIMAL64)
              .doubleValue();
      assertThat(LaneCover.uniform(s, x)).isCloseTo(expected, within(1e-13 * expected));
      double same = 1 - Math.pow(1 - 0x1p-16, x);
      assertThat(LaneCover.masked(s, x))
          .isCloseTo(s == 1 ? expected : same + (1 - same) * expected, within(1e-13));
    }
    assertThat(LaneCover.uniform(s, LaneCover.limit())).isEqualTo(1);
  }

  @Test
  void laneOfOneBitIsTheClosedForm() {
    for (int x = 0; x < 3000; x += 7) {
      assertThat(LaneCover.masked(1, x)).isCloseTo(1 - Math.pow(63.0 / 64, x), within(1e-13));
    }
  }

  /** A binomial number of the keys of a block picks a given word of a sector. */
  @ParameterizedTest
  @CsvSource({"1, 2", "2, 4", "7, 8", "16, 2"})
  void sectorIsTheBinomialMixtureOfLanes(int s, int words) {
    for (int x : new int[] {0, 1, 2, 10, 100, 255, 256, 1_000, 9_999}) {
      double expected = Pmf.binomial(x, 1.0 / words, x).expect(y -> LaneCover.masked(s, y));
      assertThat(SectorCover.masked(s, words, x)).isCloseTo(expected, within(1e-12 * expected));
    }
    assertThat(SectorCover.masked(s, words, SectorCover.limit(words))).isEqualTo(1);
  }

  private static BigInteger choose(int n, int k) {
    BigInteger c = BigInteger.ONE;
    for (int i = 0; i < k; i++) {
      c = c.multiply(BigInteger.valueOf(n - i)).divide(BigInteger.valueOf(i + 1L));
    }
    return c;
  }
}
