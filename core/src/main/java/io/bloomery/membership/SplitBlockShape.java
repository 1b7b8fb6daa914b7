package io.bloomery.membership;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BlockMath;
import io.bloomery.theory.BloomMath;

/**
 * The shape of the split-block Bloom filter of Parquet and Impala: blocks of eight 32-bit lanes, in
 * each of which a key sets one bit.
 *
 * <p>The rate is Σ_x Bin(x; n, 1/blocks)·(1 − (31/32)^x)^8, plus the share of keys whose 32 hash
 * bits within the block equal those of a key that was added, which matters below about 1e-8. Eight
 * hashes per key are fixed, so it is larger than a {@link BlockShape} far from 1 %.
 *
 * @param blocks number of 256-bit blocks, at least 1; {@code blocks · 256} at most {@link
 *     Shape#MAX_BITS}
 */
public record SplitBlockShape(@FieldName("blocks") long blocks) implements Shape {

  public SplitBlockShape {
    Arguments.inRange("blocks", blocks, 1, MAX_BITS / BlockMath.SPLIT_BLOCK_BITS);
  }

  /**
   * The smallest filter whose exact rate at {@code expectedKeys} keys is at most {@code
   * falsePositiveRate}.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static SplitBlockShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    double ideal = expectedKeys * BloomMath.bitsPerKey(falsePositiveRate);
    long guess = (long) (ideal * 1.2 / BlockMath.SPLIT_BLOCK_BITS) + 1;
    long max = MAX_BITS / BlockMath.SPLIT_BLOCK_BITS;
    long blocks =
        SizeSearch.smallest(
            b -> BlockMath.splitBlockRate(b, expectedKeys), falsePositiveRate, guess, max);
    if (blocks < 0) {
      throw Sizing.tooLarge("a split-block Bloom filter", expectedKeys, falsePositiveRate);
    }
    return new SplitBlockShape(blocks);
  }

  /**
   * The largest filter within a memory budget, which is the best for any number of keys.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 256 … {@link Shape#MAX_BITS}; rounded down to whole blocks
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static SplitBlockShape forBudget(long expectedKeys, long bits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
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
