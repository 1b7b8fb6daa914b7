package io.bloomery.deletable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The planner on the multilayer, d-left and deletable filters, and the sizes of the second. */
final class DeletionPlansTest {

  private static final Planner PLANNER =
      Planner.of(
          List.of(
              MultilayerCountingFilter.KIND, DLeftCountingFilter.KIND, DeletableBloomFilter.KIND));

  private static Plan plan(String kind, Needs needs) {
    List<Plan> plans = PLANNER.plan(needs.with(Need.DELETES)).ranked();
    return plans.stream().filter(plan -> plan.name().equals(kind)).findFirst().orElseThrow();
  }

  @Test
  void predictedRateAndMemoryAtOnePercent() {
    Needs needs = Needs.forKeys(1_000_000, 0.01);
    assertPlan(plan("multilayer", needs), 14.52, 0.01, 4, 4);
    assertPlan(plan("d-left", needs), 17.07, 0.0073, 4, 16);
    assertPlan(plan("deletable", needs), 12.79, 0.01, 7, 7);
  }

  private static void assertPlan(Plan plan, double bits, double rate, int lines, int words) {
    assertThat(plan.bitsPerKey()).isCloseTo(bits, within(0.005));
    assertThat(plan.predictedRate()).isCloseTo(rate, within(0.000005)).isLessThanOrEqualTo(0.01);
    assertThat(plan.cacheLines()).isEqualTo(lines);
    assertThat(plan.words()).isEqualTo(words);
    assertThat(plan.kind().type().getName()).startsWith("io.bloomery.deletable.");
    assertThat(plan.why()).endsWith(".");
  }

  @Test
  void aBudgetIsUsedAndKept() {
    Needs needs = Needs.forBudget(1_000_000, 20_000_000);
    for (String kind : List.of("multilayer", "d-left")) {
      Plan plan = plan(kind, needs);
      assertThat(plan.bitsPerKey()).isBetween(19.99, 20.0);
      assertThat(plan.predictedRate()).isLessThan(0.0025);
    }
    assertThat(PLANNER.plan(Needs.forBudget(1_000_000, 1_500_000).with(Need.DELETES)).ranked())
        .extracting(Plan::name)
        .containsExactly("multilayer");
  }

  @Test
  void withoutRemovalsNoneIsProposed() {
    assertThat(PLANNER.plan(Needs.forKeys(1_000, 0.01)).ranked()).isEmpty();
    assertThat(Planner.standard().plan(Needs.forKeys(1_000, 0.01).with(Need.DELETES)).ranked())
        .extracting(Plan::name)
        .contains("multilayer", "d-left", "deletable");
  }

  /** Against all shapes: no other is more than 0.5 % smaller and holds the keys at the rate. */
  @Test
  void dLeftShapesAreTheSmallest() {
    for (long keys : new long[] {1, 2, 10, 33, 1_000, 50_000}) {
      for (double rate : new double[] {0.3, 0.01, 1e-4, 1e-9}) {
        DLeftShape shape = DLeftShape.forKeys(keys, rate);
        assertThat(shape.falsePositiveRate(keys)).isLessThanOrEqualTo(rate);
        assertThat(shape.capacity()).isGreaterThanOrEqualTo(keys);
        for (int words = 1; words <= 8; words *= 2) {
          for (int r = 1; r <= 48; r++) {
            // The largest number of buckets that would be clearly smaller.
            long buckets = (long) (shape.sizeInBits() / 1.005) / (256L * words);
            if (buckets > 0) {
              DLeftShape smaller = new DLeftShape(4, Math.min(buckets, 1 << 12), words, r, 2);
              assertThat(smaller.capacity() >= keys && smaller.falsePositiveRate(keys) <= rate)
                  .as("%s instead of %s for %d keys at %s", smaller, shape, keys, rate)
                  .isFalse();
            }
          }
        }
      }
    }
  }

  @Test
  void dLeftLimits() {
    assertThat(DLeftShape.forKeys(1, 1e-9).sizeInBits()).isEqualTo(256);
    assertThatThrownBy(() -> new DLeftShape(4, 10, 3, 8, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("bucketWords = 3 is not one of 1, 2, 4, 8");
    assertThatThrownBy(() -> new DLeftShape(1, 10, 2, 8, 2)).hasMessageStartingWith("tables = 1 ");
    assertThatThrownBy(() -> new DLeftShape(4, 0, 2, 8, 2)).hasMessageStartingWith("buckets = 0 ");
    assertThatThrownBy(() -> new DLeftShape(4, 1 << 20, 2, 41, 2))
        .hasMessageStartingWith("buckets = 1048576 ");
    assertThatThrownBy(() -> new DLeftShape(4, 9, 2, 49, 2))
        .hasMessageStartingWith("remainderBits = 49 ");
    assertThatThrownBy(() -> new DLeftShape(4, 9, 2, 8, 1))
        .hasMessageStartingWith("counterBits = 1 ");
    assertThatThrownBy(() -> DLeftShape.forKeys(1L << 36, 0.001)).hasMessageContaining("limit");
    assertThatThrownBy(() -> DLeftShape.forBudget(1_000, 1_000))
        .hasMessage("expectedKeys = 1000 do not fit into a d-left filter of bits = 1000");
    // More cells are kept free with fewer choices.
    assertThat(new DLeftShape(2, 100, 2, 14, 2).capacity()).isEqualTo(2 * 100 * 4);
    assertThat(new DLeftShape(3, 100, 2, 14, 2).capacity()).isEqualTo(3 * 100 * 5);
    assertThat(new DLeftShape(8, 100, 2, 14, 2).capacity()).isEqualTo(8 * 100 * 6);
  }
}
