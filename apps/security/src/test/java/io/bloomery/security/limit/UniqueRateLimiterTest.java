package io.bloomery.security.limit;

import static io.bloomery.security.limit.UniqueRateLimiter.Decision.COUNTED;
import static io.bloomery.security.limit.UniqueRateLimiter.Decision.LIMITED;
import static io.bloomery.security.limit.UniqueRateLimiter.Decision.REPEATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.bloomery.hash.Hasher;
import io.bloomery.security.limit.UniqueRateLimiter.Decision;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Race;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class UniqueRateLimiterTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final AtomicLong millis = new AtomicLong(HOUR.toMillis() * 1_000);
  private final InstantSource clock = () -> Instant.ofEpochMilli(millis.get());

  private LimitOptions options(int limit, long expectedEvents) {
    return LimitOptions.of(limit, HOUR, expectedEvents).withClock(clock);
  }

  @Test
  void anEventCountsOncePerPeriod() {
    UniqueRateLimiter limiter = UniqueRateLimiter.create(options(2, 1_000).withRates(1e-9, 1e-9));
    assertThat(limiter.tryAcquire("alice", "a")).isEqualTo(COUNTED);
    assertThat(limiter.tryAcquire("alice", "a")).isEqualTo(REPEATED);
    assertThat(limiter.tryAcquire("alice", "b")).isEqualTo(COUNTED);
    assertThat(limiter.tryAcquire("alice", "c")).isEqualTo(LIMITED);
    assertThat(limiter.tryAcquire("alice", "b")).isEqualTo(REPEATED);
    assertThat(limiter.tryAcquire("bob", "c")).isEqualTo(COUNTED);
    assertThat(limiter.tryAcquire("", "")).isEqualTo(COUNTED);
    assertThat(limiter.count("alice")).isEqualTo(2);
    assertThat(limiter.counted()).isEqualTo(4);
    millis.addAndGet(HOUR.toMillis() - 1);
    assertThat(limiter.tryAcquire("alice", "c")).isEqualTo(LIMITED);
    millis.addAndGet(1);
    assertThat(limiter.tryAcquire("alice", "c")).isEqualTo(COUNTED);
    assertThat(limiter.tryAcquire("alice", "a")).isEqualTo(COUNTED);
    millis.addAndGet(-1); // a clock that is set back does not empty anything
    assertThat(limiter.tryAcquire("alice", "a")).isEqualTo(REPEATED);
    assertThat(limiter.counted()).isEqualTo(2);
  }

  /**
   * Beside exact sets: a key is never limited below its limit while counters have room, counts are
   * never too low, and new events are missed at the rate that the filter states.
   */
  @Test
  void asAnExactModel() {
    int limit = 20;
    UniqueRateLimiter limiter =
        UniqueRateLimiter.create(options(limit, 4_000).withRates(.02, 1e-9));
    SplittableRandom random = Seeds.random(5);
    Map<Integer, Set<Integer>> countedOf = new HashMap<>();
    double expected = 0;
    double variance = 0;
    long missed = 0;
    double rate = 0;
    int steps = Effort.of(200_000);
    for (int step = 0; step < steps; step++) {
      if (step % 8_000 == 0) {
        millis.addAndGet(HOUR.toMillis());
        countedOf.clear();
      }
      if (step % 32 == 0) {
        rate = limiter.missRate();
      }
      int key = (int) (400 * Math.pow(random.nextDouble(), 3));
      boolean isRepeated = random.nextInt(4) == 0;
      int event = isRepeated ? random.nextInt(50) : 1_000 + step;
      Set<Integer> counted = countedOf.computeIfAbsent(key, any -> new HashSet<>());
      Decision decision = limiter.tryAcquire("k" + key, "e" + event);
      if (counted.contains(event)) {
        assertThat(decision).isEqualTo(REPEATED);
      } else {
        if (!isRepeated) {
          expected += rate;
          variance += rate * (1 - rate);
          missed += decision == REPEATED ? 1 : 0;
        }
        if (decision != REPEATED) {
          assertThat(decision).isEqualTo(counted.size() < limit ? COUNTED : LIMITED);
        }
        if (decision == COUNTED) {
          counted.add(event);
        }
      }
    }
    assertThat((missed - expected) / Math.sqrt(variance)).isBetween(-5.0, 5.0);
    assertThat(missed).isPositive();
  }

  /** A flood of keys with one event each, and one of keys at their limit: both keep the bound. */
  @Test
  void newKeysAreLimitedAtTheStatedRateAtMost() {
    int events = 200_000;
    int limit = 4;
    for (boolean atLimit : new boolean[] {false, true}) {
      UniqueRateLimiter limiter =
          UniqueRateLimiter.create(options(limit, events).withRates(1e-9, .01));
      for (int i = 0; i < events; i++) {
        limiter.tryAcquire("f" + (atLimit ? i / limit : i), "e" + i);
      }
      assertThat(limiter.earlyRate()).isLessThanOrEqualTo(.01);
      int trials = 100_000;
      int limited = 0;
      for (int i = 0; i < trials; i++) {
        limited += limiter.count("new" + i) >= limit ? 1 : 0;
      }
      Rates.assertRateAtMost(limited, trials, limiter.earlyRate(), 5);
      if (atLimit) {
        // Each row has its share of full counters: 1 - exp(-events / (limit * width)). Conservative
        // update leaves out those of keys that other keys raised, 1 % of them at most.
        double width = Math.ceil(events / (limit * Math.pow(.01, .25)));
        double exact = Math.pow(-Math.expm1(-events / (limit * width)), 4);
        Rates.assertRate(limited, trials, exact, 5);
      }
    }
  }

  @Test
  void memoryIsFixed() {
    UniqueRateLimiter limiter = UniqueRateLimiter.create(options(10, 10_000));
    long before = limiter.sizeInBits();
    for (int i = 0; i < 100_000; i++) {
      limiter.tryAcquire("2001:db8::" + Integer.toHexString(i), "x");
    }
    assertThat(limiter.sizeInBits()).isEqualTo(before);
    // Ten times as many events as expected, of which some looked repeated: the limiter says so.
    assertThat(limiter.counted()).isGreaterThan(50_000);
    assertThat(limiter.earlyRate()).isGreaterThan(.05);
  }

  /** 10^8 keys with an event each; the heap of this test is smaller than a map of them. */
  @Test
  @Tag("long")
  void aHundredMillionKeys() {
    UniqueRateLimiter limiter = UniqueRateLimiter.create(options(10, 100_000_000));
    assertThat(limiter.sizeInBits() / 8).isLessThan(620_000_000);
    byte[] key = new byte[16];
    byte[] event = {1};
    for (int i = 0; i < 100_000_000; i++) {
      for (int at = 0; at < 4; at++) {
        key[at] = (byte) (i >>> (8 * at));
      }
      limiter.tryAcquire(key, event);
    }
    // All but those that look repeated, one of 1,000 at the end and fewer before.
    assertThat(limiter.counted()).isBetween(99_900_000L, 100_000_000L);
    assertThat(limiter.earlyRate()).isLessThanOrEqualTo(1e-4);
  }

  @Test
  void threadsCountNothingTwice() {
    UniqueRateLimiter limiter =
        UniqueRateLimiter.create(options(10_000, 100_000).withRates(1e-9, .1));
    int events = 5_000;
    AtomicLong counted = new AtomicLong();
    Race.run(
        4,
        thread -> {
          for (int i = 0; i < events; i++) {
            if (limiter.tryAcquire("key", "e" + i) == COUNTED) {
              counted.incrementAndGet();
            }
          }
        });
    assertThat(counted.get()).isEqualTo(events).isEqualTo(limiter.count("key"));
  }

  @Test
  void optionsAreChecked() {
    LimitOptions options = options(1, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LimitOptions.of(0, HOUR, 1))
        .withMessageContaining("limit");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LimitOptions.of(1, Duration.ZERO, 1))
        .withMessageContaining("period");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LimitOptions.of(1, Duration.ofSeconds(Long.MAX_VALUE), 1))
        .withMessageContaining("period");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LimitOptions.of(1, HOUR, 0))
        .withMessageContaining("expectedEvents");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withRates(0, .1))
        .withMessageContaining("missRate");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withRates(.1, 1))
        .withMessageContaining("earlyRate");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LimitOptions(1, HOUR, 1, .1, .1, Hasher.xxh3(), clock))
        .withMessageContaining("key");
  }
}
