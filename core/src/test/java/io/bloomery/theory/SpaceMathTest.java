package io.bloomery.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.deletable.CuckooShape;
import io.bloomery.deletable.QuotientShape;
import io.bloomery.frozen.GolombShape;
import io.bloomery.membership.BloomShape;
import org.junit.jupiter.api.Test;

/**
 * Catalogue A.13.
 *
 * <p>Measured here, of A.13 (space: Carter, succinct, Pagh–Pagh–Rao, break-evens with the Bloom
 * filter): a cuckoo filter at load .95 is smaller than M1 below .0042, a quotient filter at .75
 * below 3.3e-10; a Golomb-coded set is within .16 bits of log2(e/ε).
 */
class SpaceMathTest {

  private static final long KEYS = 1_000_000;

  @Test
  void theFormulasOfTheArticle() {
    assertThat(SpaceMath.fingerprints(1 << 20, 1.0 / 1024)).isCloseTo(30, within(1e-9));
    assertThat(SpaceMath.succinct(0.01))
        .isCloseTo(Math.log(100 * Math.E) / Math.log(2), within(1e-9));
    assertThat(SpaceMath.succinct(0.01)).isCloseTo(8.087, within(0.001));
    assertThat(SpaceMath.quotient(1.0 / 256, 0.25)).isCloseTo(13, within(1e-9));
    assertThat(SpaceMath.quotientTime(0.1)).isCloseTo(100, within(1e-9));
  }

  /** n sorted fingerprints of Carter's length lose log2(n!) bits, and log2 e per key remain. */
  @Test
  void orderIsWhatTheSuccinctTableSaves() {
    double logFactorial = 0;
    for (int i = 2; i <= 100_000; i++) {
      logFactorial += Math.log(i) / Math.log(2);
    }
    double sorted = SpaceMath.fingerprints(100_000, 0.01) - logFactorial / 100_000;
    assertThat(sorted).isCloseTo(SpaceMath.succinct(0.01), within(0.0002));
    // The Golomb-coded set, index included, is within 0.16 bits of it.
    double coded = GolombShape.forKeys(KEYS, 0.01).sizeInBits() / (double) KEYS;
    assertThat(coded - SpaceMath.succinct(0.01)).isBetween(0.0, 0.16);
  }

  @Test
  void breakEvensAreThoseOfTheCatalogue() {
    assertThat(SpaceMath.cuckooBreakEven(0.95, 4)).isCloseTo(0.0042, within(0.00005));
    assertThat(SpaceMath.quotientBreakEven(0.75)).isCloseTo(3.3e-10, within(0.05e-10));
    assertThat(SpaceMath.quotientBreakEven(0.69)).isZero();
    for (double load : new double[] {0.8, 0.95, 1}) {
      double even = SpaceMath.cuckooBreakEven(load, 4);
      assertThat(SpaceMath.cuckoo(even, load, 4))
          .isCloseTo(BloomMath.bitsPerKey(even), within(1e-9));
      assertThat(SpaceMath.cuckoo(even / 2, load, 4)).isLessThan(BloomMath.bitsPerKey(even / 2));
      assertThat(SpaceMath.cuckoo(even * 2, load, 4)).isGreaterThan(BloomMath.bitsPerKey(even * 2));
    }
    double even = SpaceMath.quotientBreakEven(0.75);
    assertThat(SpaceMath.quotientAtLoad(even, 0.75))
        .isCloseTo(BloomMath.bitsPerKey(even), within(1e-9));
  }

  /**
   * "Use less space than a static Bloom filter" is true of real cuckoo filters below .42 % only.
   */
  @Test
  void realFiltersBreakEvenThere() {
    for (int bits = 8; bits <= 20; bits++) {
      CuckooShape cuckoo = CuckooShape.of(250_000, bits);
      long keys = (long) (0.95 * 4 * 250_000);
      double rate = cuckoo.falsePositiveRate(keys);
      double ours = cuckoo.sizeInBits() / (double) keys;
      assertThat(ours).isCloseTo(SpaceMath.cuckoo(rate, 0.95, 4), within(0.05));
      double bloom = BloomShape.forKeys(keys, rate).sizeInBits() / (double) keys;
      assertThat(ours < bloom).as("%d bits, %s", bits, rate).isEqualTo(bits >= 11);
      assertThat(rate < 0.0042).isEqualTo(bits >= 11);
    }
    for (double rate = 0.1; rate > 1e-9; rate /= 10) {
      QuotientShape quotient = QuotientShape.forKeys(KEYS, rate);
      assertThat(quotient.sizeInBits()).isGreaterThan(BloomShape.forKeys(KEYS, rate).sizeInBits());
    }
  }

  @Test
  void argumentsAreChecked() {
    assertThatThrownBy(() -> SpaceMath.fingerprints(0, 0.1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("keys = 0 ");
    assertThatThrownBy(() -> SpaceMath.cuckoo(0.1, 1.5, 4))
        .hasMessage("load = 1.5 is not within (0, 1]");
    assertThatThrownBy(() -> SpaceMath.quotientBreakEven(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SpaceMath.cuckoo(0.1, 0.5, 0))
        .hasMessageStartingWith("bucketSlots = 0 ");
    assertThatThrownBy(() -> SpaceMath.quotient(0.1, 0)).hasMessageStartingWith("slack = 0.0 ");
    assertThatThrownBy(() -> SpaceMath.succinct(1)).hasMessageStartingWith("rate = 1.0 ");
  }
}
