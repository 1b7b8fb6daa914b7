package io.bloomery.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.hash.Hasher;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Options of decaying filters, and their plan. */
final class DecayingShapeTest {

  @Test
  void impossibleOptionsAreRefused() {
    assertThatThrownBy(() -> DecayingBloomFilter.create(Duration.ZERO, 10, 0.1))
        .hasMessageContaining("window = PT0S");
    assertThatThrownBy(() -> DecayingBloomFilter.create(Duration.ofHours(1), -1, 0.1))
        .hasMessageContaining("expectedKeys = -1");
    assertThatThrownBy(() -> DecayingBloomFilter.create(-1, 0.1))
        .hasMessageContaining("expectedKeys = -1");
    assertThatThrownBy(() -> DecayingBloomFilter.create(5, 0))
        .hasMessageContaining("falsePositiveRate = 0.0");
    assertThatThrownBy(() -> DecayingShape.forKeys(5, 0.1, 0, 1))
        .hasMessageContaining("window = 0");
    assertThatThrownBy(
            () ->
                DecayingBloomFilter.create(
                    DecayingShape.forKeys(5, 0.1), Hasher.xxh3(), ManualClock.of(new AtomicLong())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a window of adds has no clock");
    assertThatThrownBy(() -> DecayingBloomFilterTest.adds(5, 6, 64, 2, 0))
        .hasMessageContaining("granularity = 6");
    assertThatThrownBy(() -> DecayingBloomFilterTest.adds(5, 1, 1, 1, 0))
        .hasMessageContaining("cells = 1");
    assertThatThrownBy(() -> DecayingBloomFilterTest.adds(5, 0, 64, 2, 0))
        .hasMessageContaining("granularity = 0");
  }

  @Test
  void thePlannerKnowsIt() {
    Plan plan =
        Planner.standard().plan(Needs.forKeys(100_000, 0.01).with(Need.WINDOW)).ranked().stream()
            .filter(p -> p.name().equals("decaying"))
            .findFirst()
            .orElseThrow();
    assertThat(plan.shape()).isEqualTo(DecayingBloomFilter.create(100_000, 0.01).shape());
    assertThat(plan.predictedRate()).isBetween(0.0099, 0.01);
    assertThat(plan.bitsPerKey()).isCloseTo(77.12, within(0.005));
  }
}
