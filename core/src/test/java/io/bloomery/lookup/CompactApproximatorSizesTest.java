package io.bloomery.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import org.junit.jupiter.api.Test;

/** Sizes of compact approximators. */
final class CompactApproximatorSizesTest {

  /** The fewest cells: one fewer misses the rate with any number of probes. */
  @Test
  void shapesAreTheSmallest() {
    for (long keys : new long[] {1, 2, 10, 1_000}) {
      for (double rate : new double[] {0.3, 0.01, 1e-9}) {
        ApproximatorShape shape = ApproximatorShape.forKeys(keys, rate, 5);
        assertThat(shape.falsePositiveRate(keys)).isLessThanOrEqualTo(rate);
        assertThat(shape.sizeInBits())
            .isLessThanOrEqualTo(5 * BloomShape.forKeys(keys, rate).bits());
        long fewer = (long) Math.floor(shape.cells() / 1.005 - 1);
        for (int k = 1; k <= 64 && k <= fewer; k++) {
          assertThat(new ApproximatorShape(Math.max(2, fewer), k, 5, false).falsePositiveRate(keys))
              .isGreaterThan(fewer < 2 ? -1 : rate);
        }
      }
    }
  }

  @Test
  void planned() {
    Plan plan = plan(Needs.forKeys(10_000, 0.01));
    assertThat(plan.kind()).isSameAs(CompactApproximator.KIND);
    assertThat(plan.bitsPerKey()).isCloseTo(8 * 9.59, within(0.1));
    assertThat(plan.predictedRate()).isCloseTo(0.01, within(0.0001));
    Plan budget = plan(Needs.forBudget(10_000, 1_000_000));
    assertThat(budget.bitsPerKey()).isBetween(99.0, 100.0);
    assertThat(budget.predictedRate()).isCloseTo(0.00247, within(5e-6));
  }

  private static Plan plan(Needs needs) {
    return Planner.standard().plan(needs.with(Need.VALUES)).ranked().stream()
        .filter(plan -> plan.name().equals("compact-approximator"))
        .findFirst()
        .orElseThrow();
  }
}
