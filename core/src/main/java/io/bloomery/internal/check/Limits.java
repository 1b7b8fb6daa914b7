package io.bloomery.internal.check;

/** The largest sizes that shapes, formulas and storage agree on. */
public final class Limits {

  /** The largest size in bits: one {@code long[]} of the largest portable length. */
  public static final long MAX_BITS = (Integer.MAX_VALUE - 16L) * 64;

  /** The largest number of keys that a shape can be sized for, 2^36. */
  public static final long MAX_KEYS = 1L << 36;

  /** The largest number of keys that a rate can be computed for, 2^53: filters may be overfull. */
  public static final long MAX_LOAD = 1L << 53;

  /** The most hashes per key. */
  public static final int MAX_HASHES_PER_KEY = 255;

  private Limits() {}
}
