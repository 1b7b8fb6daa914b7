package io.bloomery.internal.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FillTest {

  /** Throws alone: the exact occupancy, of small arrays (first three) and larger ones. */
  @ParameterizedTest
  @CsvSource({
    "2,1,1,1e-9",
    "64,40,4,1e-9",
    "1500,1000,30,1e-9",
    "2200,1500,32,.005",
    "3000,2000,16,.002",
    "100000,70000,7,.0001",
    "1000000000,700000000,10,1e-6"
  })
  void throwsAloneAreTheOccupancy(long bits, long thrown, int power, double relative) {
    double expected = Occupancy.allHit(bits, thrown, power);
    assertThat(Fill.expect(bits, thrown, 0, 0, fill -> Math.pow(fill, power)))
        .isCloseTo(expected, within(relative * expected));
  }

  /** Mixed throws against 4 000 simulated arrays, exact and beyond. */
  @ParameterizedTest
  @CsvSource({"200,300,60,10", "4000,2100,700,300", "4000,0,1000,5", "4000,1700,0,20"})
  void mixedThrowsAreAsSimulated(int bits, int thrown, int fresh, int more) {
    SplittableRandom random = Seeds.random(5);
    double[] rates = new double[4000];
    double[] fills = new double[4000];
    for (int i = 0; i < rates.length; i++) {
      int set = 0;
      int done = 0;
      for (int f = 1; f <= Math.max(1, fresh); f++) {
        for (; done < (long) thrown * f / Math.max(1, fresh); done++) {
          set += random.nextInt(bits) >= set ? 1 : 0;
        }
        set += fresh > 0 && set < bits ? 1 : 0;
      }
      fills[i] = Math.min(1, (double) (set + more) / bits);
      rates[i] = Math.pow(fills[i], 8);
    }
    double mean = Fill.expect(bits, thrown, fresh, more, f -> f);
    Rates.assertMean(fills, mean, 5, 0);
    assertThat(Fill.mean(bits, thrown, fresh, more) / mean)
        .isBetween(0.9999, bits == 200 ? 1.003 : 1.0001);
    Rates.assertMean(rates, Fill.expect(bits, thrown, fresh, more, f -> Math.pow(f, 8)), 5, 0);
  }

  @Test
  void edges() {
    assertThat(Fill.expect(10, 0, 0, 0, fill -> fill)).isZero();
    assertThat(Fill.expect(1, 5, 0, 0, fill -> fill)).isEqualTo(1);
    assertThat(Fill.expect(10, 0, 30, 0, fill -> fill)).isEqualTo(1);
    assertThat(Fill.expect(10, 1, 0, 1L << 50, fill -> fill)).isEqualTo(1);
    assertThat(Fill.mean(1000, 1L << 50, 5, 0)).isEqualTo(1);
    assertThat(Fill.mean(1000, 0, 500, 100)).isCloseTo(0.6, within(1e-12));
    assertThat(Fill.mean(1, 1, 0, 0)).isEqualTo(1);
  }
}
