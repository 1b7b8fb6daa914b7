package io.bloomery.range;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.code.EliasFano;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import java.util.Objects;

/**
 * The shape of a {@link GrafiteFilter}. Its rate is that of the longest range; {@link
 * #falsePositiveRate(long, long)} has that of others.
 *
 * @param keys which keys it holds
 * @param keyCount the number of different keys n for which it was sized, 1 … 2^31
 * @param codes how many different codes r keys can have, 1 … 2^62
 * @param longestRange the longest range L for which it was sized, 1 … 2^62
 */
public record GrafiteShape(
    RangeKeys keys,
    @FieldName("keys") long keyCount,
    @FieldName("codes") long codes,
    @FieldName("longest range") long longestRange)
    implements Shape {

  /** The most codes. */
  public static final long MAX_CODES = 1L << 62;

  /** The most keys. */
  public static final long MAX_ENTRIES = 1L << 31;

  public GrafiteShape {
    Objects.requireNonNull(keys, "keys");
    Arguments.inRange("keyCount", keyCount, 1, MAX_ENTRIES);
    Arguments.inRange("codes", codes, 1, MAX_CODES);
    Arguments.inRange("longestRange", longestRange, 1, MAX_CODES);
  }

  /**
   * The smallest filter whose rate for ranges of a given length is at most {@code
   * falsePositiveRate} for any keys: r = n·L/rate.
   *
   * @param expectedKeys different keys n, 1 … 2^31
   * @param falsePositiveRate the rate for a range of {@code longestRange}, in (0, 1) and at least
   *     {@code expectedKeys · 2^-57}
   * @param longestRange how many possible keys L the longest range has, 1 … 2^62
   * @param keys which keys it will hold
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range, or r is above 2^62
   */
  public static GrafiteShape forKeys(
      long expectedKeys, double falsePositiveRate, long longestRange, RangeKeys keys) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Sizing.requireKeys(expectedKeys, MAX_ENTRIES);
    Arguments.inRange("longestRange", longestRange, 1, MAX_CODES);
    double exact = Math.ceil(expectedKeys / falsePositiveRate * longestRange);
    if (exact > MAX_CODES) {
      throw Arguments.impossible(
          Arguments.named("expectedKeys", expectedKeys),
          " keys and ",
          Arguments.named("longestRange", longestRange),
          " at ",
          Arguments.named("falsePositiveRate", falsePositiveRate),
          " need more than 2^62 codes");
    }
    long codes = (long) exact;
    while (rate(expectedKeys, longestRange, codes) > falsePositiveRate && codes < MAX_CODES) {
      codes += Math.max(1, codes >>> 50);
    }
    return new GrafiteShape(keys, expectedKeys, codes, longestRange);
  }

  /**
   * The same for {@linkplain RangeKeys#numbers numbers}.
   *
   * @param expectedKeys different keys n, 1 … 2^31
   * @param falsePositiveRate the rate for a range of {@code longestRange}, in (0, 1) and at least
   *     {@code expectedKeys · 2^-57}
   * @param longestRange how many numbers the longest range has, 1 … 2^62
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range, or r is above 2^62
   */
  public static GrafiteShape forKeys(
      long expectedKeys, double falsePositiveRate, long longestRange) {
    return forKeys(expectedKeys, falsePositiveRate, longestRange, RangeKeys.numbers());
  }

  /**
   * The filter with the lowest rate that fits a given memory.
   *
   * @param expectedKeys different keys n, 1 … 2^31
   * @param bits the budget, enough for 3 bits per key … {@link Shape#MAX_BITS}
   * @param longestRange how many possible keys the longest range has, 1 … 2^62
   * @param keys which keys it will hold
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static GrafiteShape forBudget(
      long expectedKeys, long bits, long longestRange, RangeKeys keys) {
    Sizing.requireKeys(expectedKeys, MAX_ENTRIES);
    Sizing.requireBudget(bits, new EliasFano.Layout(expectedKeys, expectedKeys).sizeInBits());
    long low = expectedKeys;
    long high = MAX_CODES;
    while (low < high) {
      long middle = low + (high - low + 1) / 2;
      if (new EliasFano.Layout(expectedKeys, middle).sizeInBits() <= bits) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return new GrafiteShape(keys, expectedKeys, low, longestRange);
  }

  /**
   * How many low bits of a key keep their order: keys that differ only there are in one block. 2 to
   * the power of it is the largest that is at most the number of codes.
   *
   * @return 0 … 62
   */
  public int blockBits() {
    return 63 - Long.numberOfLeadingZeros(codes);
  }

  /** {@inheritDoc} The size for as many keys as it was sized for, no two of them with one code. */
  @Override
  public long sizeInBits() {
    return layout(keyCount).sizeInBits();
  }

  EliasFano.Layout layout(long entries) {
    return new EliasFano.Layout(Math.min(entries, codes), codes);
  }

  /** {@inheritDoc} Here: for a range of the longest length. */
  @Override
  public double falsePositiveRate(long keys) {
    return falsePositiveRate(keys, longestRange);
  }

  /**
   * A bound for the probability that a range without a key is reported to hold one: n·ℓ/r, at most
   * 1, for any keys. It is the probability itself for keys of one block that are ℓ or more apart;
   * for n keys spread at random it is 1 − (1 − ℓ/r)^n.
   *
   * @param keys number of different keys, 0 … {@link #MAX_LOAD}
   * @param length how many possible keys the range has, 1 or more
   * @return the bound
   */
  public double falsePositiveRate(long keys, long length) {
    Sizing.requireLoad(keys);
    Arguments.inRange("length", length, 1, Long.MAX_VALUE);
    return rate(keys, length, codes);
  }

  private static double rate(long keys, long length, long codes) {
    return Math.min(1, (double) keys * length / codes);
  }
}
