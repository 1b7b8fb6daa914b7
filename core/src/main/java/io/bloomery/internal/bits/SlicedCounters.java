package io.bloomery.internal.bits;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Counters of 2 to 8 bits, one for each bit of some words: the bit shows whether the counter is
 * above 0, and its value minus 1 is in {@code width - 1} further words, bit p of it in word p,
 * lowest first. So a query reads only bits, and all counters of a mask are raised or lowered at
 * once, with a few logical operations for each of those words. A counter saturates at {@code
 * 2^(width - 1)} and stays there.
 *
 * <p>Threads: where words are shared, writers of the same stripe of words wait for each other;
 * readers of {@link #flags} never wait, and a flag whose counter stays above 0 is set all the time.
 */
public final class SlicedCounters {

  private static final VarHandle LOCKS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final int MAX_STRIPES = 1 << 12;
  private static final int SPINS = 1 << 10;
  private static final long WAIT_NANOS = 10_000;

  private final Words flags;
  private final Words planes;
  private final int depth;
  private final int @Nullable [] locks;

  private SlicedCounters(Words flags, Words planes, int width, boolean shared) {
    this.flags = flags;
    this.planes = planes;
    this.depth = width - 1;
    boolean locked = shared && !flags.isReadOnly();
    this.locks = locked ? new int[stripes(flags.length())] : null;
  }

  private static int stripes(long words) {
    return words >= MAX_STRIPES ? MAX_STRIPES : Integer.highestOneBit((int) Math.max(1, words));
  }

  /**
   * Counters at zero for every bit of {@code words} words; {@code shared} for concurrent writers.
   */
  public static SlicedCounters allocate(long words, int width, boolean shared) {
    return new SlicedCounters(
        Words.allocate(words, false), Words.allocate(words * (width - 1), false), width, shared);
  }

  /** Stored counters. */
  public static SlicedCounters of(Words flags, Words planes, int width) {
    return new SlicedCounters(flags, planes, width, true);
  }

  /** Whether counters that are 0 have no other bits set. */
  public boolean isSound() {
    for (long i = 0; i < planes.length(); i++) {
      if ((planes.get(i) & ~flags.get(i / depth)) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Which counters are above 0. */
  public Words flags() {
    return flags;
  }

  /**
   * The values of the counters minus 1: {@code width - 1} words for each word of {@link #flags}.
   */
  public Words planes() {
    return planes;
  }

  /** Adds 1 to the counters of {@code mask} in word {@code i}; true if one of them was 0. */
  public boolean raise(long i, long mask) {
    long[] heap = flags.writable();
    int at = Words.BASE + (int) i;
    lock(i);
    long old = heap[at];
    long carry = old & mask;
    heap[at] = old | mask;
    if (carry != 0) {
      carry(i, carry);
    }
    unlock(i);
    return (old & mask) != mask;
  }

  private void carry(long i, long carry) {
    long[] heap = planes.writable();
    int first = Words.BASE + (int) i * depth;
    for (int p = 0; p < depth && carry != 0; p++) {
      long plane = heap[first + p];
      heap[first + p] = plane ^ carry;
      carry &= plane;
    }
    saturate(heap, first, carry);
  }

  private void saturate(long[] heap, int first, long overflowed) {
    for (int p = 0; p < depth && overflowed != 0; p++) {
      heap[first + p] |= overflowed;
    }
  }

  /** Subtracts 1 from the counters of {@code mask} in word {@code i} that are not saturated. */
  public void lower(long i, long mask) {
    long[] bits = flags.writable();
    long[] heap = planes.writable();
    int at = Words.BASE + (int) i;
    int first = Words.BASE + (int) i * depth;
    lock(i);
    long borrow = mask & bits[at] & ~full(i);
    for (int p = 0; p < depth && borrow != 0; p++) {
      long plane = heap[first + p];
      heap[first + p] = plane ^ borrow;
      borrow &= ~plane;
    }
    if (borrow != 0) { // these were 1: all their planes wrapped
      for (int p = 0; p < depth; p++) {
        heap[first + p] &= ~borrow;
      }
      bits[at] &= ~borrow;
    }
    unlock(i);
  }

  /** Which counters of word {@code i} are saturated. */
  private long full(long i) {
    long full = flags.get(i);
    for (int p = 0; p < depth; p++) {
      full &= planes.get(i * depth + p);
    }
    return full;
  }

  /** How many counters are saturated. */
  public long saturated() {
    long count = 0;
    for (long i = 0; i < flags.length(); i++) {
      count += Long.bitCount(full(i));
    }
    return count;
  }

  /** The counter of bit {@code bit}. */
  public int get(long bit) {
    if (!flags.getBit(bit)) {
      return 0;
    }
    int value = 1;
    for (int p = 0; p < depth; p++) {
      value += (int) (planes.get((bit >>> 6) * depth + p) >>> bit & 1) << p;
    }
    return value;
  }

  /** Adds every counter of {@code other}, which has as many of the same width. */
  public void addAll(SlicedCounters other) {
    SlicedCounters added = other.copy();
    long[] bits = flags.writable();
    long[] heap = planes.writable();
    for (long i = 0; i < flags.length(); i++) {
      int at = Words.BASE + (int) i;
      int first = Words.BASE + (int) i * depth;
      lock(i);
      long more = added.flags.get(i);
      long carry = bits[at] & more;
      bits[at] |= more;
      for (int p = 0; p < depth; p++) {
        long a = heap[first + p];
        long b = added.planes.get(i * depth + p);
        heap[first + p] = a ^ b ^ carry;
        carry = (a & b) | (carry & (a ^ b));
      }
      saturate(heap, first, carry);
      unlock(i);
    }
  }

  /** A heap copy; writers wait until it is taken, so that no counter is seen half changed. */
  public SlicedCounters copy() {
    int stripes = locks == null ? 0 : locks.length;
    for (int i = 0; i < stripes; i++) {
      lock(i);
    }
    try { // running out of memory must not leave the filter locked
      return new SlicedCounters(
          flags.copy(), planes.copy(), depth + 1, stripes > 0 || flags.isReadOnly());
    } finally {
      for (int i = 0; i < stripes; i++) {
        unlock(i);
      }
    }
  }

  /** Zeros everything. No thread may write at the same time. */
  public void clear() {
    flags.clear();
    planes.clear();
  }

  /** Whether all counters are equal. */
  public boolean sameCounters(SlicedCounters other) {
    return flags.sameBits(other.flags) && planes.sameBits(other.planes);
  }

  private void lock(long i) {
    if (locks == null) {
      return;
    }
    int stripe = (int) i & (locks.length - 1);
    for (int spins = 0; !LOCKS.compareAndSet(locks, stripe, 0, 1); spins++) {
      if (spins < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(WAIT_NANOS);
      }
    }
  }

  private void unlock(long i) {
    if (locks != null) {
      LOCKS.setRelease(locks, (int) i & (locks.length - 1), 0);
    }
  }
}
