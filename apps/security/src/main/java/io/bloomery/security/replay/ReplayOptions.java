package io.bloomery.security.replay;

import io.bloomery.hash.Hasher;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link ReplayGuard} remembers, and where.
 *
 * @param window how long an id is remembered; ids with an older time are refused
 * @param tolerance how far an id's time may be ahead of the clock
 * @param expectedIds how many ids are accepted within the window, on all nodes that merge
 * @param falseRejectRate the probability that a new id is rejected while no more ids arrive than
 *     expected
 * @param hasher a keyed hash, the same on all nodes and after a restart: who knows the key can make
 *     ids that collide
 * @param directory where accepted ids are recorded, so that a restart remembers them; null for
 *     memory only
 * @param syncEvery how long accepted ids may be missing on disk; zero writes each before it is
 *     accepted
 * @param clock the time
 */
public record ReplayOptions(
    Duration window,
    Duration tolerance,
    long expectedIds,
    double falseRejectRate,
    Hasher hasher,
    @Nullable Path directory,
    Duration syncEvery,
    InstantSource clock) {

  private static final Duration LONGEST = Duration.ofDays(3660);

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if a duration is negative, the window shorter than a
   *     millisecond or one of them longer than ten years, or if the hash is not keyed
   */
  public ReplayOptions {
    Objects.requireNonNull(clock, "clock");
    requireWithin("window", window, Duration.ofMillis(1));
    requireWithin("tolerance", tolerance, Duration.ZERO);
    requireWithin("syncEvery", syncEvery, Duration.ZERO);
    if (expectedIds < 0) {
      throw new IllegalArgumentException("expectedIds = " + expectedIds + " is negative");
    }
    if (!(falseRejectRate > 0 && falseRejectRate < 1)) {
      throw new IllegalArgumentException(
          "falseRejectRate = " + falseRejectRate + " is not between 0 and 1");
    }
    if (!hasher.isKeyed()) {
      throw new IllegalArgumentException("hasher has no key, and ids come from strangers");
    }
  }

  /**
   * In memory, with a random key, by the system's clock; the tolerance is zero and one of a million
   * new ids is rejected.
   *
   * @param window how long an id is remembered
   * @param expectedIds how many ids are accepted within the window
   * @return options
   */
  public static ReplayOptions of(Duration window, long expectedIds) {
    byte[] key = new byte[16];
    new SecureRandom().nextBytes(key);
    return new ReplayOptions(
        window,
        Duration.ZERO,
        expectedIds,
        1e-6,
        Hasher.keyed(key),
        null,
        Duration.ZERO,
        Clock.systemUTC());
  }

  private static void requireWithin(String name, Duration value, Duration least) {
    if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%s = %s is not between %s and %s".formatted(name, value, least, LONGEST));
    }
  }

  /**
   * The same with another tolerance for clocks that disagree.
   *
   * @param ahead how far an id's time may be ahead of the clock
   * @return changed options
   */
  public ReplayOptions withTolerance(Duration ahead) {
    return new ReplayOptions(
        window, ahead, expectedIds, falseRejectRate, hasher, directory, syncEvery, clock);
  }

  /**
   * The same with another rate of false rejects.
   *
   * @param rate the probability that a new id is rejected
   * @return changed options
   */
  public ReplayOptions withFalseRejectRate(double rate) {
    return new ReplayOptions(
        window, tolerance, expectedIds, rate, hasher, directory, syncEvery, clock);
  }

  /**
   * The same with a given key, which all nodes that merge share, and which a restart needs again.
   *
   * @param key 16 secret bytes
   * @return changed options
   */
  public ReplayOptions withKey(byte[] key) {
    return new ReplayOptions(
        window,
        tolerance,
        expectedIds,
        falseRejectRate,
        Hasher.keyed(key),
        directory,
        syncEvery,
        clock);
  }

  /**
   * The same, recording accepted ids in a directory of this guard alone. Give the key as well: a
   * random one does not fit after a restart.
   *
   * @param place the directory, which is made if it is absent
   * @param every how long accepted ids may be missing on disk, and so be accepted again after the
   *     machine loses power; zero for never, at the cost of waiting for the disk
   * @return changed options
   */
  public ReplayOptions recordedIn(Path place, Duration every) {
    return new ReplayOptions(
        window, tolerance, expectedIds, falseRejectRate, hasher, place, every, clock);
  }

  /**
   * The same with another clock.
   *
   * @param source the time
   * @return changed options
   */
  public ReplayOptions withClock(InstantSource source) {
    return new ReplayOptions(
        window, tolerance, expectedIds, falseRejectRate, hasher, directory, syncEvery, source);
  }

  /** Milliseconds that a filter covers, so that two of them cover all times that are accepted. */
  long span() {
    return window.toMillis() + tolerance.toMillis();
  }

  /** The ids that arrive while one filter is in use. */
  long idsPerSpan() {
    return (long) Math.ceil((double) expectedIds * span() / window.toMillis());
  }
}
