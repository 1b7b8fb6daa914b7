package io.bloomery.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Race;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.Estimates;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Measured here, of T2 (decaying): lazy equals the eager form answer by answer, also across 2⁴⁰
 * adds; (m, k, W) = (512, 4, 64), (1024, 6, 128), (2048, 4, 512): .0226, .0206, .1589 (formula
 * .0230, .0210, .1591), no false negative.
 *
 * <p>Of T3 (blocked decaying): (W, T) = (100, 10), (128, 16), (64, 64): no false negative, .01069,
 * .02117, .01187 (own formula .01071, .02104, .01194), between the formulas for W and W + 2T; 77.0
 * bits/key at 1 % (204.6 with granularity 1).
 */
final class DecayingBloomFilterTest {

  /** The paper's form: counters that one block in turn counts down at each add. */
  private static final class Eager {
    private final DecayingShape shape;
    private final long[] counters;
    private final Modulus modulus;
    private long tick;

    Eager(DecayingShape shape, long tick) {
      this.shape = shape;
      this.counters = new long[(int) shape.cells()];
      this.modulus = new Modulus(shape.cells());
      this.tick = tick;
    }

    boolean contains(long hash) {
      for (int i = 0; i < shape.hashesPerKey(); i++) {
        if (counters[(int) Draws.index(hash, i, modulus)] == 0) {
          return false;
        }
      }
      return true;
    }

    void add(long hash) {
      tick++;
      long t = shape.granularity();
      for (int i = 0; i < counters.length; i++) {
        long block = Mix.reduce(i * Long.divideUnsigned(-1L, shape.cells()), t);
        if (counters[i] > 0 && (tick + block) % t == 0) {
          counters[i]--;
        }
      }
      for (int i = 0; i < shape.hashesPerKey(); i++) {
        counters[(int) Draws.index(hash, i, modulus)] = shape.lives();
      }
    }
  }

  static DecayingBloomFilter adds(long window, long step, long cells, int k, long latest) {
    return DecayingBloomFilter.create(
        new DecayingShape(cells, k, window, step, false), Hasher.xxh3(), new Ticks(null, latest));
  }

  private static DecayingBloomFilter timed(
      long millis, long step, long cells, int k, AtomicLong now) {
    return DecayingBloomFilter.create(
        new DecayingShape(cells, k, millis, step, true), Hasher.xxh3(), ManualClock.of(now));
  }

  /** Every answer of 3 000 adds of keys that come again, also across 2^40 adds. */
  @ParameterizedTest
  @CsvSource({
    "63,1,512,4",
    "127,1,1024,6",
    "100,10,700,5",
    "128,16,700,5",
    "64,64,700,5",
    "1,1,64,3",
    "2,2,64,3"
  })
  void lazyIsEager(long window, long step, long cells, int k) {
    for (long start : new long[] {0, (1L << 40) - 1000, (1L << 61) - 7}) {
      DecayingBloomFilter lazy = adds(window, step, cells, k, start);
      Eager eager = new Eager(lazy.shape(), start);
      Property.check(
          window,
          1,
          draw -> {
            for (int i = 0; i < 3000; i++) {
              long hash = Keys.hash(draw.between(0L, 3 * window));
              long other = Keys.hash(draw.between(0L, 3 * window));
              assertThat(lazy.mightContainHash(other)).isEqualTo(eager.contains(other));
              assertThat(lazy.addHash(hash)).isEqualTo(!eager.contains(hash));
              eager.add(hash);
            }
          });
    }
  }

  /** The last W adds are found, and with exact edges no other. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 64, 100, 1000})
  void theEdgeOfAWindowOfAdds(long window) {
    DecayingBloomFilter filter = adds(window, 1, 1 << 20, 5, 0);
    int n = (int) (3 * window);
    long[] keys = Keys.members(n);
    for (int i = 0; i < n; i++) {
      assertThat(filter.addHash(keys[i])).isTrue();
      assertThat(filter.mightContainHash(keys[Math.max(0, i - (int) window + 1)])).isTrue();
      if (i >= window) {
        assertThat(filter.mightContainHash(keys[i - (int) window])).isFalse();
      }
    }
  }

  /** A key of age W - 1 ms is found, of age W not; a granular one is gone after W + 2T. */
  @Test
  void theEdgeOfAWindowOfTime() {
    AtomicLong now = new AtomicLong(1_700_000_000_000L);
    for (long step : new long[] {1, 7, 100}) {
      for (int shift = 0; shift < 50; shift++) {
        DecayingBloomFilter filter = timed(1000, step, 5000, 4, now);
        now.addAndGet(shift);
        assertThat(filter.addHash(42)).isTrue();
        now.addAndGet(999);
        assertThat(filter.mightContainHash(42)).isTrue();
        now.addAndGet(step == 1 ? 1 : 2 * step);
        assertThat(filter.mightContainHash(42)).isFalse();
        assertThat(filter.addHash(42)).isTrue();
        assertThat(filter.addHash(42)).isFalse();
      }
    }
  }

  /** Random pauses, from none to many windows: no key is lost, and none comes back to life. */
  @ParameterizedTest
  @ValueSource(longs = {1, 8, 100})
  void pausesOfAnyLength(long step) {
    Property.check(
        step,
        40,
        draw -> {
          AtomicLong now = new AtomicLong(draw.between(0L, 1L << 42));
          DecayingBloomFilter filter = timed(200, step, 40_000, 6, now);
          Map<Long, Long> added = new HashMap<>();
          for (int i = 0; i < 400; i++) {
            now.addAndGet(
                draw.between(0, 19) == 0 ? draw.between(0L, 3000L) : draw.between(0L, 9L));
            long key = draw.between(0L, 200L);
            Long at = added.get(key);
            boolean inside = at != null && now.get() - at < 200;
            boolean gone = at == null || now.get() - at >= 200 + 2 * step;
            boolean found = filter.mightContainHash(Keys.hash(key));
            assertThat(found || !inside).isTrue();
            assertThat(found && gone).isFalse();
            if (draw.between(0, 2) > 0) {
              assertThat(filter.addHash(Keys.hash(key))).isEqualTo(!found);
              added.put(key, now.get());
            }
          }
        });
  }

  /** Rates of the paper's windows W, ours W - 1: (512,4,64), (1024,6,128), (2048,4,512). */
  @ParameterizedTest
  @CsvSource({"512,4,64,0.0229", "1024,6,128,0.0210", "2048,4,512,0.159", "585,6,65,0.0125"})
  void publishedRates(long cells, int k, long window, double rate) {
    DecayingBloomFilter filter = adds(window - 1, 1, cells, k, 0);
    // To the last printed digit; .02095 is printed as .0210.
    assertThat(BloomMath.classicRate(cells, window - 1, k))
        .isCloseTo(rate, within(rate < 0.1 ? 5.4e-5 : 5e-4));
    int n = 400_000;
    int positives = 0;
    for (long hash : Keys.members(n)) {
      positives += filter.addHash(hash) ? 0 : 1;
    }
    double expected = filter.shape().falsePositiveRate(window - 1);
    double error = error(n, cells, window - 1, k, expected);
    assertThat(error).isLessThan(0.015);
    assertThat(positives / (double) n).isCloseTo(expected, within(5 * error * expected));
  }

  /** The relative standard error of a rate measured by n adds. */
  private static double error(int n, long cells, long window, int k, double rate) {
    // Binomial, and n / W windows whose own rates differ by k · sd(fill) / fill.
    double fill = 1 - BloomMath.zeroBitProbability(cells, window, k);
    double ofWindows = k * BloomMath.fillStandardDeviation(cells, window, k) / fill;
    return Math.sqrt(1 / (n * rate) + 2 * ofWindows * ofWindows * (window + 1) / n);
  }

  /** W = 64 in 4096 bits of 7-bit counters, m = 585: 1.25 %, our W; W = 100 would give 6 %. */
  @Test
  void twoPercentIn4096Bits() {
    assertThat(BloomMath.classicRate(4096 / 7, 64, 6)).isCloseTo(0.0125, within(0.00005));
    assertThat(BloomMath.classicRate(4096 / 7, 100, 4)).isCloseTo(0.060, within(0.0005));
  }

  /** Between the formulas for W and W + 2T, and the shape's own from both sides. */
  @ParameterizedTest
  @CsvSource({"100,10,1000,6", "128,16,1100,6", "64,64,900,5", "1000,8,9600,7"})
  void blockedRatesLieBetween(long window, long step, long cells, int k) {
    DecayingBloomFilter filter = adds(window, step, cells, k, 0);
    int n = 400_000;
    long[] keys = Keys.members(n);
    int positives = 0;
    for (int i = 0; i < n; i++) {
      positives += filter.addHash(keys[i]) ? 0 : 1;
      assertThat(filter.mightContainHash(keys[Math.max(0, i - (int) window + 1)])).isTrue();
    }
    double rate = positives / (double) n;
    double expected = filter.shape().falsePositiveRate(window);
    double error = error(n, cells, window, k, expected);
    assertThat(rate)
        .isBetween(
            (1 - 5 * error) * BloomMath.classicRate(cells, window, k),
            (1 + 5 * error) * BloomMath.classicRate(cells, window + 2 * step, k));
    assertThat(rate).isCloseTo(expected, within(5 * error * expected));
  }

  @Test
  void sizedByItsOwnFormula() {
    for (long window : new long[] {1, 2, 10, 1000, 1_000_000}) {
      for (double rate : new double[] {0.1, 0.01, 1e-9}) {
        for (long step : new long[] {1, DecayingShape.defaultGranularity(window)}) {
          DecayingShape shape = DecayingShape.forKeys(window, rate, window, step);
          assertThat(shape.falsePositiveRate(window)).isLessThanOrEqualTo(rate);
          assertThat(shape.cellBits()).isLessThanOrEqualTo(step == 1 ? 21 : 8);
        }
      }
    }
    assertThat(DecayingShape.forKeys(1_000_000, 0.01, 1_000_000, 7813).sizeInBits() / 1e6)
        .isCloseTo(77.05, within(0.005));
  }

  /** Two threads add 200 000 keys each: every key of the window is found. */
  @Test
  void threadsLoseNoKeyInsideTheWindow() {
    int window = 20_000;
    DecayingBloomFilter filter =
        DecayingBloomFilter.create(DecayingShape.forKeys(window, 0.01, window, 64));
    AtomicLong done = new AtomicLong();
    Race.run(
        2,
        thread -> {
          long[] keys = Keys.members(200_000, thread);
          long[] at = new long[keys.length];
          for (int i = 0; i < keys.length; i++) {
            at[i] = done.get();
            filter.addHash(keys[i]);
            done.incrementAndGet();
            int back = Math.max(0, i - 1000);
            boolean found = filter.mightContainHash(keys[back]);
            // Two adds may be under way that are not counted.
            if (!found && done.get() + 2 - at[back] < window) {
              throw new AssertionError("key " + back + " of thread " + thread + " is missing");
            }
          }
        });
  }

  /**
   * A thread reads the clock and is held up while another one adds: granularity 1, so that a cell
   * dies at the age of 1,000. Its late stamp makes no cell older, and one that has expired by then
   * is not written at all.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 500, 999, 1_000, 1_001, 30_000})
  void aLateThreadMakesNoCellOlder(long delay) throws IOException {
    AtomicLong now = new AtomicLong(10_000);
    Deque<Runnable> meanwhile = new ArrayDeque<>();
    InstantSource clock =
        () -> {
          Instant read = Instant.ofEpochMilli(now.get());
          if (!meanwhile.isEmpty()) {
            meanwhile.remove().run();
          }
          return read;
        };
    DecayingShape shape = new DecayingShape(5_000, 4, 1_000, 1, true);
    DecayingBloomFilter filter = DecayingBloomFilter.create(shape, Hasher.xxh3(), clock);
    DecayingBloomFilter onTime = DecayingBloomFilter.create(shape, Hasher.xxh3(), clock);
    Runnable later =
        () -> {
          now.addAndGet(delay);
          filter.addHash(1);
        };
    meanwhile.add(later);
    filter.addHash(1);
    onTime.addHash(1);
    assertThat(bytes(filter)).as("the same key, later").isEqualTo(bytes(onTime));
    meanwhile.add(later);
    filter.addHash(2);
    onTime.addHash(1);
    if (delay >= 1_000) {
      assertThat(bytes(filter)).as("another key that has expired").isEqualTo(bytes(onTime));
    } else {
      assertThat(filter.mightContainHash(2)).isTrue();
      now.addAndGet(1_000 - delay);
    }
    assertThat(filter.mightContainHash(2)).isFalse();
    assertThat(filter.mightContainHash(1)).isTrue();
  }

  private static byte[] bytes(DecayingBloomFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  @Test
  void aSavedFilterGoesOnWithAnotherClock() {
    AtomicLong now = new AtomicLong(5_000);
    DecayingBloomFilter filter =
        DecayingBloomFilter.create(
            DecayingShape.forKeys(100, 0.01, Duration.ofSeconds(1)),
            Hasher.xxh3(),
            ManualClock.of(now));
    filter.add("x");
    AtomicLong later = new AtomicLong(5_900);
    DecayingBloomFilter copy = filter.copy(ManualClock.of(later));
    assertThat(copy.mightContain("x")).isTrue();
    later.set(7_000);
    assertThat(copy.mightContain("x")).isFalse();
    assertThat(filter.mightContain("x")).isTrue();
    now.set(0); // a clock that goes back counts as stopped
    assertThat(filter.mightContain("x")).isTrue();
    assertThat(filter.shape().timed()).isTrue();
    assertThat(filter.toString()).contains("window=1000").contains("timed=true");
    assertThatThrownBy(() -> adds(5, 1, 64, 2, 0).copy(ManualClock.of(now)))
        .isInstanceOf(IllegalStateException.class);
  }

  /** The keys of a window of 1,000 adds are counted within 5 deviations. */
  @Test
  void keysAreEstimatedFromTheFill() {
    DecayingBloomFilter filter = adds(1000, 1, 10_000, 5, 0);
    assertThat(filter.cardinality()).isZero();
    filter.addHashes(Keys.members(5000), 0, 5000);
    assertThat(filter.cardinality())
        .isCloseTo(1000, within(5 * Estimates.cardinalityStandardDeviation(10_000, 5, 1000)));
    assertThat(filter.fillRatio())
        .isCloseTo(
            1 - BloomMath.zeroBitProbability(10_000, 1000, 5),
            within(5 * BloomMath.fillStandardDeviation(10_000, 1000, 5)));
  }
}
