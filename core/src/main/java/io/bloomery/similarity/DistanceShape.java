package io.bloomery.similarity;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.CountingMath;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a distance-sensitive Bloom filter: k arrays of m' bits with a locality-sensitive
 * hash function each, and the number of set bits from which an item counts as close.
 *
 * <p>Two items at distance d share the value of a function with probability {@code c(d) = (1 -
 * d)^samples}. With n items in the filter a bit is set with probability {@code φ = 1 - (1 -
 * 1/m')^n}. So the number of set bits is binomial: each of the k bits is set with probability
 * {@code c + (1 - c)·φ} for an item at distance d from one member and far from the others, and with
 * at most {@code φ + n·c(d)} for an item at distance d or more from all members.
 *
 * @param distance how far apart two items are
 * @param dimension for {@link Distance#HAMMING} the bits of a vector, 1 … 2^27; otherwise 0
 * @param samples bits or orders that one hash function combines, 1 … 4096; for {@link
 *     Distance#CUSTOM} 1
 * @param arrays k, the number of arrays and of hash functions, 1 … 65535
 * @param arrayBits m', the bits of one array, 1 … {@link Shape#MAX_BITS} / arrays
 * @param threshold the number of set bits from which an item is reported as close, 1 … arrays
 */
public record DistanceShape(
    @FieldName("distance") Distance distance,
    @FieldName("dimension") int dimension,
    @FieldName("samples") int samples,
    @FieldName("arrays") int arrays,
    @FieldName("array bits") long arrayBits,
    @FieldName("threshold") int threshold)
    implements Shape {

  /** The most arrays. */
  public static final int MAX_ARRAYS = 65_535;

  /** Bits per expected item that sizing tries, from full arrays to sparse ones. */
  private static final double[] BITS_PER_ITEM = {0.5, 0.7, 1, 1.4, 2, 2.8, 4, 5.6, 8, 16, 32, 64};

  /**
   * Sizing stops where this few functions agree on close items: with fewer, the number of arrays
   * explodes.
   */
  private static final double FEWEST_COLLISIONS = 0.01;

  /** Sizing tries every number of samples up to this one, then steps of about 6 %. */
  private static final int SAMPLE_STEP = 16;

  public DistanceShape {
    Objects.requireNonNull(distance, "distance");
    boolean hamming = distance == Distance.HAMMING;
    Arguments.inRange(
        "dimension", dimension, hamming ? 1 : 0, hamming ? BitSampling.MAX_DIMENSION : 0);
    Arguments.inRange(
        "samples", samples, 1, distance == Distance.CUSTOM ? 1 : BitSampling.MAX_SAMPLES);
    Arguments.inRange("arrays", arrays, 1, MAX_ARRAYS);
    Arguments.inRange("arrayBits", arrayBits, 1, MAX_BITS / arrays);
    Arguments.inRange("threshold", threshold, 1, arrays);
  }

  /**
   * A filter of bit vectors.
   *
   * @param dimension the bits of a vector, 1 … 2^27
   * @param samples the number of bits that one hash function samples, 1 … 4096
   * @param arrays k, 1 … 65535
   * @param arrayBits m', the bits of one array
   * @param threshold the number of set bits from which an item is reported as close, 1 … arrays
   * @return the shape
   */
  public static DistanceShape hamming(
      int dimension, int samples, int arrays, long arrayBits, int threshold) {
    return new DistanceShape(Distance.HAMMING, dimension, samples, arrays, arrayBits, threshold);
  }

  /**
   * A filter of sets.
   *
   * @param samples the orders that one hash function combines, 1 … 4096
   * @param arrays k, 1 … 65535
   * @param arrayBits m', the bits of one array
   * @param threshold the number of set bits from which an item is reported as close, 1 … arrays
   * @return the shape
   */
  public static DistanceShape jaccard(int samples, int arrays, long arrayBits, int threshold) {
    return new DistanceShape(Distance.JACCARD, 0, samples, arrays, arrayBits, threshold);
  }

  /**
   * A filter of items that the caller hashes.
   *
   * @param arrays k, 1 … 65535
   * @param arrayBits m', the bits of one array
   * @param threshold the number of set bits from which an item is reported as close, 1 … arrays
   * @return the shape
   */
  public static DistanceShape custom(int arrays, long arrayBits, int threshold) {
    return new DistanceShape(Distance.CUSTOM, 0, 1, arrays, arrayBits, threshold);
  }

  /**
   * A filter of bit vectors that separates close items from far ones, the smallest that the search
   * finds.
   *
   * @param dimension the bits of a vector, 1 … 2^27
   * @param expectedItems how many items it will hold, 1 … {@link Shape#MAX_KEYS}
   * @param near items at most this far from some member must be found; 0 or more
   * @param far items at least this far from all members must be rejected; above {@code near}, below
   *     1
   * @param errorRate the highest rate of false negatives at {@code near} and of false positives at
   *     {@code far}, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static DistanceShape forVectors(
      int dimension, long expectedItems, double near, double far, double errorRate) {
    Arguments.inRange("dimension", dimension, 1, BitSampling.MAX_DIMENSION);
    return smallest(Distance.HAMMING, dimension, expectedItems, near, far, errorRate);
  }

  /**
   * A filter of sets that separates close items from far ones, the smallest that the search finds.
   *
   * @param expectedItems how many sets it will hold, 1 … {@link Shape#MAX_KEYS}
   * @param near items at most this far from some member must be found; 0 or more
   * @param far items at least this far from all members must be rejected; above {@code near}, below
   *     1
   * @param errorRate the highest rate of false negatives at {@code near} and of false positives at
   *     {@code far}, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static DistanceShape forSets(
      long expectedItems, double near, double far, double errorRate) {
    return smallest(Distance.JACCARD, 0, expectedItems, near, far, errorRate);
  }

  private static DistanceShape smallest(
      Distance distance, int dimension, long items, double near, double far, double errorRate) {
    Arguments.inRange("expectedItems", items, 1, MAX_KEYS);
    Arguments.inRange("near", near, 0, 1);
    Arguments.rate("far", far);
    Arguments.rate("errorRate", errorRate);
    if (!(near < far)) {
      throw new IllegalArgumentException("near = " + near + " is not below far = " + far);
    }
    DistanceShape best = null;
    int samples = 1;
    while (samples <= BitSampling.MAX_SAMPLES) {
      for (double bitsPerItem : BITS_PER_ITEM) {
        long bits = (long) Math.ceil(Math.max(1, items * bitsPerItem));
        DistanceShape found =
            fewestArrays(distance, dimension, samples, bits, items, near, far, errorRate);
        if (found != null && (best == null || found.sizeInBits() < best.sizeInBits())) {
          best = found;
        }
      }
      if (Math.pow(1 - near, samples) < FEWEST_COLLISIONS) {
        break;
      }
      samples += 1 + samples / SAMPLE_STEP;
    }
    if (best == null) {
      throw new IllegalArgumentException(
          "no filter of %d arrays and %d bits tells near = %s from far = %s for expectedItems = %d and errorRate = %s"
              .formatted(MAX_ARRAYS, MAX_BITS, near, far, items, errorRate));
    }
    return best;
  }

  /**
   * The fewest arrays that meet both rates, with their best threshold; null if there would be too
   * many.
   */
  private static @Nullable DistanceShape fewestArrays(
      Distance distance,
      int dimension,
      int samples,
      long bits,
      long items,
      double near,
      double far,
      double errorRate) {
    long most = Math.min(MAX_ARRAYS, MAX_BITS / bits);
    if (most < 1) {
      return null;
    }
    DistanceShape one = new DistanceShape(distance, dimension, samples, 1, bits, 1);
    double gap = one.closeProbability(items, near) - one.farProbability(items, far);
    if (gap <= 0) {
      return null;
    }
    // Hoeffding: each rate is at most exp(-2·(gap/2)²·k) with a threshold halfway.
    double enough = Math.ceil(-2 * Math.log(errorRate) / (gap * gap)) + 2;
    int high = (int) Math.min((double) most, enough);
    DistanceShape found = one.withArrays(high, items, near, far, errorRate);
    int low = 0;
    while (found != null && high - low > 1) {
      int middle = (low + high) >>> 1;
      DistanceShape fewer = one.withArrays(middle, items, near, far, errorRate);
      if (fewer == null) {
        low = middle;
      } else {
        high = middle;
        found = fewer;
      }
    }
    return found;
  }

  /** The same with more arrays and the lowest threshold that meets the false-positive rate. */
  private @Nullable DistanceShape withArrays(
      int k, long items, double near, double far, double errorRate) {
    double farBit = farProbability(items, far);
    int low = 1;
    int high = k;
    if (CountingMath.binomialTail(k, farBit, k) > errorRate) {
      return null;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (CountingMath.binomialTail(k, farBit, middle) > errorRate) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    DistanceShape shape = new DistanceShape(distance, dimension, samples, k, arrayBits, low);
    return shape.falseNegativeRate(items, near) <= errorRate ? shape : null;
  }

  /**
   * The threshold halfway between the expected numbers of set bits of a close and of a far item.
   *
   * @param items n, the items in the filter, 0 … {@link Shape#MAX_LOAD}
   * @param near the distance of the close item, 0 … 1
   * @param far the distance of the far item from all members, 0 … 1
   * @return a threshold, rounded up
   */
  public int middleThreshold(long items, double near, double far) {
    double sum = closeProbability(items, near) + farProbability(items, far);
    return (int) Math.max(1, Math.min(arrays, Math.ceil(arrays * sum / 2)));
  }

  /**
   * The probability that two items have the same value under one hash function.
   *
   * @param apart their distance d, 0 … 1
   * @return {@code (1 - d)^samples}
   */
  public double collisionProbability(double apart) {
    return Math.pow(1 - Arguments.inRange("apart", apart, 0, 1), samples);
  }

  /**
   * The expected share of set bits of an array.
   *
   * @param items n, the items in the filter, no two of them close, 0 … {@link Shape#MAX_LOAD}
   * @return {@code φ = 1 - (1 - 1/m')^n}
   */
  public double fill(long items) {
    Sizing.requireLoad(items);
    return items == 0 ? 0 : -Math.expm1(items * Math.log1p(-1.0 / arrayBits));
  }

  /**
   * The probability that one bit of an item that is close to one member and far from the others is
   * set.
   *
   * @param items n, the items in the filter, 0 … {@link Shape#MAX_LOAD}
   * @param near its distance from that member, 0 … 1
   * @return {@code c + (1 - c)·φ}, where c is the collision probability
   */
  public double closeProbability(long items, double near) {
    double same = collisionProbability(near);
    return same + (1 - same) * fill(items);
  }

  /**
   * A bound on the probability that one bit of an item that is far from all members is set; exact
   * if no member collides with it.
   *
   * @param items n, the items in the filter, 0 … {@link Shape#MAX_LOAD}
   * @param far its least distance from a member, 0 … 1
   * @return {@code φ + n·c}, at most 1, where c is the collision probability
   */
  public double farProbability(long items, double far) {
    return Math.min(1, fill(items) + items * collisionProbability(far));
  }

  /**
   * The rate at which an item that is close to one member and far from the others is missed.
   *
   * @param items n, the items in the filter, 1 … {@link Shape#MAX_LOAD}
   * @param near its distance from that member, 0 … 1
   * @return the probability of fewer than {@code threshold} set bits; 0 for members
   */
  public double falseNegativeRate(long items, double near) {
    double clear = 1 - closeProbability(items, near);
    return CountingMath.binomialTail(arrays, clear, arrays - threshold + 1);
  }

  /**
   * A bound on the rate at which an item that is far from all members is found.
   *
   * @param items n, the items in the filter, 0 … {@link Shape#MAX_LOAD}
   * @param far its least distance from a member, 0 … 1
   * @return the probability of {@code threshold} set bits or more
   */
  public double falsePositiveRate(long items, double far) {
    return CountingMath.binomialTail(arrays, farProbability(items, far), threshold);
  }

  /** {@inheritDoc} Here: for an item at the maximum distance from all members. */
  @Override
  public double falsePositiveRate(long keys) {
    return falsePositiveRate(keys, 1);
  }

  @Override
  public long sizeInBits() {
    return arrays * arrayBits;
  }

  /** How a {@link DistanceSensitiveFilter} measures how far apart two items are. */
  public enum Distance {

    /**
     * The share of bits in which two bit vectors differ; hashed by {@link
     * LocalityHash#bitSampling}.
     */
    HAMMING(1),

    /**
     * One minus the share of common elements of two sets; hashed by {@link LocalityHash#minHash}.
     */
    JACCARD(2),

    /**
     * The caller's: one minus the probability that two items have the same value under a function
     * of the {@link LocalityHash} that the caller gives with each item.
     */
    CUSTOM(3);

    private final int wireId;

    Distance(int wireId) {
      this.wireId = wireId;
    }

    /**
     * The number that identifies this distance in files.
     *
     * @return 1 or more
     */
    public int wireId() {
      return wireId;
    }
  }
}
