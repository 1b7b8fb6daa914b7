package io.bloomery.frequency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import org.junit.jupiter.api.Test;

/** Plans of counter braids, and what is refused. */
final class CounterBraidsPlansTest {

  @Test
  void plans() {
    Needs needs = Needs.forKeys(100_000, 0.01).with(Need.COUNTS);
    Plan plan =
        Planner.standard().plan(needs).ranked().stream()
            .filter(p -> p.name().equals("counter-braids"))
            .findFirst()
            .orElseThrow();
    assertThat(plan.kind().type().getName()).isEqualTo(CounterBraids.class.getName());
    assertThat(plan.predictedRate()).isBetween(0.0098, 0.01);
    assertThat(plan.bitsPerKey()).isCloseTo(117.68, within(0.005));
    assertThat(plan.shape()).isEqualTo(CounterBraids.create(100_000, 0.01).shape());
  }

  @Test
  void badArgumentsAreNamed() {
    CounterBraids braids = CounterBraids.create(BraidsShape.forKeys(10));
    assertRefused("times = -1 ", () -> braids.addHash(1, -1));
    assertRefused("hashes has 7 twice", () -> braids.decode(new long[] {7, 8, 7}));
    assertRefused("minimum = -1 ", () -> braids.decode(new long[] {7}, -1, 5));
    assertRefused("rounds = 0 ", () -> braids.decode(new long[] {7}, 0, 0));
    assertThatThrownBy(() -> braids.decode(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("hashes");
    assertThat(braids.mightContainHash(1)).isFalse();
    assertThat(braids.toString()).contains("counters=96");
    assertThat(braids.decode(new long[] {7})).hasToString("Counts[1 keys, exact true, 3 rounds]");
  }

  private static void assertRefused(String message, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
