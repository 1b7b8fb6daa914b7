package io.bloomery.deletable;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import java.util.Objects;

/**
 * The shape of a multilayer counting filter that is full: a standard Bloom filter of m bits, and
 * one more bit for each of the k positions of each key above it.
 *
 * @param base the Bloom filter
 * @param keys n, the keys for which the size is given, 0 … {@link Shape#MAX_KEYS}
 */
public record MultilayerShape(BloomShape base, long keys) implements Shape {

  /**
   * Checks the fields.
   *
   * @param base the Bloom filter
   * @param keys the keys for which the size is given
   * @throws IllegalArgumentException if a field is outside its range
   */
  public MultilayerShape {
    Objects.requireNonNull(base, "base");
    Arguments.inRange("keys", keys, 0, MAX_KEYS);
  }

  /**
   * The shape that takes the least memory in all, m + nk bits, with m in whole 64-bit words. It has
   * fewer probes than the smallest Bloom filter of that rate, since each costs a bit a key: 4
   * instead of 7 at 1 %.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static MultilayerShape forKeys(long keys, double rate) {
    Sizing.requireTarget(keys, rate);
    MultilayerShape best = null;
    for (int k = Sizing.mostProbes(rate, 1); k > 0; k--) {
      int probes = k;
      long limit = (best == null ? MAX_BITS : best.sizeInBits() - 1) - keys * probes;
      // The classic formula never exceeds the exact one, so its solution is where to start upwards.
      long lowest = (long) Math.ceil(BloomMath.bitsForRate(keys, rate, k) / 64);
      if (lowest > limit / 64) {
        continue;
      }
      long words =
          SizeSearch.smallest(
              w -> BloomMath.exactRate(w * 64, keys, probes),
              rate,
              Math.max(1, lowest),
              limit / 64);
      if (words > 0) {
        best = new MultilayerShape(BloomShape.of(words * 64, k), keys);
      }
    }
    if (best == null) {
      throw Sizing.tooLarge("a multilayer filter", keys, rate);
    }
    return best;
  }

  /**
   * The shape of lowest rate whose size at a number of keys is within a given memory.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, {@code keys + 64} … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static MultilayerShape forBudget(long keys, long bits) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    Arguments.inRange("bits", bits, keys + 64, MAX_BITS);
    int most = (int) Math.min(MAX_PROBES, (bits - 64) / keys);
    int start = (int) Math.max(1, Math.round(0.38 * bits / keys / 1.38));
    int k =
        new Sizing.Probes(start, 1, most, 2)
            .best(p -> BloomMath.exactRate((bits - keys * p) / 64 * 64, keys, p));
    return new MultilayerShape(BloomShape.of((bits - keys * k) / 64 * 64, k), keys);
  }

  /** {@inheritDoc} Here: m + nk, without what it takes to find one's way, about a tenth of m. */
  @Override
  public long sizeInBits() {
    return base.bits() + keys * base.probes();
  }

  @Override
  public double falsePositiveRate(long keys) {
    return base.falsePositiveRate(keys);
  }
}
