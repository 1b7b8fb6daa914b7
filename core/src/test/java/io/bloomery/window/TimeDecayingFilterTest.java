package io.bloomery.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.hash.Hasher;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.Estimates;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Measured here, of T4 (time-decaying frequency): one key: the exact exponential sum to 1e-9;
 * 10,000 keys: none too low, all but 1 % exact.
 */
final class TimeDecayingFilterTest {

  private final AtomicLong now = new AtomicLong(1_700_000_000_000L);

  private TimeDecayingFilter exponential(long halfLife, TimeDecayingShape shape) {
    return TimeDecayingFilter.create(
        shape.withHalfLife(Duration.ofMillis(halfLife)), Hasher.xxh3(), ManualClock.of(now));
  }

  /** One key, 5 000 adds at random times: the exact exponential sum to 1e-9. */
  @Test
  void aSingleKeyHasTheExactSum() {
    TimeDecayingFilter filter = exponential(10_000, TimeDecayingShape.of(70, 7));
    SplittableRandom random = Seeds.random(4);
    long[] times = new long[5000];
    for (int i = 0; i < times.length; i++) {
      now.addAndGet(random.nextInt(40));
      times[i] = now.get();
      filter.addHash(42);
      if (i % 500 == 499) {
        now.addAndGet(random.nextInt(30_000));
        double sum = 0;
        for (int j = 0; j <= i; j++) {
          sum += Math.exp(-Math.log(2) / 10_000 * (now.get() - times[j]));
        }
        assertThat(filter.weightHash(42)).isCloseTo(sum, within(1e-9 * Math.max(1, sum)));
      }
    }
  }

  /** 10 000 keys, skewed: nothing below the truth, and a share of 1 - f exact. */
  @Test
  void weightsAreNeverTooLowAndMostAreExact() {
    int n = 10_000;
    TimeDecayingFilter filter = exponential(1_000_000, TimeDecayingShape.forKeys(n, 0.01));
    double[] truth = new double[n];
    long[] last = new long[n];
    double mu = Math.log(2) / 1_000_000;
    SplittableRandom random = Seeds.random(5);
    for (int i = 0; i < 100_000; i++) {
      now.addAndGet(random.nextInt(20));
      int key = i < n ? i : (int) (n * Math.pow(random.nextDouble(), 3));
      truth[key] = truth[key] * Math.exp(-mu * (now.get() - last[key])) + 1;
      last[key] = now.get();
      filter.addHash(Keys.hash(key));
    }
    int wrong = 0;
    for (int key = 0; key < n; key++) {
      double exact = truth[key] * Math.exp(-mu * (now.get() - last[key]));
      double weight = filter.weightHash(Keys.hash(key));
      assertThat(weight).isGreaterThanOrEqualTo(exact * (1 - 1e-12));
      wrong += weight > exact * (1 + 1e-9) ? 1 : 0;
    }
    // Another key shares all of a key's cells just as all of an outsider's are taken.
    Rates.assertRateAtMost(wrong, n, 0.01, 5);
    Rates.assertRate(wrong, n, filter.falsePositiveRate(), 5);
  }

  @Test
  void weightsHalveAndVanish() {
    TimeDecayingFilter filter = exponential(1000, TimeDecayingShape.of(1000, 4));
    assertThat(filter.add("x")).isTrue();
    assertThat(filter.weight("x")).isEqualTo(1);
    now.addAndGet(1000);
    assertThat(filter.weight("x")).isCloseTo(0.5, within(1e-12));
    assertThat(filter.add("x")).isFalse();
    assertThat(filter.weight("x")).isCloseTo(1.5, within(1e-12));
    now.addAndGet(29_000);
    assertThat(filter.mightContain("x")).isTrue();
    now.addAndGet(2_000);
    assertThat(filter.weight("x")).isZero(); // below 1e-9
    assertThat(filter.mightContain("x")).isFalse();
    assertThat(filter.falsePositiveRate()).isZero();
    assertThat(filter.add("x")).isTrue();
    now.addAndGet(1L << 50); // no underflow, no negative time
    assertThat(filter.weight("x")).isZero();
  }

  @Test
  void linearWeightsLoseOneATick() {
    TimeDecayingFilter filter =
        TimeDecayingFilter.create(
            TimeDecayingShape.of(1000, 4).withLinearDecay(Duration.ofSeconds(1)),
            Hasher.xxh3(),
            ManualClock.of(now));
    filter.addHash(7, 3.5);
    assertThat(filter.weightHash(7)).isEqualTo(3.5);
    now.addAndGet(999);
    assertThat(filter.weightHash(7)).isEqualTo(3.5);
    now.addAndGet(1);
    assertThat(filter.weightHash(7)).isEqualTo(2.5);
    filter.addHash(7);
    assertThat(filter.weightHash(7)).isEqualTo(3.5);
    now.addAndGet(3000);
    assertThat(filter.weightHash(7)).isEqualTo(0.5);
    now.addAndGet(1000);
    assertThat(filter.weightHash(7)).isZero();
    filter.addHash(7);
    assertThat(filter.weightHash(7)).isEqualTo(1);
    assertThat(filter.shape().decay()).isEqualTo(TimeDecayingShape.Decay.LINEAR);
  }

  @Test
  void aCopyGoesOnWithAnotherClock() {
    TimeDecayingFilter filter = exponential(1000, TimeDecayingShape.of(100, 4));
    filter.add(5L);
    AtomicLong later = new AtomicLong(now.get() + 2000);
    assertThat(filter.copy(ManualClock.of(later)).weight(5L)).isCloseTo(0.25, within(1e-12));
    TimeDecayingFilter copy = filter.copy();
    copy.add(5L);
    assertThat(filter.weight(5L)).isEqualTo(1);
    assertThat(copy.weight(5L)).isEqualTo(2);
    now.addAndGet(-5000); // a clock that goes back counts as stopped
    assertThat(filter.weight(5L)).isEqualTo(1);
  }

  @Test
  void impossibleOptionsAreRefused() {
    TimeDecayingFilter filter = exponential(1000, TimeDecayingShape.of(100, 4));
    assertThatThrownBy(() -> filter.addHash(1, 0)).hasMessageContaining("weight = 0");
    assertThatThrownBy(() -> filter.addHash(1, Double.NaN)).hasMessageContaining("weight = NaN");
    assertThat(filter.falsePositiveRate()).isZero();
    assertThatThrownBy(() -> TimeDecayingFilter.create(-1, 0.1))
        .hasMessageContaining("expectedKeys = -1");
    assertThatThrownBy(() -> TimeDecayingFilter.create(5, 0))
        .hasMessageContaining("falsePositiveRate = 0.0");
    TimeDecayingShape shape = TimeDecayingShape.of(100, 4);
    assertThatThrownBy(() -> shape.withHalfLife(Duration.ZERO)).hasMessageContaining("halfLife");
    assertThatThrownBy(() -> shape.withLinearDecay(Duration.ofMillis(-1)))
        .hasMessageContaining("period = PT-0.001S");
    assertThatThrownBy(() -> TimeDecayingShape.of(10, 3)).hasMessageContaining("multiple");
    assertThatThrownBy(() -> TimeDecayingShape.of(3, 3)).hasMessageContaining("cells = 3");
  }

  /** 1,000 keys that have not faded are counted within 5 deviations, and none afterwards. */
  @Test
  void keysAreEstimatedFromTheFill() {
    TimeDecayingFilter filter = exponential(1000, TimeDecayingShape.of(10_000, 5));
    filter.addHashes(Keys.members(1000), 0, 1000);
    assertThat(filter.cardinality())
        .isCloseTo(1000, within(5 * Estimates.cardinalityStandardDeviation(10_000, 5, 1000)));
    assertThat(filter.fillRatio())
        .isCloseTo(
            1 - BloomMath.zeroBitProbability(10_000, 1000, 5),
            within(5 * BloomMath.fillStandardDeviation(10_000, 1000, 5)));
    now.addAndGet(40_000);
    assertThat(filter.cardinality()).isZero();
    assertThat(filter.fillRatio()).isZero();
  }

  @Test
  void thePlannerKnowsIt() {
    Plan plan =
        Planner.standard()
            .plan(Needs.forKeys(100_000, 0.01).with(Need.WINDOW).with(Need.COUNTS))
            .best();
    assertThat(plan.kind()).isSameAs(TimeDecayingFilter.KIND);
    assertThat(plan.shape()).isEqualTo(TimeDecayingFilter.create(100_000, 0.01).shape());
    assertThat(plan.predictedRate()).isBetween(0.0099, 0.01);
    assertThat(plan.bitsPerKey()).isCloseTo(1227.9, within(0.05));
  }
}
