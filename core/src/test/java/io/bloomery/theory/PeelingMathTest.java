package io.bloomery.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Thresholds of tables and symbols that are decoded by removing keys one at a time. */
final class PeelingMathTest {

  /** Goodrich and Mitzenmacher, table 1, and the catalogue. */
  @Test
  void cellsPerKeyAreThePublishedOnes() {
    double[] keysPerCell = {.818, .772, .702, .637, .582};
    for (int k = 3; k <= 7; k++) {
      assertThat(1 / PeelingMath.cellsPerKey(k))
          .as("k = %d", k)
          .isCloseTo(keysPerCell[k - 3], within(6e-4));
    }
    assertThat(PeelingMath.cellsPerKey(3)).isCloseTo(1.222, within(5e-4));
    assertThat(PeelingMath.cellsPerKey(4)).isCloseTo(1.295, within(5e-4));
  }

  /** The paper gives 1.35 for one half, and about 1.31 as the least, near .64. */
  @Test
  void symbolsPerKeyAreThePublishedOnes() {
    assertThat(PeelingMath.symbolsPerKey(.5)).isCloseTo(1.35, within(.005));
    assertThat(PeelingMath.symbolsPerKey(.625)).isCloseTo(1.308, within(.001));
    double least = PeelingMath.symbolsPerKey(.64);
    assertThat(least).isCloseTo(1.31, within(.005));
    for (double alpha : new double[] {.1, .3, .5, .6, .68, .8, .95}) {
      assertThat(PeelingMath.symbolsPerKey(alpha)).as("alpha %s", alpha).isGreaterThan(least);
    }
  }

  /** Abramowitz and Stegun, table 5.1. */
  @Test
  void exponentialIntegralIsTheTabulatedOne() {
    double[][] table = {
      {.01, 4.0379295765}, {.5, .5597735948}, {1, .2193839344}, {1.5, .1000195824}, {2, .0489005107}
    };
    for (double[] row : table) {
      assertThat(PeelingMath.exponentialIntegral(row[0])).isCloseTo(row[1], within(1e-9));
    }
  }

  @Test
  void argumentsAreChecked() {
    assertThatThrownBy(() -> PeelingMath.cellsPerKey(2))
        .hasMessage("hashesPerKey = 2 is outside the allowed range 3 … 64");
    assertThatThrownBy(() -> PeelingMath.cellsPerKey(65)).hasMessageContaining("3 … 64");
    assertThatThrownBy(() -> PeelingMath.symbolsPerKey(.09)).hasMessageContaining("alpha");
    assertThatThrownBy(() -> PeelingMath.symbolsPerKey(1)).hasMessageContaining("alpha");
  }
}
