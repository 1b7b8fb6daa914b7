package io.bloomery.theory;

import io.bloomery.internal.check.Arguments;

/**
 * Lower bounds for duplicate detection with bounded memory on an unbounded stream. Source:
 * Géraud-Stewart, Lombard-Platet, Naccache, "Quotient Hash Tables: Efficiently Detecting Duplicates
 * in Streaming Data".
 */
public final class Streams {

  private Streams() {}

  /**
   * The lower bound 1 − (1 − (1 − 1/L)^m)/(1 − (1 − 1/L)^n) on the sum of the false-positive and
   * false-negative rates on a uniform stream.
   *
   * @param alphabet L, the number of distinct symbols, at least 2
   * @param bits m, the memory, at least 1
   * @param insertions n, the symbols seen so far, or the length of the sliding window; at least 1
   * @return the bound; 0 where the formula says nothing because n ≤ m
   */
  public static double errorLowerBound(long alphabet, long bits, long insertions) {
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
   * The limit (1 − 1/L)^m of {@link #errorLowerBound} for an endless stream; near 1 only if the
   * alphabet is much larger than the memory.
   *
   * @param alphabet L, the number of distinct symbols, at least 2
   * @param bits m, the memory, at least 1
   * @return the bound
   */
  public static double errorLowerBoundLimit(long alphabet, long bits) {
    Arguments.inRange("alphabet", alphabet, 2, Long.MAX_VALUE);
    Arguments.inRange("bits", bits, 1, Long.MAX_VALUE);
    return Math.exp(bits * Math.log1p(-1.0 / alphabet));
  }
}
