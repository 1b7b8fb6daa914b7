package io.bloomery.internal.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.bloomery.testkit.Property;
import org.junit.jupiter.api.Test;

final class ModulusTest {

  @Test
  void edgesOfDivisorsAndDividends() {
    for (int shift = 1; shift <= 62; shift++) {
      for (long near = -2; near <= 2; near++) {
        long divisor = (1L << shift) + near;
        if (divisor >= 2 && divisor <= 1L << 62) {
          checkAround(divisor, 0);
          checkAround(divisor, -1L);
          checkAround(divisor, Long.MAX_VALUE);
          checkAround(divisor, Long.MIN_VALUE);
          checkAround(divisor, divisor);
          checkAround(divisor, 2 * divisor);
          checkAround(divisor, Long.divideUnsigned(-1L, divisor) * divisor);
        }
      }
    }
  }

  private static void checkAround(long divisor, long dividend) {
    Modulus modulus = new Modulus(divisor);
    for (long x = dividend - 3; x != dividend + 4; x++) {
      if (modulus.of(x) != Long.remainderUnsigned(x, divisor)) {
        fail(Long.toUnsignedString(x) + " mod " + divisor + " is not " + modulus.of(x));
      }
    }
  }

  @Test
  void anyDivisorAndDividend() {
    Property.check(
        10,
        100_000,
        draw -> {
          long divisor = Math.max(2, draw.between(2, 1L << 62) >>> draw.between(0, 60));
          checkAround(divisor, draw.anyLong());
          checkAround(divisor, draw.anyLong() * divisor);
        });
  }

  @Test
  void belowTwiceTheDivisor() {
    for (long divisor : new long[] {2, 3, 7, 1000, (1L << 32) + 1, 1L << 62}) {
      Modulus modulus = new Modulus(divisor);
      assertThat(modulus.divisor()).isEqualTo(divisor);
      for (long x : new long[] {0, 1, divisor - 1, divisor, divisor + 1, 2 * divisor - 1}) {
        assertThat(modulus.below(x)).isEqualTo(x % divisor);
      }
    }
  }

  @Test
  void divisorsOutsideOfTheRangeAreRefused() {
    for (long divisor : new long[] {1, 0, -1, (1L << 62) + 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> new Modulus(divisor))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("divisor = " + divisor)
          .hasMessageContaining("2 … " + (1L << 62));
    }
  }
}
