package io.bloomery.window;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Schedules which words are checked for expired entries, so that each is visited once per lap and
 * no add does more than its share. The position follows from the tick alone, so nothing is stored.
 */
final class Sweep {

  private static final long LEAST_CHUNK = 32;

  private final long words;
  private final long chunk;
  private final long step;
  private final AtomicLong next;

  /** Visits all {@code words} words every {@code lap} ticks, starting at a tick. */
  Sweep(long words, long lap, long tick) {
    this.words = words;
    this.chunk = Math.min(words, Math.max(LEAST_CHUNK, ceilDiv(words, lap)));
    this.step = Math.max(1, lap / ceilDiv(words, chunk));
    this.next = new AtomicLong((tick / step + 1) * step);
  }

  private static long ceilDiv(long a, long b) {
    return (a + b - 1) / b;
  }

  /** Whether an add at this tick has words to visit. */
  boolean isDue(long tick) {
    return tick >= next.get();
  }

  /**
   * How many words from {@link #from} on the caller must visit, wrapping around: 0 if another
   * thread does it.
   */
  long claim(long due, long tick) {
    long steps = (tick - due) / step + 1;
    if (steps <= 0 || !next.compareAndSet(due, due + steps * step)) {
      return 0;
    }
    return steps >= words / chunk ? words : steps * chunk;
  }

  /** The tick at which the next visit is due. */
  long due() {
    return next.get();
  }

  /** The first word of the visit that was due at a tick. */
  long from(long due) {
    return due / step % ceilDiv(words, chunk) * chunk;
  }
}
