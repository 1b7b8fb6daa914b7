package io.bloomery.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.membership.BlockShape;
import io.bloomery.membership.SplitBlockShape;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockMathTest {

  /** Bits per key at which the best number of probes reaches a rate, and those probes. */
  private static double[] minimal(
      double rate, int least, int most, IntFunction<DoubleUnaryOperator> rates) {
    double[] best = {Double.MAX_VALUE, 0};
    for (int k = least; k <= most; k++) {
      DoubleUnaryOperator ofSize = rates.apply(k);
      double low = 1;
      double high = 400;
      for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        if (ofSize.applyAsDouble(middle) <= rate) {
          high = middle;
        } else {
          low = middle;
        }
      }
      if (high < best[0]) {
        best = new double[] {high, k};
      }
    }
    return best;
  }

  /** Our blocked filter, many keys: bits per key and probes. Without the mask limit: 11.84, … */
  @ParameterizedTest
  @CsvSource({
    "64,1,.01,11.87,5",
    "128,2,.01,10.80,6",
    "256,2,.01,10.39,6",
    "512,2,.01,10.19,6",
    "256,4,.01,10.47,8",
    "512,4,.01,10.11,8",
    "512,8,.01,10.10,8",
    "64,1,.001,23.36,7",
    "128,2,.001,18.82,8",
    "256,4,.001,16.73,8",
    "512,4,.001,15.74,8",
    "512,8,.001,15.72,8",
  })
  void minimalBitsPerKeyOfOurBlocks(
      int blockBits, int words, double rate, double bits, int probes) {
    double[] best =
        minimal(rate, 1, 9, each -> c -> BlockMath.sectorRate(c, blockBits, words, each * words));
    assertThat(best[0]).isCloseTo(bits, within(0.0051));
    assertThat(best[1] * words).isEqualTo(probes);
  }

  /** Catalogue C4: best rates of Putze's blocks at c = 8, 10, 16. */
  @ParameterizedTest
  @CsvSource({
    "8,512,.02312,5e-6", "10,512,.00957,5e-6", "16,512,8.25e-4,5e-7",
    "8,64,.03259,5e-6", "10,64,.01705,5e-6", "16,64,3.78e-3,5e-6",
  })
  void putzeBestRates(double bitsPerKey, int blockBits, double rate, double half) {
    double best = 1;
    for (int k = 1; k <= 20; k++) {
      best = Math.min(best, BlockMath.putzeRate(bitsPerKey, blockBits, k));
    }
    assertThat(best).isCloseTo(rate, within(1.02 * half));
  }

  @Test
  void putzeAtTenBitsAndSevenProbes_acceptanceValueOfC4() {
    assertThat(BlockMath.putzeRate(10, 512, 7)).isCloseTo(.00957, within(5.1e-6));
  }

  /** Catalogue C4 and erratum E28: more space for equal rate, not a general 32 %. */
  @ParameterizedTest
  @CsvSource({
    "512,.01,3.2,.051", "512,.001,7.7,.051", "512,.0001,14,.51",
    "64,.01,24,.51", "64,.001,62,.51", "64,.0001,127,.51",
  })
  void putzeExtraSpace_erratumE28(int blockBits, double rate, double percent, double half) {
    double blocked = minimal(rate, 1, 20, k -> c -> BlockMath.putzeRate(c, blockBits, k))[0];
    double plain = minimal(rate, 1, 20, k -> c -> Compression.rate(c, k))[0];
    assertThat(100 * (blocked / plain - 1)).isCloseTo(percent, within(half));
  }

  /** Catalogue C5. */
  @ParameterizedTest
  @CsvSource({
    "8,.0332,5e-5",
    "10,.01265,5e-6",
    "12,.00542,5e-6",
    "16,.001316,5e-7",
    "20,.00042,5e-6",
  })
  void splitBlockRates(double bitsPerKey, double rate, double half) {
    assertThat(BlockMath.splitBlockRate(bitsPerKey)).isCloseTo(rate, within(1.02 * half));
  }

  @Test
  void shapesTendToTheLimitOfManyBlocks() {
    long blocks = 1 << 24;
    long keys = blocks * 256 / 10;
    double split = new SplitBlockShape(blocks).falsePositiveRate(keys);
    assertThat(split).isCloseTo(BlockMath.splitBlockRate(10), within(1e-5 * split));
    for (int words = 2; words <= 4; words *= 2) {
      double sectors = new BlockShape(blocks, 256, words, 8).falsePositiveRate(keys);
      double limit = BlockMath.sectorRate(10, 256, words, 8);
      assertThat(sectors).isCloseTo(limit, within(1e-5 * limit));
    }
  }

  @Test
  void distinctBitsBeatBitsDrawnWithReplacement() {
    assertThat(BlockMath.sectorRate(12, 64, 1, 5))
        .isLessThan(BlockMath.putzeRate(12, 64, 5) * 0.98);
  }

  @Test
  void badArgumentsAreNamed() {
    assertThatThrownBy(() -> BlockMath.sectorRate(10, 96, 1, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("blockBits = 96 is not one of 64, 128, 256, 512");
    assertThatThrownBy(() -> BlockMath.sectorRate(10, 512, 8, 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("hashesPerKey = 7 is outside the allowed range 8 … 128");
    assertThatThrownBy(() -> BlockMath.putzeRate(0, 512, 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("bitsPerKey = 0.0 ");
  }
}
