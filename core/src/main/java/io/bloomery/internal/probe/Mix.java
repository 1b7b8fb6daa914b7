package io.bloomery.internal.probe;

/** Bijections and reductions on 64-bit words that every probe scheme shares. */
public final class Mix {

  /** 2^64 divided by the golden ratio, odd. */
  public static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Mix() {}

  /**
   * Output number {@code i} of the SplitMix64 stream that starts at {@code hash} (Steele, Lea and
   * Flood 2014, with Stafford's mixer 13): as good as an independent hash per {@code i}.
   */
  public static long stream(long hash, int i) {
    return mix(hash + i * GOLDEN);
  }

  /** Stafford's mixer 13. */
  public static long mix(long x) {
    x = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
    x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
    return x ^ (x >>> 31);
  }

  /** The inverse of {@link #mix}. */
  public static long unmix(long mixed) {
    long x = mixed ^ (mixed >>> 31) ^ (mixed >>> 62);
    x *= 0x319642B2D24D8EC3L;
    x = x ^ (x >>> 27) ^ (x >>> 54);
    x *= 0x96DE1B173F119089L;
    return x ^ (x >>> 30) ^ (x >>> 60);
  }

  /** Maps a uniform hash to 0…range-1 by its high bits; {@code range} must be positive. */
  public static long reduce(long hash, long range) {
    return Math.multiplyHigh(hash, range) + ((hash >> 63) & range);
  }
}
