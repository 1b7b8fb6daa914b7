package io.bloomery.membership;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BlockMath;
import io.bloomery.theory.BloomMath;

/**
 * The shape of the split-block Bloom filter of Parquet and Impala: blocks of eight 32-bit lanes, of
 * which a key sets one bit each.
 *
 * <p>The rate is Σ_x Bin(x; n, 1/blocks)·(1 − (31/32)^x)^8, plus the share of keys whose 32 hash
 * bits within the block equal those of a key that was added, which matters below about 1e-8. Eight
 * probes are fixed, so it is larger than a {@link BlockShape} far from 1 %.
 *
 * @param blocks number of 256-bit blocks, at least 1; {@code blocks · 256} at most {@link
 *     Shape#MAX_BITS}
 */
public record SplitBlockShape(long blocks) implements Shape {

  /**
   * Checks the field.
   *
   * @param blocks number of 256-bit blocks
   * @throws IllegalArgumentException if {@code blocks} is outside its range
   */
  public SplitBlockShape {
    Arguments.inRange("blocks", blocks, 1, MAX_BITS / BlockMath.SPLIT_BLOCK_BITS);
  }

  /**
   * The smallest filter whose exact rate at {@code keys} keys is at most {@code rate}.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static SplitBlockShape forKeys(long keys, double rate) {
    Sizing.requireTarget(keys, rate);
    long guess = (long) (keys * BloomMath.bitsPerKey(rate) * 1.2 / BlockMath.SPLIT_BLOCK_BITS) + 1;
    long max = MAX_BITS / BlockMath.SPLIT_BLOCK_BITS;
    long blocks = SizeSearch.smallest(b -> BlockMath.splitBlockRate(b, keys), rate, guess, max);
    if (blocks < 0) {
      throw Sizing.tooLarge("a split-block Bloom filter", keys, rate);
    }
    return new SplitBlockShape(blocks);
  }

  /**
   * The largest filter in a given memory.
   *
   * @param bits the budget, 256 … {@link Shape#MAX_BITS}; rounded down to whole blocks
   * @return the shape
   * @throws IllegalArgumentException if {@code bits} is outside its range
   */
  public static SplitBlockShape forBudget(long bits) {
    int unit = BlockMath.SPLIT_BLOCK_BITS;
    return new SplitBlockShape(Sizing.requireBudget(bits, unit) / unit);
  }

  @Override
  public long sizeInBits() {
    return blocks * BlockMath.SPLIT_BLOCK_BITS;
  }

  @Override
  public double falsePositiveRate(long keys) {
    return BlockMath.splitBlockRate(blocks, Sizing.requireLoad(keys));
  }
}
