package io.bloomery.theory;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Limits;

/**
 * The cost of filters distributed over P processes: the message volume of a single-shot filter with
 * Golomb codes, its rate of false duplicates, the messages of a replicated filter, and the number
 * of queries from which replicas pay off.
 *
 * <p>The algorithms are those of Sanders, Schlag and Müller 2013, "Communication efficient
 * algorithms for fundamental big data problems".
 */
public final class DistributedMath {

  private static final int MAX_PROCESSES = 1 << 20;
  private static final int MAX_RICE_BITS = 56;

  private DistributedMath() {}

  /**
   * The expected bits of the Rice code (a Golomb code whose divisor is a power of two) of a gap
   * between bits that are set, each with the same probability.
   *
   * @param density the share of bits that are set, in (0, 1]
   * @param riceBits b, the bits of the remainder, 0 … 56
   * @return b + 1 plus the mean quotient, (1 − p)^(2^b − 1) / (1 − (1 − p)^(2^b))
   */
  public static double riceCodeBits(double density, int riceBits) {
    Arguments.inRange("density", density, Double.MIN_NORMAL, 1);
    Arguments.inRange("riceBits", riceBits, 0, MAX_RICE_BITS);
    double divisor = (double) (1L << riceBits);
    double log = Math.log1p(-density);
    double quotient =
        density == 1
            ? (riceBits == 0 ? 1 : 0)
            : Math.exp((divisor - 1) * log) / -Math.expm1(divisor * log);
    return riceBits + 1 + quotient;
  }

  /**
   * The variance of the same code.
   *
   * @param density the share of bits that are set, in (0, 1)
   * @param riceBits the bits of the remainder, 0 … 56
   * @return that of the quotient, in bits²
   */
  public static double riceCodeVariance(double density, int riceBits) {
    double mean = riceCodeBits(density, riceBits) - riceBits - 1;
    double ratio = Math.exp((double) (1L << riceBits) * Math.log1p(-density));
    // P(quotient ≥ j) = c·q^(j-1) with c = (1 - p)^(2^b - 1): E[Q²] = c·(1 + q)/(1 - q)².
    return mean * (1 + ratio) / (1 - ratio) - mean * mean;
  }

  /**
   * The best width of the remainder for a number of values in a range.
   *
   * @param values how many different numbers there are, 0 or more
   * @param range they are 0 … range − 1; at least {@code values}, at most 2^62
   * @return the b for which {@link #riceCodeBits} is lowest; 0 if there is no value
   */
  public static int riceBits(long values, long range) {
    Arguments.inRange("range", range, 1, 1L << 62);
    Arguments.inRange("values", values, 0, range);
    if (values == 0) {
      return 0;
    }
    double density = (double) values / (double) range;
    int best = 0;
    while (best < MAX_RICE_BITS && riceCodeBits(density, best + 1) < riceCodeBits(density, best)) {
      best++;
    }
    return best;
  }

  /**
   * The share of all bits that one process sets in a single-shot filter.
   *
   * @param elements n, the different elements of all processes together
   * @param bits s, of the filter
   * @param processes P, over which elements are spread evenly
   * @return 1 − (1 − 1/s)^(n/P)
   */
  public static double singleShotDensity(long elements, long bits, int processes) {
    check(elements, bits, processes);
    return -Math.expm1((double) elements / processes * Math.log1p(-1.0 / (double) bits));
  }

  /**
   * The expected bits that all processes send to build a single-shot filter, without the few bytes
   * of each message besides its codes. A process keeps the positions it owns, so (P − 1)/P of them
   * are sent, each as a gap of about s/(n/P).
   *
   * @param elements n, the different elements of all processes together
   * @param bits s, of the filter
   * @param processes P, over which elements are spread evenly
   * @return about n·(P − 1)/P·(log2(s·P/n) + 1.5)
   */
  public static double singleShotBits(long elements, long bits, int processes) {
    double density = singleShotDensity(elements, bits, processes);
    long each = Math.round(density * (double) bits);
    int rice = riceBits(Math.min(each, bits), bits);
    return (processes - 1.0) * (double) bits * density * riceCodeBits(density, rice);
  }

  /**
   * The probability that an element that no other process has is marked as a possible duplicate,
   * because an element of another process has the same position. Elements of the same process are
   * compared by their whole hashes and do not count.
   *
   * @param elements n, the different elements of all processes together
   * @param bits s, of the filter
   * @param processes P, over which elements are spread evenly
   * @return 1 − (1 − 1/s)^(n·(P − 1)/P), about n/s
   */
  public static double falseDuplicateRate(long elements, long bits, int processes) {
    check(elements, bits, processes);
    double others = (double) elements * (processes - 1) / processes;
    return -Math.expm1(others * Math.log1p(-1.0 / (double) bits));
  }

  /**
   * The number of messages that give every process the union of all filters along the edges of a
   * hypercube. If P is not a power of two, the processes beyond the largest power below it first
   * send in their filters and later receive the result.
   *
   * @param processes P
   * @return P·log2 P for a power of two; else H·log2 H + 2·(P − H) for the largest power H below P
   */
  public static long replicatingMessages(int processes) {
    Arguments.inRange("processes", processes, 1, MAX_PROCESSES);
    int cube = Integer.highestOneBit(processes);
    return (long) cube * Integer.numberOfTrailingZeros(cube) + 2L * (processes - cube);
  }

  /**
   * The number of queries from which a replicated filter sends less than one distributed over the
   * processes: replicas take n·log2(1/f) bits on each of P processes, and each query of a
   * distributed filter costs log2 P bits, which name its owner.
   *
   * <p>Erratum: the encyclopedia article prints |PE|·|Elements| / log_f+ |PE| with the rate itself
   * as base, which is negative for every rate below 1 (log_.01 16 = −.602). The base is 1/f+.
   *
   * @param processes P, 2 or more
   * @param elements n, of all processes together
   * @param falsePositiveRate f+, in (0, 1)
   * @return P·n / log_(1/f) P
   */
  public static double breakEvenQueries(int processes, long elements, double falsePositiveRate) {
    Arguments.inRange("processes", processes, 2, MAX_PROCESSES);
    Arguments.inRange("elements", elements, 0, Limits.MAX_LOAD);
    Arguments.rate("falsePositiveRate", falsePositiveRate);
    double logarithm = Math.log(processes) / -Math.log(falsePositiveRate);
    return (double) processes * (double) elements / logarithm;
  }

  private static void check(long elements, long bits, int processes) {
    Arguments.inRange("elements", elements, 0, Limits.MAX_LOAD);
    Arguments.inRange("bits", bits, 1, Limits.MAX_LOAD);
    Arguments.inRange("processes", processes, 1, MAX_PROCESSES);
  }
}
