package io.bloomery.deletable;

import io.bloomery.internal.check.Arguments;
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
public record DeletableShape(BloomShape array, long regions) implements Shape {

  /** Bits of a region where nothing else is said: collision bits are a sixteenth of all. */
  public static final int DEFAULT_REGION_BITS = 15;

  /**
   * Checks the fields.
   *
   * @param array the Bloom filter
   * @param regions collision bits
   * @throws IllegalArgumentException if there are more regions than bits or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public DeletableShape {
    Objects.requireNonNull(array, "array");
    Arguments.inRange("regions", regions, 1, Math.min(array.bits(), MAX_BITS - array.bits()));
  }

  /**
   * The smallest filter for a number of keys and a rate with regions of {@link
   * #DEFAULT_REGION_BITS} bits; about a quarter of the keys can then leave.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static DeletableShape forKeys(long keys, double rate) {
    return ofRegionBits(BloomShape.forKeys(keys, rate), DEFAULT_REGION_BITS);
  }

  /**
   * The Bloom filter that is smallest for a number of keys and a rate, with the largest regions
   * from which a given share of the keys can leave.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @param deletability the least {@link #deletability} at that many keys, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range, the size is above {@link
   *     Shape#MAX_BITS}, or so many keys cannot leave even with a collision bit for every bit
   */
  public static DeletableShape forDeletability(long keys, double rate, double deletability) {
    return withDeletability(BloomShape.forKeys(keys, rate), keys, deletability);
  }

  /**
   * The largest regions for an array from which a given share of the keys can leave.
   *
   * @param array the Bloom filter
   * @param keys distinct keys that it will hold, 1 … {@link Shape#MAX_KEYS}
   * @param deletability the least {@link #deletability} at that many keys, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range, the size is above {@link
   *     Shape#MAX_BITS}, or so many keys cannot leave even with a collision bit for every bit
   */
  public static DeletableShape withDeletability(BloomShape array, long keys, double deletability) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    Arguments.rate("deletability", deletability);
    long low = 0;
    long high = array.bits() + 1;
    while (high - low > 1) {
      long middle = (low + high) >>> 1;
      if (ofRegionBits(array, middle).deletability(keys) >= deletability) {
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
              + ofRegionBits(array, 1).deletability(keys));
    }
    return ofRegionBits(array, low);
  }

  /**
   * The filter of lowest rate in a given memory with regions of {@link #DEFAULT_REGION_BITS} bits.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 69 … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static DeletableShape forBudget(long keys, long bits) {
    long budget = Sizing.requireBudget(bits, 69);
    long array = (budget / (DEFAULT_REGION_BITS + 1) + 1) * DEFAULT_REGION_BITS;
    while (array + (array - 1) / DEFAULT_REGION_BITS + 1 > budget) {
      array--;
    }
    return ofRegionBits(BloomShape.forBudget(keys, array), DEFAULT_REGION_BITS);
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
    return new DeletableShape(array, (array.bits() - 1) / regionBits + 1);
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

  /** {@inheritDoc} Here: that of the array, before any key has left. */
  @Override
  public double falsePositiveRate(long keys) {
    return array.falsePositiveRate(keys);
  }

  /**
   * The share of the keys that can leave: those of which at least one bit lies in a region where no
   * bit was set twice. An estimate that takes a key's bits for independent, a few hundredths too
   * high where there are only some tens of regions.
   *
   * <p>Of one bit of a key: no other bit of its region was set twice, and it was set by no other of
   * the kn settings. The second factor is the one that is easily forgotten; without it the estimate
   * is nearly twice too high at 256 bits and 32 keys.
   *
   * @param keys number of distinct keys added, 0 … {@link Shape#MAX_LOAD}
   * @return the share, 0 … 1; 1 if there are no keys
   */
  public double deletability(long keys) {
    double settings = (double) array.probes() * Sizing.requireLoad(keys);
    if (settings == 0) {
      return 1;
    }
    double m = array.bits();
    double log = Math.log1p(-1 / m);
    double notTwice = Math.exp(settings * log) + settings / m * Math.exp((settings - 1) * log);
    double region =
        Math.pow(Math.min(1, notTwice), m / regions - 1) * Math.exp((settings - 1) * log);
    return -Math.expm1(array.probes() * Math.log1p(-region));
  }
}
