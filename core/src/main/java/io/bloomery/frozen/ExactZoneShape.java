package io.bloomery.frozen;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Shape;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * The shape of a filter of numbers that has no false positives while it holds few of them: one
 * array of cells for each of the smallest primes whose product is at least universe^zone.
 *
 * <p>Kiss, Hosszu, Tapolcai, Rónyai and Rottenstreich 2018, "Bloom Filter with a False Positive
 * Free Zone": a number x that is not among the members y_1 … y_j, j ≤ zone, is covered only if each
 * prime divides one of the differences x - y_i and hence their product, which is too small for
 * that.
 *
 * @param universe number of possible values, 2 … 2^63 - 1
 * @param zone the most members for which no answer is wrong, 1 … {@link #MAX_ZONE}
 * @param cellBits bits of a cell, 1 … 32; with 2 or more a cell counts, and members can be removed
 */
public record ExactZoneShape(
    @FieldName("universe") long universe,
    @FieldName("zone") int zone,
    @FieldName("cell bits") int cellBits)
    implements Shape {

  /** The largest zone. */
  public static final int MAX_ZONE = 4096;

  private static final int MIN_COUNTER_BITS = 8;

  /** A bound on the rounding error of a sum of logarithms. */
  private static final double UNDECIDED = 1e-5;

  public ExactZoneShape {
    Arguments.inRange("universe", universe, 2, Long.MAX_VALUE);
    Arguments.inRange("zone", zone, 1, MAX_ZONE);
    Arguments.inRange("cellBits", cellBits, 1, 32);
  }

  /**
   * The filter for a number of members, with cells of one bit.
   *
   * @param expectedKeys members, 1 … {@link #MAX_ZONE}
   * @param universe number of possible values, 2 or more
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static ExactZoneShape forKeys(long expectedKeys, long universe) {
    Sizing.requireKeys(expectedKeys, MAX_ZONE);
    Sizing.requireWithin("universe", universe, 2, Long.MAX_VALUE);
    return new ExactZoneShape(universe, (int) expectedKeys, 1);
  }

  /**
   * The filter for a number of members that can be removed again, with cells of 8 bits, or as many
   * as twice the zone needs.
   *
   * @param expectedKeys members, 1 … {@link #MAX_ZONE}
   * @param universe number of possible values, 2 or more
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static ExactZoneShape counting(long expectedKeys, long universe) {
    Sizing.requireKeys(expectedKeys, MAX_ZONE);
    int bits = Long.SIZE - Long.numberOfLeadingZeros(expectedKeys) + 1;
    return new ExactZoneShape(universe, (int) expectedKeys, Math.max(MIN_COUNTER_BITS, bits));
  }

  static ExactZoneShape forNeeds(Needs needs) {
    return Universe.sized("a filter with an exact zone", needs, ExactZoneShape::forKeys);
  }

  /**
   * The primes, smallest first: as many as their product needs to reach universe^zone.
   *
   * @return the size of each array
   */
  public int[] primes() {
    double target = zone * Math.log((double) universe);
    double sum = 0;
    int[] primes = new int[16];
    int count = 0;
    for (int candidate = 2; !reaches(sum, target, primes, count); candidate++) {
      if (isPrime(candidate, primes, count)) {
        if (count == primes.length) {
          primes = Arrays.copyOf(primes, 2 * count);
        }
        primes[count++] = candidate;
        sum += Math.log(candidate);
      }
    }
    return Arrays.copyOf(primes, count);
  }

  /**
   * Whether the product is large enough: by logarithms, or exactly where they are too close to
   * tell.
   */
  private boolean reaches(double sum, double target, int[] primes, int count) {
    return Math.abs(sum - target) > UNDECIDED
        ? sum > target
        : product(primes, 0, count).compareTo(BigInteger.valueOf(universe).pow(zone)) >= 0;
  }

  private static BigInteger product(int[] primes, int from, int to) {
    if (to - from < 2) {
      return from == to ? BigInteger.ONE : BigInteger.valueOf(primes[from]);
    }
    int middle = (from + to) >>> 1;
    return product(primes, from, middle).multiply(product(primes, middle, to));
  }

  private static boolean isPrime(int candidate, int[] primes, int count) {
    for (int i = 0; i < count && primes[i] * primes[i] <= candidate; i++) {
      if (candidate % primes[i] == 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * The number of cells.
   *
   * @return the sum of the primes
   */
  public long cells() {
    long cells = 0;
    for (int prime : primes()) {
      cells += prime;
    }
    return cells;
  }

  @Override
  public long sizeInBits() {
    return cells() * cellBits;
  }

  /**
   * {@inheritDoc} Here: 0 in the zone; above it, the product of the expected fills, for numbers
   * whose remainders are independent. That is too high for a few more members than the zone allows
   * in a small universe.
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    if (keys <= zone) {
      return 0;
    }
    double rate = 1;
    for (int prime : primes()) {
      rate *= -Math.expm1(keys * Math.log1p(-1.0 / prime));
    }
    return rate;
  }
}
