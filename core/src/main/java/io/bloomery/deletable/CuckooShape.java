package io.bloomery.deletable;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import java.util.Objects;

/**
 * The shape of a cuckoo filter: buckets of four fingerprints, of which each key has two.
 *
 * <p>An added key matches its fingerprint in both of its buckets, that is 2 of the {@code buckets ·
 * (2^f - 1)} pairs of bucket and fingerprint, and the rate is {@code 1 - (1 - 2/(buckets · (2^f -
 * 1)))^n}, about {@code 8·load/(2^f - 1)}.
 *
 * @param buckets number of buckets, even, 2 … 2^32; all together at most {@link Shape#MAX_BITS}
 * @param fingerprintBits f, bits per fingerprint, 4 … 32
 * @param partner how a key's other bucket is found; {@link Partner#XOR} needs a power of two
 */
public record CuckooShape(
    @FieldName("buckets") long buckets,
    @FieldName("fingerprint bits") int fingerprintBits,
    @FieldName("partner") Partner partner)
    implements Shape {

  /** How the other bucket of a fingerprint is found from one bucket and the fingerprint. */
  public enum Partner {
    /**
     * An odd number that depends on the fingerprint, minus the bucket; allows any even number of
     * buckets.
     */
    DIFFERENCE(1),
    /** The classic scheme, bucket xor an odd number; requires a power of two buckets. */
    XOR(2);

    private final int wireId;

    Partner(int wireId) {
      this.wireId = wireId;
    }

    /**
     * The number that identifies this scheme in files.
     *
     * @return a number that never changes
     */
    public int wireId() {
      return wireId;
    }
  }

  /** Fingerprints in a bucket. */
  public static final int BUCKET_SLOTS = 4;

  /** The highest expected share of taken slots. */
  public static final double MAX_LOAD_FACTOR = 0.95;

  private static final long MAX_BUCKETS = 1L << 32;
  private static final int LEAST_BITS = 4;
  private static final int MOST_BITS = 32;

  public CuckooShape {
    Arguments.inRange("fingerprintBits", fingerprintBits, LEAST_BITS, MOST_BITS);
    Arguments.inRange("buckets", buckets, 2, mostBuckets(fingerprintBits));
    if (buckets % 2 != 0) {
      throw new IllegalArgumentException("buckets = " + buckets + " is odd; it must be even");
    }
    Objects.requireNonNull(partner, "partner");
    if (partner == Partner.XOR && Long.bitCount(buckets) != 1) {
      throw new IllegalArgumentException(
          "buckets = " + buckets + " is not a power of two, which partner XOR needs");
    }
  }

  private static long mostBuckets(int fingerprintBits) {
    // There is one spare word, so that two words can be read wherever a bucket begins.
    return Math.min(
        MAX_BUCKETS, (MAX_BITS - Long.SIZE) / ((long) BUCKET_SLOTS * fingerprintBits) & -2);
  }

  /**
   * The smallest filter that has room for {@code expectedKeys} keys and whose exact rate is then at
   * most {@code falsePositiveRate}, over all widths of fingerprints.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static CuckooShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    CuckooShape best = null;
    for (int bits = LEAST_BITS; bits <= MOST_BITS; bits++) {
      long buckets =
          Math.max(bucketsFor(expectedKeys), bucketsFor(expectedKeys, falsePositiveRate, bits));
      if (buckets <= mostBuckets(bits)
          && (best == null || (long) BUCKET_SLOTS * bits * buckets < best.sizeInBits())) {
        best = of(buckets, bits);
      }
    }
    if (best == null) {
      throw Sizing.tooLarge("a cuckoo filter", expectedKeys, falsePositiveRate);
    }
    return best;
  }

  /**
   * The filter for a number of keys and a rate with a given partner scheme.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param partner how a key's other bucket is found; with {@link Partner#XOR} the number of
   *     buckets is rounded up to a power of two
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static CuckooShape forKeys(long expectedKeys, double falsePositiveRate, Partner partner) {
    CuckooShape shape = forKeys(expectedKeys, falsePositiveRate);
    long buckets = shape.buckets;
    if (partner == Partner.XOR && Long.bitCount(buckets) != 1) {
      buckets = Long.highestOneBit(buckets) << 1;
    }
    return new CuckooShape(buckets, shape.fingerprintBits, partner);
  }

  /**
   * The smallest filter that has room for a number of keys, with fingerprints of a given width.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param fingerprintBits bits per fingerprint, 4 … 32
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static CuckooShape forFingerprints(long expectedKeys, int fingerprintBits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    return of(bucketsFor(expectedKeys), fingerprintBits);
  }

  /**
   * The filter with the widest fingerprints that has room for a number of keys within a memory
   * budget.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 32 … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the budget has no room
   *     for that many keys
   */
  public static CuckooShape forBudget(long expectedKeys, long bits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Sizing.requireBudget(bits, 2 * BUCKET_SLOTS * LEAST_BITS);
    for (int width = MOST_BITS; width >= LEAST_BITS; width--) {
      long buckets = Math.min(bits / ((long) BUCKET_SLOTS * width) & -2, mostBuckets(width));
      if (buckets >= 2 && capacity(buckets) >= expectedKeys) {
        return of(buckets, width);
      }
    }
    throw Arguments.impossible(
        Arguments.named("bits", bits),
        " has no room for ",
        Arguments.named("expectedKeys", expectedKeys),
        " as fingerprints of 4 bits");
  }

  /**
   * A filter of a given size, as papers specify it, whose number of buckets need only be even.
   *
   * @param buckets number of buckets of four, even, 2 … 2^32
   * @param fingerprintBits bits per fingerprint, 4 … 32
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CuckooShape of(long buckets, int fingerprintBits) {
    return new CuckooShape(buckets, fingerprintBits, Partner.DIFFERENCE);
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
   * The number of distinct keys that the filter is designed for: 95 % of the slots, fewer in tables
   * of less than 225 buckets, whose buckets fill less evenly. That many fit in more than 999 of
   * 1000 small tables, and practically always in large ones, which take 97 %.
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
   * The number of slots.
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
