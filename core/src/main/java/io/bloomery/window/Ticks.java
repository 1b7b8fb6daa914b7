package io.bloomery.window;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time of a window: the number of adds so far, or milliseconds of a clock. It never goes back:
 * a clock that does is taken to stand still.
 *
 * <p>Only adds move {@link #latest()}, and they do so before they write: whoever reads a cell and
 * then {@code latest()} finds it not older than the cell.
 */
final class Ticks {

  /** The last tick that is accepted. */
  static final long MAX = 1L << 62;

  private final InstantSource clock;
  private final AtomicLong latest;

  /** Counts milliseconds of a clock, or adds if it is null; {@code latest} of them have passed. */
  Ticks(InstantSource clock, long latest) {
    this.clock = clock;
    this.latest = new AtomicLong(latest);
  }

  /** Whether a tick is a millisecond. */
  boolean timed() {
    return clock != null;
  }

  /** The tick of the latest add. */
  long latest() {
    return latest.get();
  }

  /** The present tick. */
  long now() {
    long seen = latest.get();
    return clock == null ? seen : Math.max(seen, Math.min(clock.millis(), MAX));
  }

  /** The tick of an add that began at {@code now}; {@link #latest()} is at least that from here. */
  long next(long now) {
    if (clock == null) {
      return latest.incrementAndGet();
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

  /** The same time told by another clock. */
  Ticks withClock(InstantSource other) {
    return new Ticks(other, latest.get());
  }

  /** A copy that goes on by itself. */
  Ticks copy() {
    return new Ticks(clock, latest.get());
  }
}
