package io.bloomery.internal.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.internal.check.Arguments;
import io.bloomery.testkit.Seeds;
import io.bloomery.theory.BloomMath;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SizeSearchTest {

  @Test
  void findsTheSmallestSizeFromAnyGuess() {
    SplittableRandom random = Seeds.random(7);
    for (int i = 0; i < 2000; i++) {
      long answer = 1 + (random.nextLong() >>> (4 + random.nextInt(59)));
      long guess = Math.max(1, (long) (answer * random.nextDouble() * 3));
      double scale = answer / (1 + 20 * random.nextDouble());
      long max = Math.min(Long.MAX_VALUE / 2, answer * 2);
      double target = Math.exp(-(double) answer / scale);
      assertThat(
              SizeSearch.smallest(
                  s -> s >= answer ? target * Math.exp((answer - s) / scale) : target * 1.5,
                  target,
                  guess,
                  max))
          .isEqualTo(answer);
    }
  }

  /** The guess is on the target, whose logarithm is 0. */
  @Test
  void findsTheSmallestSizeForATargetOfOne() {
    for (long guess : new long[] {1, 40, 100, 1000, 5000}) {
      assertThat(SizeSearch.smallest(s -> 100.0 / s, 1, guess, 10_000)).isEqualTo(100);
      assertThat(SizeSearch.smallest(s -> s < 100 ? 2 : 1, 1, guess, 10_000)).isEqualTo(100);
    }
  }

  @Test
  void saysWhenEvenTheLargestSizeFails() {
    assertThat(SizeSearch.smallest(s -> 1.0 / s, 0.001, 10, 999)).isEqualTo(-1);
    assertThat(SizeSearch.smallest(s -> 1.0 / s, 0.001, 10, 1000)).isEqualTo(1000);
    assertThat(SizeSearch.smallest(s -> 0, 0.001, 1 << 20, 1 << 20)).isEqualTo(1);
  }

  @Test
  void needsFewEvaluations() {
    AtomicInteger calls = new AtomicInteger();
    long size =
        SizeSearch.smallest(
            s -> {
              calls.incrementAndGet();
              return Math.pow(0.6185, s / 1e9);
            },
            0.01,
            11_000_000_000L,
            Long.MAX_VALUE / 2);
    assertThat(Math.pow(0.6185, size / 1e9)).isLessThanOrEqualTo(0.01);
    assertThat(Math.pow(0.6185, (size - 1) / 1e9)).isGreaterThan(0.01);
    assertThat(calls.get()).isLessThan(40);
  }

  /** The classic formula is a few words from the exact size, so few rates are computed. */
  @Test
  void aGoodGuessNeedsSixEvaluations() {
    for (int k : new int[] {1, 7, 20, 37}) {
      double target = Math.pow(2, -k);
      AtomicInteger calls = new AtomicInteger();
      long guess = (long) Math.ceil(BloomMath.bitsForRate(1_000_000, target, k) / 64);
      SizeSearch.smallest(
          words -> {
            calls.incrementAndGet();
            return BloomMath.exactRate(words * 64, 1_000_000, k);
          },
          target,
          guess,
          1L << 31);
      assertThat(calls.get()).as("k = %d", k).isLessThanOrEqualTo(6);
    }
  }

  @Test
  void argumentMessagesNameArgumentValueAndRange() {
    assertThatThrownBy(() -> Arguments.inRange("hashesPerKey", 0, 1, 255))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("hashesPerKey = 0 is outside the allowed range 1 … 255");
    assertThatThrownBy(() -> Arguments.rate("rate", Double.NaN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rate = NaN is outside the allowed range (0, 1)");
    assertThatThrownBy(() -> Arguments.positive("load", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("load = 0.0 is outside the allowed range (0, ∞)");
    assertThatThrownBy(() -> Arguments.inRange("alpha", 1.5, 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("alpha = 1.5 is outside the allowed range [0.0, 1.0]");
  }
}
