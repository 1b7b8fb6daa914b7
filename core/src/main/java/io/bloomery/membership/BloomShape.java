package io.bloomery.membership;

import io.bloomery.QueryCost;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.HashBits;
import java.util.Objects;

/**
 * The shape of a standard Bloom filter, or of a partitioned one, with a slice for each hash.
 *
 * @param bits size in bits, 1 … {@link Shape#MAX_BITS}; a multiple of {@code hashesPerKey} if
 *     partitioned
 * @param hashesPerKey hashes per key, 1 … {@link Shape#MAX_HASHES_PER_KEY}
 * @param scheme how a key's positions are computed; {@link IndexScheme#PARTITIONED} confines
 *     position i to slice i of {@code bits / hashesPerKey} bits
 */
public record BloomShape(
    @FieldName("bits") long bits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("scheme") IndexScheme scheme)
    implements Shape, QueryCost {

  public BloomShape {
    Arguments.inRange("bits", bits, 1, MAX_BITS);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, MAX_HASHES_PER_KEY);
    Objects.requireNonNull(scheme, "scheme");
    if (scheme == IndexScheme.PARTITIONED) {
      Arguments.multipleOf("bits", bits, "hashesPerKey", hashesPerKey);
    }
  }

  /**
   * The smallest filter, in whole 64-bit words, whose exact rate at {@code expectedKeys} keys is at
   * most {@code falsePositiveRate}.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape, with {@link IndexScheme#POWERS}
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static BloomShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    long max = MAX_BITS / 64;
    long best = Long.MAX_VALUE;
    int bestProbes = 0;
    // The classic formula never exceeds the exact one, so the search starts upwards from its
    // solution, and hashes per key whose classic size is not below the best size cannot improve it.
    int most = Sizing.mostProbes(falsePositiveRate, 1);
    for (int k = most; k > 0; k--) {
      int hashesPerKey = k;
      long lowest =
          (long) Math.ceil(BloomMath.bitsForRate(expectedKeys, falsePositiveRate, k) / 64);
      if (lowest >= best || lowest > max) {
        continue;
      }
      long words =
          SizeSearch.smallest(
              w -> BloomMath.exactRate(w * 64, expectedKeys, hashesPerKey),
              falsePositiveRate,
              Math.max(1, lowest),
              max);
      if (words > 0 && words < best) {
        best = words;
        bestProbes = k;
      }
    }
    if (bestProbes == 0) {
      throw Sizing.tooLarge("a Bloom filter", expectedKeys, falsePositiveRate);
    }
    return best(expectedKeys, best * 64, bestProbes, most);
  }

  /**
   * The smallest filter of a given scheme whose exact rate at {@code expectedKeys} keys is at most
   * {@code falsePositiveRate}.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param scheme how a key's positions are computed
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static BloomShape forKeys(
      long expectedKeys, double falsePositiveRate, IndexScheme scheme) {
    return scheme == IndexScheme.PARTITIONED
        ? partitionedForKeys(expectedKeys, falsePositiveRate)
        : forKeys(expectedKeys, falsePositiveRate).with(scheme);
  }

  private static BloomShape partitionedForKeys(long keys, double rate) {
    Sizing.requireTarget(keys, rate);
    BloomShape best = null;
    for (int k = 1; k <= MAX_HASHES_PER_KEY; k++) {
      int hashesPerKey = k;
      // (1 − (1 − 1/s)^n)^k = rate, solved for the slice s.
      double logZero = Math.log1p(-Math.pow(rate, 1.0 / k));
      long guess = (long) Math.ceil(-1 / Math.expm1(logZero / keys));
      long limit = best == null ? MAX_BITS : best.bits - 1;
      if ((guess - 1) * k > limit) {
        continue;
      }
      long slice =
          SizeSearch.smallest(
              s -> BloomMath.partitionedRate(s * hashesPerKey, keys, hashesPerKey),
              rate,
              guess,
              limit / k);
      if (slice > 0) {
        best = new BloomShape(slice * k, k, IndexScheme.PARTITIONED);
      }
    }
    if (best == null) {
      throw Sizing.tooLarge("a partitioned Bloom filter", keys, rate);
    }
    return best;
  }

  /**
   * The best filter for a number of keys within a memory budget.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}; rounded down to whole 64-bit words
   * @return the shape with the lowest exact rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomShape forBudget(long expectedKeys, long bits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    long whole = Sizing.requireBudget(bits, 64) / 64 * 64;
    return best(
        expectedKeys, whole, BloomMath.optimalProbes(whole, expectedKeys), MAX_HASHES_PER_KEY);
  }

  /**
   * The best filter of a given scheme for a number of keys within a memory budget.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}; rounded down to whole words or slices
   * @param scheme how a key's positions are computed
   * @return the shape with the lowest exact rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomShape forBudget(long expectedKeys, long bits, IndexScheme scheme) {
    return scheme == IndexScheme.PARTITIONED
        ? partitionedForBudget(expectedKeys, bits)
        : forBudget(expectedKeys, bits).with(scheme);
  }

  private static BloomShape partitionedForBudget(long keys, long bits) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    Sizing.requireBudget(bits, 64);
    int start = BloomMath.optimalProbes(bits, keys);
    int most = (int) Math.min(MAX_HASHES_PER_KEY, bits);
    int k =
        new Sizing.Probes(start, 1, most, 2)
            .best(p -> BloomMath.partitionedRate(bits / p * p, keys, p));
    return new BloomShape(bits / k * k, k, IndexScheme.PARTITIONED);
  }

  /**
   * The best filter within a memory budget that takes a limited number of hash bits: k is the
   * smaller of the best number and of h / log2 m, which Qiao, Li and Chen write B(h).
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}; rounded down to whole 64-bit words
   * @param hashBits h, enough for one position
   * @return the shape with the lowest exact rate for which {@link HashBits#bloom} is at most h
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomShape forHashBits(long expectedKeys, long bits, int hashBits) {
    BloomShape best = forBudget(expectedKeys, bits);
    int each = HashBits.bloom(best.bits, 1);
    Arguments.inRange("hashBits", hashBits, each, Integer.MAX_VALUE);
    return hashBits / each >= best.hashesPerKey ? best : of(best.bits, hashBits / each);
  }

  private static BloomShape best(long keys, long bits, int start, int most) {
    int k = new Sizing.Probes(start, 1, most, 2).best(p -> BloomMath.exactRate(bits, keys, p));
    return new BloomShape(bits, k, IndexScheme.POWERS);
  }

  /**
   * A filter of given parameters, as papers specify it. It merges with a filter of equal size that
   * was sized for keys or a budget.
   *
   * @param bits size in bits, 1 … {@link Shape#MAX_BITS}
   * @param hashesPerKey hashes per key, 1 … {@link Shape#MAX_HASHES_PER_KEY}
   * @return the shape, with {@link IndexScheme#POWERS}
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomShape of(long bits, int hashesPerKey) {
    return new BloomShape(bits, hashesPerKey, IndexScheme.POWERS);
  }

  /**
   * A filter of given parameters and scheme.
   *
   * @param bits size in bits, 1 … {@link Shape#MAX_BITS}; rounded up to equal slices if partitioned
   * @param hashesPerKey hashes per key, 1 … {@link Shape#MAX_HASHES_PER_KEY}
   * @param scheme how a key's positions are computed
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomShape of(long bits, int hashesPerKey, IndexScheme scheme) {
    Arguments.inRange("bits", bits, 1, MAX_BITS);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, MAX_HASHES_PER_KEY);
    boolean slices = scheme == IndexScheme.PARTITIONED;
    return new BloomShape(
        slices ? (bits + hashesPerKey - 1) / hashesPerKey * hashesPerKey : bits,
        hashesPerKey,
        scheme);
  }

  /**
   * The smallest filter by the classic formula, to the bit, for filters that are part of a larger
   * structure and have a minimum size there.
   *
   * @param expectedKeys distinct keys to hold, 1 or more
   * @param falsePositiveRate the rate, in (0, 1)
   * @param leastBits the minimum size in bits, 1 … {@link Shape#MAX_BITS}; a filter that would be
   *     smaller gets this size and the number of hashes per key that is best there
   * @return the shape, with {@link IndexScheme#INDEPENDENT}, which layers have
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomShape smallest(long expectedKeys, double falsePositiveRate, long leastBits) {
    int low = (int) Math.max(1, Math.floor(BloomMath.informationBound(falsePositiveRate)));
    long fewer = (long) Math.ceil(BloomMath.bitsForRate(expectedKeys, falsePositiveRate, low));
    long more = (long) Math.ceil(BloomMath.bitsForRate(expectedKeys, falsePositiveRate, low + 1));
    long bits = Sizing.requireAtMost("bits", Math.min(fewer, more), 1, MAX_BITS);
    if (bits < leastBits) {
      int best = BloomMath.optimalProbes(leastBits, expectedKeys);
      return new BloomShape(leastBits, best, IndexScheme.INDEPENDENT);
    }
    return new BloomShape(bits, fewer <= more ? low : low + 1, IndexScheme.INDEPENDENT);
  }

  private BloomShape with(IndexScheme other) {
    return new BloomShape(bits, hashesPerKey, other);
  }

  /**
   * Whether each hash has its own slice.
   *
   * @return true for {@link IndexScheme#PARTITIONED}
   */
  public boolean partitioned() {
    return scheme == IndexScheme.PARTITIONED;
  }

  @Override
  public long sizeInBits() {
    return bits;
  }

  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return partitioned()
        ? BloomMath.partitionedRate(bits, keys, hashesPerKey)
        : BloomMath.exactRate(bits, keys, hashesPerKey);
  }

  /** {@inheritDoc} Here: k·log2 m; of a slice if partitioned. */
  @Override
  public int hashBits() {
    return HashBits.bloom(partitioned() ? bits / hashesPerKey : bits, hashesPerKey);
  }

  /** {@inheritDoc} Here: k. */
  @Override
  public int memoryAccesses() {
    return hashesPerKey;
  }
}
