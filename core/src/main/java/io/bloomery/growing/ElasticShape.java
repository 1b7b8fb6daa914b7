package io.bloomery.growing;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;

/**
 * The shape of an elastic filter: the number of keys it starts from and the rate that it keeps. It
 * has a page for every 512 keys, and one page more for every 512 keys added beyond the expected
 * ones.
 *
 * <p>A key is stored as the first 10 and some of the last bits of its hash, its fingerprint, whose
 * length L depends only on the number of pages when the key was added. The rate is {@code 1 - ∏(1 -
 * 2^-L)} over all keys, exactly. L grows by 1 with every doubling of the pages, so that each
 * doubling adds the same to the rate, and by 1 more with every sixth, so that the sum stays below
 * {@code rate} for any number of doublings: 1 + 5 + 6/2 + 6/4 + … = 12 times the contribution of
 * the first keys. Fingerprints have at most 64 bits, the whole hash; from then on every doubling
 * doubles the rate. A filter that starts at 1,000 keys reaches that point at {@code 10^14} keys for
 * a rate of 1 %, and at {@code 10^8} keys for {@code 10^-9}.
 *
 * @param expectedKeys keys to start from, 1 … {@link Shape#MAX_KEYS}
 * @param rate the rate at any number of keys, in (0, 1), and at least {@code expectedKeys · 2^-57}
 */
public record ElasticShape(
    @FieldName("expected keys") long expectedKeys, @FieldName("rate") double rate)
    implements Shape {

  /** Keys per page on average. */
  public static final int PAGE_KEYS = 512;

  /** The contribution of all keys ever added to the rate, relative to that of the first ones. */
  private static final int SHARES = 12;

  /** The number of doublings after which a fingerprint gets an extra bit. */
  private static final int EXTRA_EVERY = 6;

  /** Words of an array that are not in use, on average. */
  private static final double SPARE_WORDS = 2.5;

  public ElasticShape {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Arguments.rate("rate", rate);
    Sizing.requireTarget(expectedKeys, rate);
  }

  /**
   * The filter for an estimated number of keys, which may turn out too low.
   *
   * @param expectedKeys keys to start from, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate at any number of keys, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or a 64-bit hash cannot
   *     promise the rate
   */
  public static ElasticShape forKeys(long expectedKeys, double falsePositiveRate) {
    return new ElasticShape(expectedKeys, falsePositiveRate);
  }

  /**
   * The filter with the lowest rate that fits a memory budget with the expected keys; growth takes
   * more.
   *
   * @param expectedKeys keys to start from, 1 … {@link Shape#MAX_KEYS}
   * @param bits memory at that number of keys, 64 … {@link Shape#MAX_BITS}
   * @return the shape, not larger than {@code bits}
   * @throws IllegalArgumentException if an argument is outside its range, or no rate below 1 fits
   */
  public static ElasticShape forBudget(long expectedKeys, long bits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Sizing.requireBudget(bits, Long.SIZE);
    double first = (double) SHARES * PAGE_KEYS * pagesFor(expectedKeys);
    for (int length = Long.SIZE; Math.scalb(first, -length) < 1; length--) {
      double rate = Math.scalb(first, -length);
      if (rate >= Sizing.lowestRate(expectedKeys)) {
        ElasticShape shape = new ElasticShape(expectedKeys, rate);
        if (shape.sizeInBits() <= bits) {
          return shape;
        }
      }
    }
    throw Arguments.impossible(
        Arguments.named("bits", bits),
        " is too few for ",
        Arguments.named("expectedKeys", expectedKeys),
        " at any rate below 1");
  }

  private static long pagesFor(long keys) {
    return (keys + PAGE_KEYS - 1) / PAGE_KEYS;
  }

  /**
   * The number of pages of a filter that has held a number of keys.
   *
   * @param keys the most keys at a time, 0 or more
   * @return 1 or more
   */
  public long pages(long keys) {
    return pagesFor(Math.max(expectedKeys, keys));
  }

  /** The length of the first fingerprints. */
  private int firstBits() {
    double least = SHARES * (double) PAGE_KEYS * pages(0) / rate;
    int length = Math.getExponent(least);
    return Math.scalb(1.0, length) < least ? length + 1 : length;
  }

  /** The number of pages up to which fingerprints have the first length. */
  private long firstPages() {
    return (long) (Math.scalb(rate, firstBits()) / (SHARES * PAGE_KEYS));
  }

  /**
   * The length of the fingerprint of a key that is added to a filter of this many pages.
   *
   * @param pages 1 or more
   * @return L, 11 … 64
   */
  public int fingerprintBits(long pages) {
    int doublings = 0;
    for (double up = firstPages(); up < pages; up *= 2) {
      doublings++;
    }
    return lengthAfter(doublings);
  }

  private int lengthAfter(int doublings) {
    return Math.min(Long.SIZE, firstBits() + Math.max(0, doublings - 1) + doublings / EXTRA_EVERY);
  }

  /** {@inheritDoc} Here: {@code 1 - ∏(1 - 2^-L)} over the keys, each with its own length L. */
  @Override
  public double falsePositiveRate(long keys) {
    long left = Sizing.requireLoad(keys);
    double logOfNone = 0;
    double room = (double) firstPages() * PAGE_KEYS;
    for (int doublings = 0; left > 0; doublings++) {
      long here = (long) Math.min((double) left, room);
      logOfNone += here * Math.log1p(-Math.scalb(1.0, -lengthAfter(doublings)));
      left -= here;
      room = doublings == 0 ? room : 2 * room;
    }
    return 0 - Math.expm1(logOfNone); // never -0
  }

  /** {@inheritDoc} Here: with the expected keys, on average. */
  @Override
  public long sizeInBits() {
    return sizeInBits(expectedKeys);
  }

  /**
   * The average memory of a filter that holds this many keys and never held more. Includes
   * references and array headers.
   *
   * @param keys 0 or more
   * @return bits
   */
  public long sizeInBits(long keys) {
    long pages = pages(keys);
    int level = Long.SIZE - 1 - Long.numberOfLeadingZeros(pages);
    long split = pages - (1L << level);
    return (long)
        (((1L << level) - split) * pageBits(keys, pages, level)
            + 2 * split * pageBits(keys, pages, level + 1));
  }

  private double pageBits(long keys, long pages, int level) {
    double entries = entries(keys, level);
    int width = fingerprintBits(pages) - ElasticPage.BUCKET_BITS - level + 1;
    // Two areas end in a partial word, on average half used.
    return ElasticPage.HEAD_WORDS * Long.SIZE
        + ElasticPage.BUCKETS
        + entries * (1 + width)
        + (1 + SPARE_WORDS) * Long.SIZE
        + ElasticPages.OBJECT_BITS;
  }

  /** The number of entries of a page; entries without remaining bits are in several pages. */
  private double entries(long keys, int level) {
    double entries = 0;
    double left = keys;
    double room = (double) firstPages() * PAGE_KEYS;
    for (int doublings = 0; left > 0; doublings++) {
      double here = Math.min(left, room);
      int low = lengthAfter(doublings) - ElasticPage.BUCKET_BITS;
      entries += Math.scalb(here, -Math.min(level, low));
      left -= here;
      room = doublings == 0 ? room : 2 * room;
    }
    return entries;
  }

  @Override
  public Shape grownTo(long keys) {
    return pages(keys) == pages(0) ? this : new GrownShape(this, sizeInBits(keys));
  }
}
