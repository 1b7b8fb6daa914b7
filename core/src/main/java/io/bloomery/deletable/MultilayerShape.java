package io.bloomery.deletable;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import java.util.Objects;

/**
 * The shape of a full multilayer counting filter: a standard Bloom filter of m bits, and above it
 * one more bit for each of the k positions of each key.
 *
 * @param base the Bloom filter
 * @param expectedKeys n, the number of keys for which the size is stated, 0 … {@link
 *     Shape#MAX_KEYS}
 */
public record MultilayerShape(BloomShape base, @FieldName("keys") long expectedKeys)
    implements Shape {

  public MultilayerShape {
    Objects.requireNonNull(base, "base");
    Arguments.inRange("expectedKeys", expectedKeys, 0, MAX_KEYS);
  }

  /**
   * The shape with the smallest total memory, m + nk bits, with m in whole 64-bit words. It has
   * fewer hashes per key than the smallest Bloom filter of that rate, since each costs a bit per
   * key: 4 instead of 7 at 1 %.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static MultilayerShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    MultilayerShape best = null;
    for (int k = Sizing.mostProbes(falsePositiveRate, 1); k > 0; k--) {
      int hashesPerKey = k;
      long limit = (best == null ? MAX_BITS : best.sizeInBits() - 1) - expectedKeys * hashesPerKey;
      // The classic formula never exceeds the exact one, so the search starts upwards from its
      // solution.
      long lowest =
          (long) Math.ceil(BloomMath.bitsForRate(expectedKeys, falsePositiveRate, k) / 64);
      if (lowest > limit / 64) {
        continue;
      }
      long words =
          SizeSearch.smallest(
              w -> BloomMath.exactRate(w * 64, expectedKeys, hashesPerKey),
              falsePositiveRate,
              Math.max(1, lowest),
              limit / 64);
      if (words > 0) {
        best = new MultilayerShape(powers(words, k), expectedKeys);
      }
    }
    if (best == null) {
      throw Sizing.tooLarge("a multilayer filter", expectedKeys, falsePositiveRate);
    }
    return best;
  }

  private static BloomShape powers(long words, int hashesPerKey) {
    return BloomShape.of(words * Long.SIZE, hashesPerKey);
  }

  /**
   * The shape with the lowest rate whose size at a number of keys is within a memory budget.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, {@code expectedKeys + 64} … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static MultilayerShape forBudget(long expectedKeys, long bits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Sizing.requireBudget(bits, expectedKeys + 64);
    int most = (int) Math.min(MAX_HASHES_PER_KEY, (bits - 64) / expectedKeys);
    int start = (int) Math.max(1, Math.round(0.38 * bits / expectedKeys / 1.38));
    int k =
        new Sizing.Probes(start, 1, most, 2)
            .best(p -> BloomMath.exactRate((bits - expectedKeys * p) / 64 * 64, expectedKeys, p));
    return new MultilayerShape(powers((bits - expectedKeys * k) / Long.SIZE, k), expectedKeys);
  }

  /**
   * A filter of a given size, as papers specify it, whose stated size is that without keys.
   *
   * @param counters m, 2 or more
   * @param hashesPerKey hashes per key, 1 … {@link Shape#MAX_HASHES_PER_KEY}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static MultilayerShape of(long counters, int hashesPerKey) {
    return new MultilayerShape(BloomShape.of(counters, hashesPerKey), 0);
  }

  /** {@inheritDoc} Here: m + nk, without lengths and free words, about a tenth of m. */
  @Override
  public long sizeInBits() {
    return base.bits() + expectedKeys * base.hashesPerKey();
  }

  @Override
  public double falsePositiveRate(long keys) {
    return base.falsePositiveRate(keys);
  }
}
