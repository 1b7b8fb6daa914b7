package io.bloomery.security.version;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The intervals against the binomial distribution that they invert. */
final class CountTest {

  @Test
  void exactly() {
    assertThat(Count.least(92, 92, 1e-6)).isEqualTo(92);
    assertThat(Count.most(92, 92, 1e-6)).isEqualTo(92);
    assertThat(Count.least(0, 10, 0.5)).isZero();
    // Of one absent class, half are found: one found may be none there, none found is none there.
    assertThat(Count.least(1, 1, 0.5)).isZero();
    assertThat(Count.most(1, 1, 0.5)).isEqualTo(1);
    // That 5 of 5 absent ones are found has probability 1/32 = .031, and 6 of 6 .016.
    assertThat(Count.least(5, 5, 0.5)).isZero();
    assertThat(Count.least(6, 6, 0.5)).isEqualTo(1);
    // Of 10 absent ones, none is found with probability .001, and at most one with .011.
    assertThat(Count.most(20, 30, 0.5)).isLessThan(20);
  }

  /**
   * At most 2.5 % of the intervals are on one side of the truth, and at most 2.5 % on the other.
   */
  @Test
  void coverage() {
    SplittableRandom draw = Seeds.random(1);
    int trials = 20_000;
    for (double f : new double[] {0.01, 0.1, 0.4}) {
      for (int there : new int[] {0, 20, 95}) {
        int above = 0;
        int below = 0;
        for (int trial = 0; trial < trials; trial++) {
          int found = there;
          for (int i = there; i < 100; i++) {
            found += draw.nextDouble() < f ? 1 : 0;
          }
          above += Count.least(found, 100, f) > there ? 1 : 0;
          below += Count.most(found, 100, f) < there ? 1 : 0;
        }
        Rates.assertRateAtMost(above, trials, 0.025, 5);
        Rates.assertRateAtMost(below, trials, 0.025, 5);
      }
    }
  }
}
