package io.bloomery.growing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.plan.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The memory of growing filters that started at 1,000 keys of 1 %, exactly by their shapes. */
final class GrowthRangeTest {

  private static double bitsPerKey(String kind, long keys) {
    Shape shape = Planner.standard().named(kind, Needs.forKeys(1_000, 0.01)).shape();
    return (double) shape.grownTo(keys).sizeInBits() / keys;
  }

  private static double most(String kind, double from, double to) {
    double most = 0;
    for (double keys = from; keys <= to; keys *= 1.001) {
      most = Math.max(most, bitsPerKey(kind, (long) keys));
    }
    return most;
  }

  private static double least(String kind, double from, double to) {
    double least = Double.MAX_VALUE;
    for (double keys = from; keys <= to; keys *= 1.001) {
      least = Math.min(least, bitsPerKey(kind, (long) keys));
    }
    return least;
  }

  @Test
  void aScalableFilterTakesMostJustAfterALayerWasOpened() {
    assertThat(least("scalable", 1e6, 1e8)).isCloseTo(17.3, within(0.05));
    assertThat(most("scalable", 1e6, 1e8)).isCloseTo(36.7, within(0.05));
    assertThat(most("scalable", 1.37e6, 1.39e6)).isEqualTo(most("scalable", 1.37e6, 2e6));
    assertThat(bitsPerKey("scalable", 3_000_000)).isCloseTo(28.2, within(0.05));
    assertThat(bitsPerKey("scalable", 10_000_000)).isCloseTo(20.8, within(0.05));
  }

  @Test
  void anElasticFilterStaysWithinAFifth() {
    assertThat(least("elastic", 1e3, 1e8)).isCloseTo(14.4, within(0.05));
    assertThat(most("elastic", 1e3, 1e8)).isCloseTo(17.55, within(0.05));
  }

  /** Where growth is unknown the planner offers both, and says what the smaller one costs. */
  @Test
  void thePlannerNamesElasticAndItsCost() {
    List<Plan> plans =
        Planner.standard().plan(Needs.forKeys(1_000_000, 0.01).with(Need.UNKNOWN_GROWTH)).ranked();
    Plan elastic = plan(plans, "elastic");
    Plan scalable = plan(plans, "scalable");
    assertThat(elastic.why()).contains("two to four times the time");
    assertThat(elastic.queryNanos()).isGreaterThan(scalable.queryNanos());
  }

  private static Plan plan(List<Plan> plans, String name) {
    return plans.stream()
        .filter(each -> each.variant().name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
