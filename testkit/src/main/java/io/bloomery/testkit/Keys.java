package io.bloomery.testkit;

/**
 * Hashes of keys that a filter holds and of keys that it does not. Each is one output of the
 * SplitMix64 generator at its own place, so all hashes are distinct, and members and outsiders are
 * disjoint: set {@code s} has members at places {@code s·2^41 + i} and outsiders at {@code s·2^41 +
 * 2^40 + i}.
 */
public final class Keys {

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final long OUTSIDE = 1L << 40;
  private static final int MAX_SET = 1 << 20;

  private Keys() {}

  /** {@code n} members of set 0. */
  public static long[] members(int n) {
    return members(n, 0);
  }

  /** {@code n} members of a set 0…2^20; the members of different sets are disjoint. */
  public static long[] members(int n, int set) {
    return hashes(place(set), n);
  }

  /** {@code n} hashes that are members of no set. */
  public static long[] outsiders(int n) {
    return outsiders(n, 0);
  }

  /** {@code n} hashes that are members of no set and outsiders of no other. */
  public static long[] outsiders(int n, int set) {
    return hashes(place(set) + OUTSIDE, n);
  }

  /**
   * The SplitMix64 output at a place, shifted by the run's {@linkplain Seeds seed}; different
   * places have different outputs.
   */
  public static long hash(long place) {
    return pinned(Seeds.of(place));
  }

  /** The same in every run, regardless of its seed: for golden files and vectors. */
  public static long pinned(long place) {
    long x = (place + 1) * GOLDEN;
    x = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
    x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
    return x ^ (x >>> 31);
  }

  private static long place(int set) {
    if (set < 0 || set > MAX_SET) {
      throw new IllegalArgumentException("set " + set + " is not within 0…2^20");
    }
    return set * 2L * OUTSIDE;
  }

  private static long[] hashes(long firstPlace, int n) {
    long[] hashes = new long[n];
    for (int i = 0; i < n; i++) {
      hashes[i] = hash(firstPlace + i);
    }
    return hashes;
  }
}
