package io.bloomery.internal.bits;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The excess of a few counters above a limit, by position: one number each, without a bound. Not
 * thread-safe.
 */
final class HighCounters {

  /** Approximate size of a map entry and its two numbers, in bits. */
  private static final int ENTRY_BITS = 88 * Byte.SIZE;

  private final int chunkBits;
  private final Map<Long, Long> counts = new HashMap<>();
  private final Map<Integer, Long> sums = new HashMap<>();

  HighCounters(int chunkBits) {
    this.chunkBits = chunkBits;
  }

  HighCounters copy() {
    HighCounters copy = new HighCounters(chunkBits);
    copy.counts.putAll(counts);
    copy.sums.putAll(sums);
    return copy;
  }

  /** The excess of a counter above the limit. */
  long get(long position) {
    return counts.isEmpty() ? 0 : counts.getOrDefault(position, 0L);
  }

  /** The sum of a chunk's counters above the limit. */
  long sum(int chunk) {
    return sums.isEmpty() ? 0 : sums.getOrDefault(chunk, 0L);
  }

  /** Raises a counter that is at the limit or above it. */
  void add(long position, long by) {
    counts.merge(position, by, Long::sum);
    sums.merge((int) (position / chunkBits), by, Long::sum);
  }

  /** Lowers a counter by one; returns false and changes nothing if it is not above the limit. */
  boolean decrement(long position) {
    if (get(position) == 0) {
      return false;
    }
    counts.merge(position, -1L, HighCounters::sumOrNull);
    sums.merge((int) (position / chunkBits), -1L, HighCounters::sumOrNull);
    return true;
  }

  private static @Nullable Long sumOrNull(long a, long b) {
    return a + b == 0 ? null : Long.valueOf(a + b);
  }

  /** Approximate memory of the entries. */
  long heldBits() {
    return (long) counts.size() * ENTRY_BITS;
  }
}
