package io.bloomery.window;

import io.bloomery.FilterFormatException;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The time of a window: the number of adds so far, or milliseconds of a clock. It never goes back:
 * a clock that does is treated as stopped.
 *
 * <p>Only adds advance {@link #latest()}, and they do so before they write: a thread that reads a
 * cell and then {@code latest()} sees a tick no older than the cell.
 */
final class Ticks {

  /** The last tick that is accepted. */
  static final long MAX = 1L << 62;

  /** The longest window in ticks. */
  static final long MAX_WINDOW = 1L << 42;

  private final @Nullable InstantSource clock;
  private final AtomicLong latest;

  /** Counts milliseconds of a clock, or adds if the clock is null, starting at {@code latest}. */
  Ticks(@Nullable InstantSource clock, long latest) {
    this.clock = clock;
    this.latest = new AtomicLong(latest);
  }

  /** The time of a new filter: of the system's clock, or adds. */
  static Ticks start(boolean timed) {
    return new Ticks(timed ? InstantSource.system() : null, 0);
  }

  /** The time of a new filter by a clock; rejects a clock that would not be read. */
  static Ticks start(boolean timed, InstantSource clock) {
    Objects.requireNonNull(clock, "clock");
    if (!timed) {
      throw new IllegalArgumentException("clock: a window of adds has no clock");
    }
    return new Ticks(clock, 0);
  }

  /** Whole milliseconds, rounded up; 1 … {@link #MAX_WINDOW}. */
  static long millis(String name, Duration time) {
    Objects.requireNonNull(time, name);
    Arguments.inRange(name, time, Duration.ofNanos(1), Duration.ofMillis(MAX_WINDOW));
    return time.plusNanos(999_999).toMillis();
  }

  /** Reads the tick of the latest add; from then on the system clock provides the time. */
  static Ticks decode(boolean timed, Frame frame) throws FilterFormatException {
    return new Ticks(timed ? InstantSource.system() : null, frame.number("latest", 0, MAX));
  }

  /** Whether a tick is a millisecond. */
  boolean timed() {
    return clock != null;
  }

  /** The tick of the latest add. */
  long latest() {
    return latest.get();
  }

  /** The current tick. */
  long now() {
    long seen = latest.get();
    return clock == null ? seen : Math.max(seen, Math.min(clock.millis(), MAX));
  }

  /**
   * The tick of an add that began at {@code now}; afterwards {@link #latest()} is at least that
   * tick.
   */
  long next(long now) {
    if (clock == null) {
      long tick = latest.incrementAndGet();
      if (tick > MAX) {
        latest.decrementAndGet();
        throw new IllegalStateException("the window has counted 2^62 adds, the most there can be");
      }
      return tick;
    }
    publish(now);
    return now;
  }

  /** Makes {@link #latest()} at least {@code tick}. */
  void publish(long tick) {
    for (long seen = latest.get(); seen < tick; seen = latest.get()) {
      if (latest.compareAndSet(seen, tick)) {
        return;
      }
    }
  }

  /** The same time with another clock; rejects a clock that would not be read. */
  Ticks withClock(InstantSource other) {
    Objects.requireNonNull(other, "clock");
    if (clock == null) {
      throw new IllegalStateException("a window of adds has no clock");
    }
    return new Ticks(other, latest.get());
  }

  /** An independent copy. */
  Ticks copy() {
    return new Ticks(clock, latest.get());
  }
}
