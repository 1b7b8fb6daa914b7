package io.bloomery.theory;

import io.bloomery.internal.check.Arguments;

/**
 * The bits per key of fingerprint tables, the rates at which they become smaller than a Bloom
 * filter, and the lowest error rate of bounded memory on an endless stream. The bound for any
 * structure is {@link BloomMath#informationBound}, the Bloom filter's own size {@link
 * BloomMath#bitsPerKey}.
 *
 * <p>Constants decide: a factor close to 1 costs a few additional bits for every key, and at usual
 * rates these exceed the 44 % overhead of a Bloom filter.
 */
public final class SpaceMath {

  private static final double LN2 = Math.log(2);

  /** Bits of an entry of a quotient filter besides its remainder. */
  private static final int METADATA_BITS = 3;

  private SpaceMath() {}

  /**
   * Bits per key of a list of fingerprints, log2 n + log2(1/rate): Carter, Floyd, Gill, Markowsky
   * and Wegman 1978, "Exact and approximate membership testers". Sorted or in a compact hash table
   * they need no more than {@link #succinct}.
   *
   * @param keys n, at least 1
   * @param rate the rate, in (0, 1)
   * @return bits of a fingerprint
   */
  public static double fingerprints(long keys, double rate) {
    Arguments.inRange("keys", keys, 1, Long.MAX_VALUE);
    return Math.log((double) keys) / LN2 + BloomMath.informationBound(rate);
  }

  /**
   * Bits per key of fingerprints in a succinct hash table, log2(e/rate) + o(1): Bender,
   * Farach-Colton, Kuszmaul, Kuszmaul and Liu 2022, "On the optimal time/space tradeoff for hash
   * tables". This is the size of {@link #fingerprints} without the order of the n fingerprints,
   * which saves log2(n!)/n = log2 n − log2 e bits per key.
   *
   * @param rate the rate, in (0, 1)
   * @return bits per key
   */
  public static double succinct(double rate) {
    return 1 / LN2 + BloomMath.informationBound(rate);
  }

  /**
   * Bits per key of a quotient filter with a given slack, (1 + δ)·log2(1/rate) + 3, at operations
   * of O(δ^-2) time; the practical relative of Pagh, Pagh and Rao 2005, "An optimal Bloom filter
   * replacement", which has (1 + o(1))·log2(1/rate) + O(1).
   *
   * @param rate the rate, in (0, 1)
   * @param slack δ, positive; 1/load − 1
   * @return bits per key
   */
  public static double quotient(double rate, double slack) {
    return (1 + Arguments.positive("slack", slack)) * BloomMath.informationBound(rate)
        + METADATA_BITS;
  }

  /**
   * The time of a quotient filter's operations relative to a slack of 1: δ^-2, the order of the
   * expected length of a cluster.
   *
   * @param slack δ, positive
   * @return a factor
   */
  public static double quotientTime(double slack) {
    return 1 / (Arguments.positive("slack", slack) * slack);
  }

  /**
   * Bits per key of a real quotient filter: each slot holds a remainder and 3 bits, a share of the
   * slots is in use, and a query compares one run.
   *
   * @param rate the rate, in (0, 1)
   * @param load the share of slots in use, in (0, 1]
   * @return (log2(load/rate) + 3) / load
   */
  public static double quotientAtLoad(double rate, double load) {
    return tableBits(rate, load, load, METADATA_BITS);
  }

  /**
   * Bits per key of a cuckoo filter: a query compares the fingerprints of two buckets.
   *
   * @param rate the rate, in (0, 1)
   * @param load the share of slots in use, in (0, 1]
   * @param bucketSlots slots of a bucket, 1 or more
   * @return (log2(1/rate) + log2(2 · slots · load)) / load
   */
  public static double cuckoo(double rate, double load, int bucketSlots) {
    return tableBits(rate, load, compared(load, bucketSlots), 0);
  }

  private static double compared(double load, int bucketSlots) {
    return 2.0 * Arguments.inRange("bucketSlots", bucketSlots, 1, Integer.MAX_VALUE) * load;
  }

  private static double tableBits(double rate, double load, double compared, int more) {
    requireLoad(load);
    return (BloomMath.informationBound(rate) + Math.log(compared) / LN2 + more) / load;
  }

  private static void requireLoad(double load) {
    if (!(load > 0 && load <= 1)) {
      throw new IllegalArgumentException("load = " + load + " is not within (0, 1]");
    }
  }

  /**
   * The rate below which a cuckoo filter is smaller than a Bloom filter.
   *
   * @param load the share of slots in use, in (0, 1]
   * @param bucketSlots slots of a bucket, 1 or more
   * @return the rate, .0042 for a load of .95 and 4 slots; 0 if there is none
   */
  public static double cuckooBreakEven(double load, int bucketSlots) {
    return breakEven(load, compared(load, bucketSlots), 0);
  }

  /**
   * The rate below which a quotient filter is smaller than a Bloom filter.
   *
   * @param load the share of slots in use, in (0, 1]
   * @return the rate, 3.3e-10 for a load of .75; 0 if there is none
   */
  public static double quotientBreakEven(double load) {
    return breakEven(load, load, METADATA_BITS);
  }

  /** Where (x + c)/load = x/ln 2 for x = log2(1/rate). */
  private static double breakEven(double load, double compared, int more) {
    requireLoad(load);
    double gain = load / LN2 - 1;
    return gain <= 0 ? 0 : Math.pow(2, -(Math.log(compared) / LN2 + more) / gain);
  }

  /**
   * The lower bound 1 − (1 − (1 − 1/L)^m)/(1 − (1 − 1/L)^n) on the sum of the false-positive and
   * false-negative rates of a filter that detects duplicates on a uniform stream in bounded memory.
   * Géraud-Stewart, Lombard-Platet and Naccache 2019, "Quotient Hash Tables: Efficiently Detecting
   * Duplicates in Streaming Data".
   *
   * @param alphabet L, the number of distinct symbols, at least 2
   * @param bits m, the memory, at least 1
   * @param insertions n, the symbols seen so far, or the length of the sliding window; at least 1
   * @return the bound; 0 where the formula says nothing because n ≤ m
   */
  public static double streamErrorBound(long alphabet, long bits, long insertions) {
    Arguments.inRange("alphabet", alphabet, 2, Long.MAX_VALUE);
    Arguments.inRange("bits", bits, 1, Long.MAX_VALUE);
    Arguments.inRange("insertions", insertions, 1, Long.MAX_VALUE);
    if (insertions <= bits) {
      return 0;
    }
    double logMiss = Math.log1p(-1.0 / alphabet);
    return 1 - Math.expm1(bits * logMiss) / Math.expm1(insertions * logMiss);
  }

  /**
   * The limit (1 − 1/L)^m of {@link #streamErrorBound} for an endless stream; near 1 only if the
   * alphabet is much larger than the memory.
   *
   * @param alphabet L, the number of distinct symbols, at least 2
   * @param bits m, the memory, at least 1
   * @return the bound
   */
  public static double streamErrorLimit(long alphabet, long bits) {
    Arguments.inRange("alphabet", alphabet, 2, Long.MAX_VALUE);
    Arguments.inRange("bits", bits, 1, Long.MAX_VALUE);
    return Math.exp(bits * Math.log1p(-1.0 / alphabet));
  }
}
