package io.bloomery.frequency;

import io.bloomery.internal.bits.Counters;

/**
 * Narrow counters that wrap around: each has a value of d bits, and above it a bit that stays set
 * once the value has overflowed. Thread-safe like {@link Counters}, whose cells these are.
 */
final class BraidLayer {

  private final Counters cells;
  private final int bits;
  private final long mask;
  private final long overflowed;

  BraidLayer(Counters cells) {
    this.cells = cells;
    this.bits = cells.width() - 1;
    this.overflowed = 1L << bits;
    this.mask = overflowed - 1;
  }

  Counters cells() {
    return cells;
  }

  /** The value, without overflows. */
  long value(long i) {
    return cells.get(i) & mask;
  }

  boolean hasOverflowed(long i) {
    return (cells.get(i) & overflowed) != 0;
  }

  boolean isZero(long i) {
    return cells.get(i) == 0;
  }

  /** Adds; returns the number of overflows. */
  long add(long i, long by) {
    while (true) {
      long old = cells.get(i);
      long sum = (old & mask) + (by & mask);
      long carry = (by >>> bits) + (sum >>> bits);
      long status = carry == 0 ? old & overflowed : overflowed;
      if (cells.replace(i, old, (sum & mask) | status)) {
        return carry;
      }
    }
  }

  /** Adds a cell of another layer that counted other additions; returns the number of overflows. */
  long merge(long i, BraidLayer other) {
    if (other.hasOverflowed(i)) {
      markOverflowed(i);
    }
    return add(i, other.value(i));
  }

  private void markOverflowed(long i) {
    long old = cells.get(i);
    while (!cells.replace(i, old, old | overflowed)) {
      old = cells.get(i);
    }
  }
}
