package io.bloomery.deletable;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import java.util.Objects;

/**
 * The shape of a deletable Bloom filter: a standard Bloom filter and one collision bit for each of
 * its regions of equal size.
 *
 * @param array the Bloom filter
 * @param regions r, collision bits, 1 … {@code array.bits()}; each region has {@link #regionBits()}
 *     bits, the last ones fewer or none
 */
public record DeletableShape(BloomShape array, @FieldName("regions") long regions)
    implements Shape {

  /** The default share of the expected keys that can be removed. */
  public static final double DEFAULT_DELETABILITY = 0.9;

  public DeletableShape {
    Objects.requireNonNull(array, "array");
    Arguments.inRange("regions", regions, 1, Math.min(array.bits(), MAX_BITS - array.bits()));
  }

  /**
   * A filter for a number of keys and a rate from which nine of ten keys can be removed.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static DeletableShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, DEFAULT_DELETABILITY);
  }

  /**
   * The smallest Bloom filter for a number of keys and a rate, with the largest regions from which
   * a given share of the keys can be removed. If the keys share too many bits for that share, the
   * rate is halved until they no longer do.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param deletability the least {@link #deletability} at that many keys, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range, the size is above {@link
   *     Shape#MAX_BITS}, or the share is too close to 1
   */
  public static DeletableShape forKeys(
      long expectedKeys, double falsePositiveRate, double deletability) {
    Arguments.rate("deletability", deletability);
    BloomShape array = BloomShape.forKeys(expectedKeys, falsePositiveRate);
    for (double rate = falsePositiveRate / 2;
        deletability(array, array.bits(), expectedKeys) < deletability
            && rate >= Sizing.lowestRate(expectedKeys);
        rate /= 2) {
      array = BloomShape.forKeys(expectedKeys, rate);
    }
    long regionBits = regionBits(array, expectedKeys, deletability);
    if (array.bits() + regions(array, regionBits) > MAX_BITS) {
      throw Sizing.tooLarge("a deletable Bloom filter", expectedKeys, falsePositiveRate);
    }
    return ofRegionBits(array, regionBits);
  }

  /**
   * The largest regions for an array from which a given share of the keys can be removed.
   *
   * @param array the Bloom filter
   * @param expectedKeys distinct keys that it will hold, 1 … {@link Shape#MAX_KEYS}
   * @param deletability the least {@link #deletability} at that many keys, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range, the size is above {@link
   *     Shape#MAX_BITS}, or that share of keys cannot be removed even with a collision bit for
   *     every bit
   */
  public static DeletableShape withDeletability(
      BloomShape array, long expectedKeys, double deletability) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Arguments.rate("deletability", deletability);
    return ofRegionBits(array, regionBits(array, expectedKeys, deletability));
  }

  /** The largest region size at which a given share of the keys can be removed. */
  private static long regionBits(BloomShape array, long keys, double deletability) {
    long low = 0;
    long high = array.bits() + 1;
    while (high - low > 1) {
      long middle = (low + high) >>> 1;
      if (deletability(array, regions(array, middle), keys) >= deletability) {
        low = middle;
      } else {
        high = middle;
      }
    }
    if (low == 0) {
      throw new IllegalArgumentException(
          "deletability = "
              + deletability
              + " is above what "
              + keys
              + " keys in "
              + array
              + " can have, "
              + deletability(array, array.bits(), keys));
    }
    return low;
  }

  private static long regions(BloomShape array, long regionBits) {
    return (array.bits() - 1) / regionBits + 1;
  }

  /**
   * A filter of a given size, as papers specify it.
   *
   * @param bits all bits, those of the array and those of the regions
   * @param hashesPerKey hashes per key, 1 … {@link Shape#MAX_HASHES_PER_KEY}
   * @param regions r, 1 … half of {@code bits}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static DeletableShape of(long bits, int hashesPerKey, long regions) {
    Arguments.inRange("regions", regions, 1, bits / 2);
    return new DeletableShape(BloomShape.of(bits - regions, hashesPerKey), regions);
  }

  /**
   * An array cut into regions of a given size.
   *
   * @param array the Bloom filter
   * @param regionBits bits of a region, 1 or more
   * @return the shape
   * @throws IllegalArgumentException if the size is below 1 or the filter would exceed {@link
   *     Shape#MAX_BITS}
   */
  public static DeletableShape ofRegionBits(BloomShape array, long regionBits) {
    Arguments.inRange("regionBits", regionBits, 1, Long.MAX_VALUE);
    return new DeletableShape(array, regions(array, regionBits));
  }

  /**
   * Bits of a region.
   *
   * @return the bits of the array divided by the regions, rounded up
   */
  public long regionBits() {
    return (array.bits() - 1) / regions + 1;
  }

  @Override
  public long sizeInBits() {
    return array.bits() + regions;
  }

  /** {@inheritDoc} Here: that of the array before any removal. */
  @Override
  public double falsePositiveRate(long keys) {
    return array.falsePositiveRate(keys);
  }

  /**
   * The share of the keys that can be removed: those with at least one bit in a region where no bit
   * was set twice. An estimate that treats a key's bits as independent, a few hundredths too high
   * with only a few dozen regions.
   *
   * <p>For one bit of a key, it multiplies the probabilities that no other bit of its region was
   * set twice, and that none of the other kn settings hit it. The second factor is easily
   * overlooked; without it the estimate is nearly twice the true value at 256 bits and 32 keys.
   *
   * @param keys number of distinct keys added, 0 … {@link Shape#MAX_LOAD}
   * @return the share, 0 … 1; 1 if there are no keys
   */
  public double deletability(long keys) {
    return deletability(array, regions, Sizing.requireLoad(keys));
  }

  /**
   * The expected share of bits that are set after keys were removed. A removed key clears its bits
   * in clean regions, which belong to it alone; in all others they stay set. Each of the kn
   * settings lies in a clean region with the probability that underlies {@link #deletability}.
   *
   * @param keys number of distinct keys added, 0 … {@link Shape#MAX_LOAD}
   * @param removed how many of them were passed to {@link DeletableBloomFilter#removeHash}, 0 …
   *     {@code keys}, whatever it returned
   * @return the fill, 0 … 1
   */
  public double fillAfter(long keys, long removed) {
    Sizing.requireLoad(keys);
    Arguments.inRange("removed", removed, 0, keys);
    double settings = (double) array.hashesPerKey() * keys;
    double m = array.bits();
    double before = -Math.expm1(settings * Math.log1p(-1 / m));
    double cleared = (double) array.hashesPerKey() * removed / m;
    return removed == 0 ? before : before - cleared * cleanShare(array, regions, settings);
  }

  /**
   * The expected rate after keys were removed: higher than that of a filter of the remaining keys,
   * because bits in regions with collisions stay set.
   *
   * @param keys number of distinct keys added, 0 … {@link Shape#MAX_LOAD}
   * @param removed how many of them were passed to {@link DeletableBloomFilter#removeHash}, 0 …
   *     {@code keys}
   * @return {@link #fillAfter}, to the power of the hashes per key
   */
  public double falsePositiveRateAfter(long keys, long removed) {
    return removed == 0
        ? falsePositiveRate(keys)
        : Math.pow(fillAfter(keys, removed), array.hashesPerKey());
  }

  private static double deletability(BloomShape array, long regions, long keys) {
    double settings = (double) array.hashesPerKey() * keys;
    return settings == 0
        ? 1
        : -Math.expm1(array.hashesPerKey() * Math.log1p(-cleanShare(array, regions, settings)));
  }

  /** The probability that no other setting hits a key's bit, and none hits its region twice. */
  private static double cleanShare(BloomShape array, long regions, double settings) {
    double m = array.bits();
    double log = Math.log1p(-1 / m);
    double notTwice = Math.exp(settings * log) + settings / m * Math.exp((settings - 1) * log);
    return Math.pow(Math.min(1, notTwice), m / regions - 1) * Math.exp((settings - 1) * log);
  }
}
