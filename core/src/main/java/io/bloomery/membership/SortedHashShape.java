package io.bloomery.membership;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;

/**
 * The shape of a sorted list of hashes, each truncated to h bits.
 *
 * @param keyCount distinct values that the list is sized for, 0 … 2^31 and at most 2^h
 * @param hashBits h, bits per value, 1 … 64; all values together at most {@link Shape#MAX_BITS}
 */
public record SortedHashShape(
    @FieldName("entries") long keyCount, @FieldName("hash bits") int hashBits) implements Shape {

  private static final long MAX_ENTRIES = 1L << 31;
  private static final int LEAST_DEFAULT_BITS = 8;

  public SortedHashShape {
    Arguments.inRange("hashBits", hashBits, 1, Long.SIZE);
    Arguments.inRange("keyCount", keyCount, 0, mostKeys(hashBits));
  }

  private static long mostKeys(int hashBits) {
    long values = hashBits < 32 ? 1L << hashBits : MAX_ENTRIES;
    return Math.min(values, MAX_BITS / hashBits);
  }

  /**
   * The bits per value with which the rate is at most 1/n (Broder and Mitzenmacher 2004, sec. 2.2):
   * 2·⌈log2 n⌉, but at least 8 and at most 64.
   *
   * @param expectedKeys number of keys n, at least 0
   * @return 8 … 64
   */
  public static int defaultHashBits(long expectedKeys) {
    Arguments.inRange("expectedKeys", expectedKeys, 0, MAX_ENTRIES);
    int log = expectedKeys <= 1 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(expectedKeys - 1);
    return Math.max(LEAST_DEFAULT_BITS, 2 * log);
  }

  /**
   * The smallest list whose rate is at most {@code falsePositiveRate}: h = ⌈log2(keys/rate)⌉.
   *
   * @param expectedKeys distinct keys to hold, 1 … 2^31
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static SortedHashShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Sizing.requireKeys(expectedKeys, MAX_ENTRIES);
    int bits = 1;
    while (Math.scalb((double) expectedKeys, -bits) > falsePositiveRate) {
      bits++;
    }
    return new SortedHashShape(expectedKeys, bits);
  }

  /**
   * The list with the most bits per value that fit a given memory.
   *
   * @param expectedKeys distinct keys to hold, 1 … 2^31
   * @param bits the budget, {@code expectedKeys} … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static SortedHashShape forBudget(long expectedKeys, long bits) {
    Sizing.requireKeys(expectedKeys, MAX_ENTRIES);
    long each = Sizing.requireBudget(bits, expectedKeys) / expectedKeys;
    int hashBits = (int) Math.min(Long.SIZE, each);
    Sizing.requireAtMost("keyCount", expectedKeys, 0, mostKeys(hashBits));
    return new SortedHashShape(expectedKeys, hashBits);
  }

  @Override
  public long sizeInBits() {
    return keyCount * hashBits;
  }

  /**
   * The rate of a list built from that many keys with this shape's h.
   *
   * @param keys number of distinct keys
   * @return 1 − (1 − 2^−h)^keys, the probability that one of the keys shares a new key's h bits
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return -Math.expm1(keys * Math.log1p(-Math.scalb(1.0, -hashBits)));
  }
}
