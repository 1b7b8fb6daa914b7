package io.bloomery.theory;

import static io.bloomery.testkit.Printed.assertPrinted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Thresholds of tables and symbols that are decoded by removing keys one at a time. */
final class PeelingMathTest {

  /** Goodrich and Mitzenmacher, table 1, and the catalogue. */
  @Test
  void cellsPerKeyAreThePublishedOnes() {
    String[] keysPerCell = {".818", ".772", ".702", ".637", ".582"};
    for (int k = 3; k <= 7; k++) {
      assertPrinted(1 / PeelingMath.cellsPerKey(k), keysPerCell[k - 3]);
    }
    assertPrinted(PeelingMath.cellsPerKey(3), "1.222");
    assertPrinted(PeelingMath.cellsPerKey(4), "1.295");
  }

  /** The paper gives 1.35 for one half, and about 1.31 as the least, near .64. */
  @Test
  void symbolsPerKeyAreThePublishedOnes() {
    assertPrinted(PeelingMath.symbolsPerKey(.5), "1.35");
    assertPrinted(PeelingMath.symbolsPerKey(.625), "1.308");
    double least = PeelingMath.symbolsPerKey(.64);
    assertPrinted(least, "1.31");
    for (double alpha : new double[] {.1, .3, .5, .6, .68, .8, .95}) {
      assertThat(PeelingMath.symbolsPerKey(alpha)).as("alpha %s", alpha).isGreaterThan(least);
    }
  }

  /** Abramowitz and Stegun, table 5.1. */
  @Test
  void exponentialIntegralIsTheTabulatedOne() {
    double[] arguments = {.01, .5, 1, 1.5, 2};
    String[] values = {"4.0379295765", ".5597735948", ".2193839344", ".1000195824", ".0489005107"};
    for (int i = 0; i < values.length; i++) {
      assertPrinted(PeelingMath.exponentialIntegral(arguments[i]), values[i]);
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
