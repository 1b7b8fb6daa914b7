package io.bloomery.security.replay;

import static io.bloomery.security.replay.ReplayGuard.Decision.ACCEPTED;
import static io.bloomery.security.replay.ReplayGuard.Decision.AHEAD;
import static io.bloomery.security.replay.ReplayGuard.Decision.REPLAYED;
import static io.bloomery.security.replay.ReplayGuard.Decision.STALE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.Hasher;
import io.bloomery.security.replay.ReplayGuard.Counts;
import io.bloomery.security.replay.ReplayGuard.Decision;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Race;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class ReplayGuardTest {

  private static final long START = 1_700_000_000_000L;
  private static final long WINDOW = 60_000;
  private static final long TOLERANCE = 5_000;
  private static final byte[] KEY = "sixteen bytes ok".getBytes(US_ASCII);

  private final SetClock clock = new SetClock(START);

  private ReplayOptions options(long expectedIds, double rate) {
    return ReplayOptions.of(Duration.ofMillis(WINDOW), expectedIds)
        .withTolerance(Duration.ofMillis(TOLERANCE))
        .withFalseRejectRate(rate)
        .withKey(KEY)
        .withClock(clock);
  }

  private static byte[] export(ReplayGuard guard) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    guard.export(out);
    return out.toByteArray();
  }

  @Test
  void theEdgesOfTheWindow() throws IOException {
    ReplayGuard guard = ReplayGuard.open(options(1_000, 1e-9));
    assertThat(guard.accept("a", START - WINDOW)).isEqualTo(STALE);
    assertThat(guard.accept("a", START - WINDOW + 1)).isEqualTo(ACCEPTED);
    assertThat(guard.accept("b", START + TOLERANCE)).isEqualTo(ACCEPTED);
    assertThat(guard.accept("c", START + TOLERANCE + 1)).isEqualTo(AHEAD);
    assertThat(guard.accept("", START)).isEqualTo(ACCEPTED);
    assertThat(guard.accept("", START)).isEqualTo(REPLAYED);
    assertThat(guard.accept("now")).isEqualTo(ACCEPTED);
    clock.set(START + WINDOW);
    assertThat(guard.accept("now")).isEqualTo(REPLAYED);
    assertThat(guard.accept("c", START)).isEqualTo(STALE);
    assertThat(guard.accept("b", START + TOLERANCE)).isEqualTo(REPLAYED);
    clock.set(START + 3 * WINDOW);
    assertThat(guard.accept("now")).isEqualTo(ACCEPTED);
    assertThat(guard.counts()).isEqualTo(new Counts(5, 3, 2, 1));
  }

  @Test
  void aClockThatIsSetBackForgetsNothing() throws IOException {
    ReplayGuard guard = ReplayGuard.open(options(1_000, 1e-9));
    assertThat(guard.accept("a", START)).isEqualTo(ACCEPTED);
    clock.set(START - 10 * WINDOW);
    assertThat(guard.accept("a", START)).isEqualTo(REPLAYED);
    assertThat(guard.accept("b", START)).isEqualTo(ACCEPTED);
    assertThat(guard.accept("c", START - 10 * WINDOW)).isEqualTo(STALE);
  }

  /**
   * Random ids at random times, about half of them repeated, while the clock goes forwards in steps
   * of all sizes; a map is the exact model. False rejects are Bernoulli draws, each with the rate
   * that the guard states just before.
   */
  @Test
  void asAnExactModel() throws IOException {
    int steps = Effort.of(400_000);
    ReplayGuard guard = ReplayGuard.open(options(200, .02));
    SplittableRandom random = Seeds.random(1);
    Map<Long, Long> accepted = new HashMap<>();
    long now = START;
    long newIds = 0;
    double expected = 0;
    double variance = 0;
    long rejected = 0;
    double rate = 0;
    for (int step = 0; step < steps; step++) {
      if (random.nextInt(32) == 0) {
        now += random.nextInt(20) == 0 ? random.nextLong(3 * WINDOW) : random.nextLong(2_000);
        clock.set(now);
      }
      long id = random.nextBoolean() ? newIds - 1 - random.nextLong(3_000) : newIds;
      Long first = accepted.get(id);
      if (first == null) {
        id = newIds++; // another answer about a rejected id would be no draw of its own
      }
      long time =
          first != null ? first : now - WINDOW - 100 + random.nextLong(WINDOW + TOLERANCE + 200);
      boolean isStale = time <= now - WINDOW;
      boolean isAhead = time > now + TOLERANCE;
      if (step % 16 == 0) {
        rate = guard.falseRejectRate();
      }
      Decision decision = guard.accept(Long.toString(id), time);
      if (isStale || isAhead) {
        assertThat(decision).isEqualTo(isStale ? STALE : AHEAD);
      } else if (first != null) {
        assertThat(decision).isEqualTo(REPLAYED);
      } else {
        expected += rate;
        variance += rate * (1 - rate);
        if (decision == REPLAYED) {
          rejected++;
        } else {
          assertThat(decision).isEqualTo(ACCEPTED);
          accepted.put(id, time);
        }
      }
    }
    assertThat(rejected).isGreaterThan(100);
    assertThat((rejected - expected) / Math.sqrt(variance)).isBetween(-5.0, 5.0);
  }

  private static void raceFor(ReplayGuard guard, int ids, SetClock clock) {
    AtomicIntegerArray accepted = new AtomicIntegerArray(ids);
    int block = 256;
    Race.run(
        2,
        thread -> {
          // Both present the same ids, in each other's way; time goes on, and filters are emptied.
          SplittableRandom order = Seeds.random(7 + thread);
          for (int from = 0; from < ids; from += block) {
            int end = Math.min(ids, from + block);
            int first = order.nextInt(from, end);
            for (int i = 0; i < end - from; i++) {
              int id = from + (first - from + i) % (end - from);
              if (guard.accept(Integer.toString(id), START + id / 1_000) == ACCEPTED) {
                accepted.incrementAndGet(id);
              }
            }
            clock.set(START + from / 1_000);
          }
        });
    int missing = 0;
    for (int id = 0; id < ids; id++) {
      assertThat(accepted.get(id)).isLessThanOrEqualTo(1);
      missing += 1 - accepted.get(id);
    }
    // A false reject hits an id for both threads.
    assertThat(missing).isLessThan(ids / 1_000);
  }

  private ReplayOptions optionsOfRace(int ids) {
    return ReplayOptions.of(Duration.ofMillis(1_000), ids)
        .withTolerance(Duration.ofMillis(500))
        .withFalseRejectRate(1e-6)
        .withClock(clock);
  }

  @Test
  void twoThreadsAcceptNoIdTwice() throws IOException {
    int ids = Effort.of(800_000);
    raceFor(ReplayGuard.open(optionsOfRace(ids)), ids, clock);
  }

  @Test
  @Tag("long")
  void twoThreadsAcceptNoneOfTenMillionIdsTwice() throws IOException {
    raceFor(ReplayGuard.open(optionsOfRace(10_000_000)), 10_000_000, clock);
  }

  @Test
  void nodesThatExchangeTheirFiltersRejectEachOthersIds() throws IOException {
    ReplayGuard one = ReplayGuard.open(options(1_000, 1e-9));
    ReplayGuard two = ReplayGuard.open(options(1_000, 1e-9));
    assertThat(one.accept("a", START)).isEqualTo(ACCEPTED);
    assertThat(two.accept("a", START)).isEqualTo(ACCEPTED); // before the exchange
    assertThat(one.accept("old", START - WINDOW + 1)).isEqualTo(ACCEPTED);
    two.merge(new ByteArrayInputStream(export(one)));
    assertThat(two.accept("old", START - WINDOW + 1)).isEqualTo(REPLAYED);
    assertThat(two.accept("b", START)).isEqualTo(ACCEPTED);

    one.merge(new ByteArrayInputStream(export(two)));
    assertThat(one.accept("b", START)).isEqualTo(REPLAYED);
    assertThat(one.sizeInBits()).isEqualTo(two.sizeInBits());
  }

  /**
   * A node whose clock is ahead has entered the next interval; its ids are known here at once, and
   * stay known until their time is over.
   */
  @Test
  void idsOfANodeWhoseClockIsAheadAreKnown() throws IOException {
    long span = WINDOW + TOLERANCE;
    SetClock ahead = new SetClock(START);
    for (int from = 0; from < span; from += 997) { // the beginning of an interval is among them
      for (int skew : new int[] {1, 2_000, (int) span - 1}) {
        clock.set(START + from);
        ahead.set(START + from + skew);
        ReplayGuard fast = ReplayGuard.open(options(1_000, 1e-9).withClock(ahead));
        ReplayGuard slow = ReplayGuard.open(options(1_000, 1e-9));
        assertThat(fast.accept("a")).isEqualTo(ACCEPTED);
        assertThat(fast.accept("b", ahead.millis())).isEqualTo(ACCEPTED);
        slow.merge(new ByteArrayInputStream(export(fast)));
        slow.merge(new ByteArrayInputStream(export(fast)));
        assertThat(slow.accept("a")).isEqualTo(REPLAYED);
        assertThat(slow.accept("c", clock.millis())).isEqualTo(ACCEPTED);
        clock.set(ahead.millis());
        assertThat(slow.accept("b", ahead.millis())).isEqualTo(REPLAYED);
        clock.set(ahead.millis() + WINDOW - 1);
        assertThat(slow.accept("b", ahead.millis())).isEqualTo(REPLAYED);
        assertThat(slow.accept("a")).isEqualTo(REPLAYED);
        assertThat(slow.accept("c", START + from)).isNotEqualTo(ACCEPTED);
        clock.set(ahead.millis() + 3 * span);
        assertThat(slow.accept("a")).isEqualTo(ACCEPTED);
        assertThat(slow.accept("b", clock.millis())).isEqualTo(ACCEPTED);
      }
    }
  }

  /** A clock that is further ahead is wrong; nothing of its node is added. */
  @Test
  void aNodeWhoseClockIsFarAheadIsRefused() throws IOException {
    SetClock ahead = new SetClock(START + 3 * (WINDOW + TOLERANCE));
    ReplayGuard fast = ReplayGuard.open(options(1_000, 1e-9).withClock(ahead));
    fast.accept("a");
    ReplayGuard slow = ReplayGuard.open(options(1_000, 1e-9));
    byte[] exported = export(fast);
    assertThatThrownBy(() -> slow.merge(new ByteArrayInputStream(exported)))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("ahead");
    assertThat(slow.accept("a")).isEqualTo(ACCEPTED);
  }

  /** An id without a time of its own is never stale, however long its thread sleeps. */
  @Test
  void threadsThatAreOvertakenByTheClock() throws IOException {
    ReplayGuard guard = ReplayGuard.open(options(1_000, 1e-9));
    Race.run(
        2,
        thread -> {
          for (int i = 0; i < Effort.of(200_000); i++) {
            if (thread == 0) {
              clock.set(clock.millis() + 2 * (WINDOW + TOLERANCE));
            }
            Decision decision = guard.accept(thread + " " + i);
            if (decision == STALE) { // others may be rejected: a thread that runs alone adds many
              throw new AssertionError(decision);
            }
          }
        });
  }

  /** An export that arrives late adds the epochs that are still kept, and no other. */
  @Test
  void anOldExportAddsWhatIsStillCurrent() throws IOException {
    ReplayGuard one = ReplayGuard.open(options(1_000, 1e-9));
    for (int i = 0; i < 1_000; i++) {
      one.accept("id " + i);
    }
    byte[] old = export(one);
    clock.set(START + 10 * WINDOW);
    ReplayGuard two = ReplayGuard.open(options(1_000, 1e-9));
    two.merge(new ByteArrayInputStream(old));
    assertThat(two.falseRejectRate()).isZero();
  }

  @Test
  void exportsThatDoNotFitAreRefusedAndChangeNothing() throws IOException {
    ReplayGuard guard = ReplayGuard.open(options(1_000, 1e-9));
    guard.accept("a");
    byte[] sound = export(guard);
    ReplayOptions options = options(1_000, 1e-9);
    for (ReplayOptions other :
        new ReplayOptions[] {
          options(2_000, 1e-9),
          options.withTolerance(Duration.ZERO),
          ReplayOptions.of(Duration.ofMillis(WINDOW - 1), 1_000).withKey(KEY).withClock(clock)
        }) {
      ReplayGuard target = ReplayGuard.open(other);
      assertThatThrownBy(() -> target.merge(new ByteArrayInputStream(sound)))
          .isInstanceOfAny(IncompatibleFiltersException.class, FilterFormatException.class);
      assertThat(target.falseRejectRate()).isZero();
    }
    ReplayGuard otherKey = ReplayGuard.open(options.withKey(new byte[16]));
    assertThatThrownBy(() -> otherKey.merge(new ByteArrayInputStream(sound)))
        .isInstanceOfAny(IOException.class, IllegalArgumentException.class);
    assertThat(otherKey.falseRejectRate()).isZero();
    SplittableRandom random = Seeds.random(3);
    ReplayGuard target = ReplayGuard.open(options);
    for (int round = 0; round < Effort.of(2_000); round++) {
      byte[] damaged = sound.clone();
      int bit = round < 300 ? round : random.nextInt(8 * sound.length); // all of the header
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> target.merge(new ByteArrayInputStream(damaged)))
          .as("bit %d", bit)
          .isInstanceOfAny(IncompatibleFiltersException.class, IOException.class);
      assertThat(target.falseRejectRate()).isZero();
    }
    for (int round = 0; round < Effort.of(2_000); round++) {
      int length = random.nextInt(sound.length);
      byte[] cut = Arrays.copyOf(sound, length);
      assertThatThrownBy(() -> target.merge(new ByteArrayInputStream(cut)))
          .isInstanceOfAny(EOFException.class, FilterFormatException.class);
      assertThat(target.falseRejectRate()).isZero();
    }
  }

  @Test
  void optionsAreChecked() {
    ReplayOptions options = options(10, .01);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReplayOptions.of(Duration.ZERO, 10))
        .withMessageContaining("window");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withTolerance(Duration.ofMillis(-1)))
        .withMessageContaining("tolerance");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withFalseRejectRate(1))
        .withMessageContaining("falseRejectRate");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReplayOptions.of(Duration.ofSeconds(1), -1))
        .withMessageContaining("expectedIds");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ReplayOptions(
                    Duration.ofSeconds(1),
                    Duration.ZERO,
                    1,
                    .1,
                    Hasher.xxh3(),
                    null,
                    Duration.ZERO,
                    clock))
        .withMessageContaining("key");
  }
}
