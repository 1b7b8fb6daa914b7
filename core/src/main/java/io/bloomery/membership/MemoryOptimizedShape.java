package io.bloomery.membership;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Fill;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a Bloom filter with a bucket table: m bits and m buckets, k hashes per key, one of
 * which names the bucket that keeps the key's item.
 *
 * @param bits m, the number of bits and of buckets, 2 … 2^31
 * @param hashesPerKey hashes per key, 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most {@code bits}
 * @param itemBits bits of a key's item: 64 for its whole hash, 1 … 63 for a fingerprint, 0 for one
 *     bit and no items, as the survey literally says
 * @param items the initial room for items, 0 … 2^30; 0 without items. More may be added
 */
public record MemoryOptimizedShape(
    @FieldName("bits") long bits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("item bits") int itemBits,
    @FieldName("items") long items)
    implements Shape {

  /** The largest number of buckets, 2^31. */
  public static final long MAX_BUCKETS = 1L << 31;

  /** The largest number of items, 2^30. */
  public static final long MAX_ITEMS = 1L << 30;

  /** Bits of the link from a bucket or an item to an item. */
  static final int LINK_BITS = 32;

  /** The most items per bucket, on average, that a shape is sized for. */
  private static final int ITEMS_PER_BUCKET = 2;

  private static final int SHORTER_ITEMS = 2;

  public MemoryOptimizedShape {
    Arguments.inRange("bits", bits, 2, MAX_BUCKETS);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, bits));
    Arguments.inRange("itemBits", itemBits, 0, Long.SIZE);
    Arguments.inRange("items", items, 0, itemBits == 0 ? 0 : MAX_ITEMS);
  }

  /**
   * The smallest filter of items whose rate at {@code expectedKeys} keys is at most {@code
   * falsePositiveRate}. Items are fingerprints as long as the rate needs, at most two per bucket on
   * average; one more bit in each halves the rate, which is therefore between half the given rate
   * and the given rate.
   *
   * @param expectedKeys distinct keys to hold, 1 … 2^30
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or more than 2^31 buckets
   *     are needed
   */
  public static MemoryOptimizedShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Sizing.requireKeys(expectedKeys, MAX_ITEMS);
    long least = Math.max(2, (expectedKeys + ITEMS_PER_BUCKET - 1) / ITEMS_PER_BUCKET);
    // One more bit per item costs 1/33 of what halving the rate by more buckets costs, so the best
    // items are as long as the smallest number of buckets requires, or a bit or two shorter.
    int most = 1;
    while (most < Long.SIZE && rate(least, 1, most, expectedKeys) > falsePositiveRate) {
      most++;
    }
    MemoryOptimizedShape best = null;
    for (int itemBits = Math.max(1, most - SHORTER_ITEMS); itemBits <= most; itemBits++) {
      MemoryOptimizedShape shape = smallest(expectedKeys, falsePositiveRate, itemBits, least);
      if (shape != null && (best == null || shape.sizeInBits() < best.sizeInBits())) {
        best = shape;
      }
    }
    if (best == null) {
      throw Sizing.tooLarge("a memory-optimized filter", expectedKeys, falsePositiveRate);
    }
    return best;
  }

  private static @Nullable MemoryOptimizedShape smallest(
      long keys, double rate, int itemBits, long least) {
    Sizing.Choice choice =
        Sizing.smallest(
            (more, k) -> rate(least + more - 1, k, itemBits, keys),
            rate,
            1,
            MAX_BUCKETS - least + 1,
            new Sizing.Probes(1, 1, (int) Math.min(least, Sizing.mostProbes(rate, 1)), 2));
    return choice == null
        ? null
        : new MemoryOptimizedShape(
            least + choice.size() - 1, choice.hashesPerKey(), itemBits, keys);
  }

  /**
   * A filter of given parameters that stores whole hashes, so that it is exact.
   *
   * @param bits m, the number of bits and of buckets, 2 … 2^31
   * @param hashesPerKey hashes per key, 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most {@code
   *     bits}
   * @return the shape, without room for items; the filter grows as they are added
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static MemoryOptimizedShape of(long bits, int hashesPerKey) {
    return new MemoryOptimizedShape(bits, hashesPerKey, Long.SIZE, 0);
  }

  /**
   * A filter as the survey describes it: one of k positions is set for each key, and no item is
   * stored.
   *
   * @param bits m, 2 … 2^31
   * @param hashesPerKey hashes to choose from, 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most
   *     {@code bits}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static MemoryOptimizedShape literal(long bits, int hashesPerKey) {
    return new MemoryOptimizedShape(bits, hashesPerKey, 0, 0);
  }

  /**
   * Whether items are stored.
   *
   * @return false for the {@link #literal} filter
   */
  public boolean isStoring() {
    return itemBits > 0;
  }

  /** This shape with room for another number of items. */
  MemoryOptimizedShape withItems(long other) {
    return new MemoryOptimizedShape(bits, hashesPerKey, itemBits, other);
  }

  /**
   * {@inheritDoc}
   *
   * @return bits and bucket links, and the items with their links
   */
  @Override
  public long sizeInBits() {
    return isStoring() ? bits + bits * LINK_BITS + items * (itemBits + LINK_BITS) : bits;
  }

  /**
   * {@inheritDoc}
   *
   * <p>For whole hashes: keys/2^64. For fingerprints of f bits: the probability that the key's
   * bucket has its fingerprint, 1 − (1 − 2^−f/m)^keys, and that its other k − 1 bits are set.
   * Without items: 1 − (1 − 1/m)^keys.
   */
  @Override
  public double falsePositiveRate(long keys) {
    return rate(bits, hashesPerKey, itemBits, Sizing.requireLoad(keys));
  }

  private static double rate(long bits, int hashesPerKey, int itemBits, long keys) {
    double same = Math.scalb((double) keys, -Long.SIZE);
    if (itemBits == Long.SIZE) {
      return same;
    }
    double bucket = -Math.expm1(keys * Math.log1p(-Math.scalb(1.0 / bits, -itemBits)));
    if (itemBits == 0 || hashesPerKey == 1) {
      return bucket;
    }
    // At loads that are too high to compute, every bit is set.
    long thrown = keys > Long.MAX_VALUE / hashesPerKey ? Long.MAX_VALUE : keys * hashesPerKey;
    int others = hashesPerKey - 1;
    return Math.min(1, same + bucket * Fill.expect(bits, thrown, 0, 0, x -> Math.pow(x, others)));
  }
}
