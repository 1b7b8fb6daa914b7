package io.bloomery.membership;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.DLeftCurve;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a d-left fingerprint filter: {@code tables} subtables of {@code buckets} buckets of
 * 64 or 128 bits. A bucket has a count of 4 or 5 bits and shares the rest among its j fingerprints,
 * ⌊60 / j⌋ or ⌊123 / j⌋ bits for each, at most 60. One that would hold 15 or 31 is saturated and
 * reports every key present.
 *
 * <p>The rate is {@code 1 - Π (1 - Σ p·D·2^-length)} over the subtables and the loads j of their
 * buckets, of whose fingerprints D are different, with the shares p of loads in the limit of many
 * buckets, a system of differential equations. A key that is reported present is not stored, so
 * fingerprints of a bucket are more different than random ones. Loads of few buckets are more even,
 * so that the rate is a little lower there. To first order it is the sum of {@code j·2^-length}
 * over the buckets that a query reads.
 *
 * @param tables d, subtables and buckets of a key, 2 … 4
 * @param buckets B, buckets of each subtable, 1 or more
 * @param bucketWords 64-bit words of a bucket, 1 or 2
 */
public record DLeftFingerprintShape(
    @FieldName("tables") int tables,
    @FieldName("buckets") long buckets,
    @FieldName("bucket words") int bucketWords)
    implements Shape {

  /** The most bits of a fingerprint. */
  public static final int MAX_LENGTH = 60;

  private static final int MAX_TABLES = 4;
  private static final Map<Integer, DLeftCurve> CURVES = new ConcurrentHashMap<>();

  public DLeftFingerprintShape {
    Arguments.inRange("tables", tables, 2, MAX_TABLES);
    Arguments.inRange("bucketWords", bucketWords, 1, 2);
    Arguments.inRange("buckets", buckets, 1, MAX_BITS / ((long) Long.SIZE * tables * bucketWords));
  }

  /**
   * The smallest filter for a number of keys and a rate.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static DLeftFingerprintShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    DLeftFingerprintShape best = null;
    for (int tables = 2; tables <= MAX_TABLES; tables++) {
      for (int words = 1; words <= 2; words++) {
        double load = curve(tables, words).keysPerBucket(falsePositiveRate);
        double buckets = Math.max(1, Math.ceil(expectedKeys / load));
        DLeftFingerprintShape shape = ofBuckets(tables, buckets, words);
        while (shape != null && shape.falsePositiveRate(expectedKeys) > falsePositiveRate) {
          shape = ofBuckets(tables, shape.buckets + 1.0, words);
        }
        if (shape != null && (best == null || shape.sizeInBits() < best.sizeInBits())) {
          best = shape;
        }
      }
    }
    if (best == null) {
      throw Sizing.tooLarge("a d-left fingerprint filter", expectedKeys, falsePositiveRate);
    }
    return best;
  }

  private static @Nullable DLeftFingerprintShape ofBuckets(int tables, double buckets, int words) {
    return buckets * tables * words * Long.SIZE <= MAX_BITS
        ? new DLeftFingerprintShape(tables, (long) buckets, words)
        : null;
  }

  /**
   * The filter with the lowest rate within a memory budget.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 128 … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static DLeftFingerprintShape forBudget(long expectedKeys, long bits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Sizing.requireBudget(bits, 2 * Long.SIZE);
    DLeftFingerprintShape best = new DLeftFingerprintShape(2, bits / (2 * Long.SIZE), 1);
    double lowest = best.falsePositiveRate(expectedKeys);
    for (int tables = 2; tables <= MAX_TABLES; tables++) {
      for (int words = 1; words <= 2; words++) {
        long buckets = bits / ((long) Long.SIZE * tables * words);
        if (buckets >= 1) {
          DLeftFingerprintShape shape = new DLeftFingerprintShape(tables, buckets, words);
          double rate = shape.falsePositiveRate(expectedKeys);
          if (rate < lowest) {
            best = shape;
            lowest = rate;
          }
        }
      }
    }
    return best;
  }

  private static DLeftCurve curve(int tables, int bucketWords) {
    return CURVES.computeIfAbsent(
        2 * tables + bucketWords - 1, key -> new DLeftCurve(tables, lengths(bucketWords)));
  }

  /** The length of a fingerprint for each load of a bucket that is not saturated. */
  private static int[] lengths(int bucketWords) {
    int[] lengths = new int[saturated(bucketWords)];
    for (int j = 1; j < lengths.length; j++) {
      lengths[j] = length(bucketWords, j);
    }
    return lengths;
  }

  static int countBits(int bucketWords) {
    return 3 + bucketWords;
  }

  static int saturated(int bucketWords) {
    return (1 << countBits(bucketWords)) - 1;
  }

  static int length(int bucketWords, int fingerprints) {
    return Math.min(MAX_LENGTH, (bucketWords * Long.SIZE - countBits(bucketWords)) / fingerprints);
  }

  /**
   * The length of each fingerprint in a bucket.
   *
   * @param fingerprints how many it holds, 1 … {@code maxFingerprints()}
   * @return bits
   */
  public int length(int fingerprints) {
    Arguments.inRange("fingerprints", fingerprints, 1, maxFingerprints());
    return length(bucketWords, fingerprints);
  }

  /**
   * The most fingerprints of a bucket that is not saturated.
   *
   * @return 14 or 30
   */
  public int maxFingerprints() {
    return saturated(bucketWords) - 1;
  }

  @Override
  public long sizeInBits() {
    return (long) Long.SIZE * tables * buckets * bucketWords;
  }

  @Override
  public double falsePositiveRate(long keys) {
    return curve(tables, bucketWords).rate((double) Sizing.requireLoad(keys) / buckets);
  }
}
