package io.bloomery.internal.variant;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.membership.BloomShape;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The lowest rate whose shape fits a budget, found by halving. */
final class BudgetSearchTest {

  private static final long KEYS = 1_000;

  /** What is found, and of how many rates the shapes were computed. */
  private record Found(BloomShape shape, int sizings) {

    static Found within(long bits) {
      AtomicInteger sizings = new AtomicInteger();
      BloomShape shape =
          BudgetSearch.shape(
              "bloom",
              (keys, rate) -> {
                sizings.incrementAndGet();
                return BloomShape.forKeys(keys, rate);
              },
              KEYS,
              bits);
      return new Found(shape, sizings.get());
    }
  }

  @Test
  void takesAllWordsOfABudget() {
    for (long bits : new long[] {640, 9_600, 32_000, 60_032}) {
      assertThat(Found.within(bits).shape().bits()).isEqualTo(bits);
    }
  }

  /** A budget above the lowest rate of a 64-bit hash, n · 2^-57, is not a search. */
  @Test
  void aBudgetWithRoomForEveryRateIsSizedTwice() {
    Found found = Found.within(200_000);
    assertThat(found.sizings()).isEqualTo(2);
    assertThat(found.shape()).isEqualTo(BloomShape.forKeys(KEYS, KEYS * 0x1p-57));
  }

  /** Halving alone would take a step per bit of the result: 26. */
  @Test
  void fewSizingsAreEnough() {
    for (long bits : new long[] {640, 9_600, 32_000, 60_032}) {
      assertThat(Found.within(bits).sizings()).isLessThanOrEqualTo(18);
    }
  }
}
