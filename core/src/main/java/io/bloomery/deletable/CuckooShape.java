package io.bloomery.deletable;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;

/**
 * The shape of a cuckoo filter: buckets of four fingerprints, of which each key has two.
 *
 * <p>A key that was added answers for its fingerprint in both of its buckets, so 2 of the {@code
 * buckets · (2^f - 1)} pairs of bucket and fingerprint, and the rate is {@code 1 - (1 - 2/(buckets
 * · (2^f - 1)))^n}, about {@code 8·load/(2^f - 1)}.
 *
 * @param buckets number of buckets, even, 2 … 2^32; all together at most {@link Shape#MAX_BITS}
 * @param fingerprintBits f, bits per fingerprint, 4 … 32
 */
public record CuckooShape(long buckets, int fingerprintBits) implements Shape {

  /** Fingerprints in a bucket. */
  public static final int BUCKET_SLOTS = 4;

  /** The share of slots that keys are expected to take at most. */
  public static final double MAX_LOAD_FACTOR = 0.95;

  private static final long MAX_BUCKETS = 1L << 32;
  private static final int LEAST_BITS = 4;
  private static final int MOST_BITS = 32;

  /**
   * Checks the fields.
   *
   * @param buckets number of buckets
   * @param fingerprintBits bits per fingerprint
   * @throws IllegalArgumentException if a field is outside its range, or {@code buckets} is odd
   */
  public CuckooShape {
    Arguments.inRange("fingerprintBits", fingerprintBits, LEAST_BITS, MOST_BITS);
    Arguments.inRange("buckets", buckets, 2, mostBuckets(fingerprintBits));
    if (buckets % 2 != 0) {
      throw new IllegalArgumentException("buckets = " + buckets + " is odd; it must be even");
    }
  }

  private static long mostBuckets(int fingerprintBits) {
    // One word is spare, so that two words can be read wherever a bucket begins.
    return Math.min(
        MAX_BUCKETS, (MAX_BITS - Long.SIZE) / ((long) BUCKET_SLOTS * fingerprintBits) & -2);
  }

  /**
   * The smallest filter that has room for {@code keys} keys and whose exact rate is then at most
   * {@code rate}, over all widths of fingerprints.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static CuckooShape forKeys(long keys, double rate) {
    Sizing.requireTarget(keys, rate);
    CuckooShape best = null;
    for (int bits = LEAST_BITS; bits <= MOST_BITS; bits++) {
      long buckets = Math.max(bucketsFor(keys), bucketsFor(keys, rate, bits));
      if (buckets <= mostBuckets(bits)
          && (best == null || (long) BUCKET_SLOTS * bits * buckets < best.sizeInBits())) {
        best = new CuckooShape(buckets, bits);
      }
    }
    if (best == null) {
      throw Sizing.tooLarge("a cuckoo filter", keys, rate);
    }
    return best;
  }

  /**
   * The smallest filter that has room for {@code keys} keys, with fingerprints of a given width.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param fingerprintBits bits per fingerprint, 4 … 32
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static CuckooShape forKeys(long keys, int fingerprintBits) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    return new CuckooShape(bucketsFor(keys), fingerprintBits);
  }

  /**
   * The filter with the widest fingerprints that has room for {@code keys} keys in a given memory.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 32 … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the budget has no room
   *     for that many keys
   */
  public static CuckooShape forBudget(long keys, long bits) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    Sizing.requireBudget(bits, 2 * BUCKET_SLOTS * LEAST_BITS);
    for (int width = MOST_BITS; width >= LEAST_BITS; width--) {
      long buckets = Math.min(bits / ((long) BUCKET_SLOTS * width) & -2, mostBuckets(width));
      if (buckets >= 2 && capacity(buckets) >= keys) {
        return new CuckooShape(buckets, width);
      }
    }
    throw new IllegalArgumentException(
        "bits = " + bits + " has no room for keys = " + keys + " fingerprints of 4 bits");
  }

  private static long bucketsFor(long keys) {
    long buckets = evenCeil(keys / (MAX_LOAD_FACTOR * BUCKET_SLOTS));
    while (capacity(buckets) < keys) {
      buckets += 2;
    }
    return buckets;
  }

  private static long bucketsFor(long keys, double rate, int bits) {
    double share = -Math.expm1(Math.log1p(-rate) / keys);
    long buckets = evenCeil(Math.min(2 / (share * values(bits)), 2.0 * MAX_BUCKETS));
    while (rate(buckets, bits, keys) > rate && buckets <= MAX_BUCKETS) {
      buckets += 2;
    }
    return buckets;
  }

  private static long evenCeil(double buckets) {
    return Math.max(2, 2 * (long) Math.ceil(buckets / 2));
  }

  private static double values(int bits) {
    return (1L << bits) - 1;
  }

  /**
   * How many distinct keys the filter is for: 95 % of the slots, fewer in tables of less than 225
   * buckets, whose buckets fill less evenly. That many fit in more than 999 of 1000 cases in small
   * tables, and practically always in large ones, which take 97 %.
   *
   * @return number of keys, at least 8
   */
  public long capacity() {
    return capacity(buckets);
  }

  @Override
  public long maxKeys() {
    return capacity();
  }

  private static long capacity(long buckets) {
    if (buckets == 2) {
      return 2 * BUCKET_SLOTS;
    }
    double load = Math.min(MAX_LOAD_FACTOR, 1 - 0.75 / Math.sqrt((double) buckets));
    return (long) (load * BUCKET_SLOTS * buckets);
  }

  /**
   * How many fingerprints there is room for.
   *
   * @return four times the number of buckets
   */
  public long slots() {
    return BUCKET_SLOTS * buckets;
  }

  @Override
  public long sizeInBits() {
    return slots() * fingerprintBits;
  }

  @Override
  public double falsePositiveRate(long keys) {
    return rate(buckets, fingerprintBits, Sizing.requireLoad(keys));
  }

  private static double rate(long buckets, int bits, long keys) {
    return -Math.expm1(keys * Math.log1p(-2 / (buckets * values(bits))));
  }
}
