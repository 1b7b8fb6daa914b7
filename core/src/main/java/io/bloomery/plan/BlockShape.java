package io.bloomery.plan;

import io.bloomery.internal.math.Arguments;
import io.bloomery.internal.math.LaneCover;
import io.bloomery.internal.math.Pmf;

/**
 * The shape of the blocked Bloom filter: all bits of a key lie in one block of 64-bit lanes.
 *
 * <p>A key sets at least one and at most 16 distinct bits in every lane of its block: {@code
 * probes/lanes} rounded up in the first {@code probes % lanes} lanes, rounded down in the rest. A
 * lane that sets two or more bits takes them from 2^16 masks (1024 random patterns, rotated by 0 …
 * 63); the rate counts that two keys may share a mask. Deviation from Putze et al., "Cache-, Hash-
 * and Space-Efficient Bloom Filters": distinct bits, spread evenly over the lanes, which costs
 * less space than bits drawn with replacement from the block.
 *
 * <p>Narrow blocks are faster (one word, one mask), wide ones smaller: 1 % costs 11.84, 10.79,
 * 10.47 and 10.10 bits per key with blocks of 64, 128, 256 and 512 bits, and 0.1 % costs 23.09,
 * 18.79, 16.71 and 15.73 (many keys, unlimited masks).
 *
 * @param blocks number of blocks, at least 1; {@code blocks · blockBits} at most {@link
 *     Shape#MAX_BITS}
 * @param blockBits width of a block in bits: 64, 128, 256 or 512
 * @param probes bits that one key sets, 1 … 16 for each 64 bits of the block
 */
public record BlockShape(long blocks, int blockBits, int probes) implements Shape {

  /** How much larger than the smallest a default shape may be, for a narrower block. */
  static final double WIDTH_TOLERANCE = 1.08;

  private static final int[] WIDTHS = {64, 128, 256, 512};

  /**
   * Checks the fields.
   *
   * @param blocks number of blocks
   * @param blockBits width of a block in bits
   * @param probes bits that one key sets
   * @throws IllegalArgumentException if a field is outside its range
   */
  public BlockShape {
    requireLanes(blockBits, probes);
    Arguments.inRange("blocks", blocks, 1, MAX_BITS / blockBits);
  }

  /**
   * The library's default choice of width: the narrowest block whose size is within 8 % of the
   * smallest over all widths, because narrow blocks are faster.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size of every width
   *     is above {@link Shape#MAX_BITS}
   */
  public static BlockShape forKeys(long keys, double rate) {
    Sizing.requireTarget(keys, rate);
    BlockShape[] shapes = new BlockShape[WIDTHS.length];
    long smallest = Long.MAX_VALUE;
    for (int i = 0; i < WIDTHS.length; i++) {
      shapes[i] = search(keys, rate, WIDTHS[i]);
      if (shapes[i] != null) {
        smallest = Math.min(smallest, shapes[i].sizeInBits());
      }
    }
    for (BlockShape shape : shapes) {
      if (shape != null && shape.sizeInBits() <= smallest * WIDTH_TOLERANCE) {
        return shape;
      }
    }
    throw Sizing.tooLarge("a blocked Bloom filter", keys, rate);
  }

  /**
   * The smallest filter of a given width whose exact rate at {@code keys} keys is at most {@code
   * rate}.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @param blockBits width of a block in bits: 64, 128, 256 or 512
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static BlockShape forKeys(long keys, double rate, int blockBits) {
    Sizing.requireTarget(keys, rate);
    requireWidth(blockBits);
    BlockShape shape = search(keys, rate, blockBits);
    if (shape == null) {
      throw Sizing.tooLarge("a blocked Bloom filter of " + blockBits + "-bit blocks", keys, rate);
    }
    return shape;
  }

  /**
   * The best filter of a given width for a number of keys in a given memory.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, {@code blockBits} … {@link Shape#MAX_BITS}; rounded down to whole
   *     blocks
   * @param blockBits width of a block in bits: 64, 128, 256 or 512
   * @return the shape with the lowest exact rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BlockShape forBudget(long keys, long bits, int blockBits) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    requireWidth(blockBits);
    long blocks = Sizing.requireBudget(bits, blockBits) / blockBits;
    int lanes = blockBits / LaneCover.LANE_BITS;
    int start = BloomMath.optimalProbes(blocks * blockBits, keys);
    int most = lanes * LaneCover.MAX_LANE_PROBES;
    int k = probes(start, lanes, most).best(p -> rate(blocks, lanes, p, keys));
    return new BlockShape(blocks, blockBits, k);
  }

  private static BlockShape search(long keys, double rate, int blockBits) {
    int lanes = blockBits / LaneCover.LANE_BITS;
    int most = Math.min(lanes * LaneCover.MAX_LANE_PROBES, Sizing.mostProbes(rate, lanes));
    long guess = (long) (keys * BloomMath.bitsPerKey(rate) * 1.1 / blockBits) + 1;
    int start = (int) Math.round(BloomMath.informationBound(rate));
    Sizing.Choice choice =
        Sizing.smallest(
            (blocks, k) -> rate(blocks, lanes, k, keys),
            rate,
            guess,
            MAX_BITS / blockBits,
            probes(start, lanes, most));
    return choice == null ? null : new BlockShape(choice.size(), blockBits, choice.probes());
  }

  /** The rate falls and rises a little within each step of one more bit for all lanes. */
  private static Sizing.Probes probes(int start, int lanes, int most) {
    return new Sizing.Probes(start, lanes, most, lanes + 2);
  }

  private static double rate(long blocks, int lanes, int probes, long keys) {
    Pmf load = Pmf.binomial(keys, 1.0 / blocks, LaneCover.limit());
    return BlockMath.laneMixture(load, lanes, probes, true);
  }

  private static void requireWidth(int blockBits) {
    if (blockBits != 64 && blockBits != 128 && blockBits != 256 && blockBits != 512) {
      throw new IllegalArgumentException(
          "blockBits = " + blockBits + " is not one of 64, 128, 256, 512");
    }
  }

  /** Refuses a width that is not offered, and probes that do not fit its lanes. */
  static void requireLanes(int blockBits, int probes) {
    requireWidth(blockBits);
    int lanes = blockBits / LaneCover.LANE_BITS;
    Arguments.inRange("probes", probes, lanes, lanes * LaneCover.MAX_LANE_PROBES);
  }

  /**
   * The number of 64-bit lanes of a block.
   *
   * @return 1, 2, 4 or 8
   */
  public int lanes() {
    return blockBits / LaneCover.LANE_BITS;
  }

  /**
   * The number of distinct bits that a key sets in a lane of its block.
   *
   * @param lane 0 … {@code lanes() - 1}
   * @return {@code probes/lanes}, rounded up in the first {@code probes % lanes} lanes
   * @throws IllegalArgumentException if {@code lane} is outside its range
   */
  public int laneProbes(int lane) {
    int lanes = lanes();
    Arguments.inRange("lane", lane, 0, lanes - 1);
    return probes / lanes + (lane < probes % lanes ? 1 : 0);
  }

  @Override
  public long sizeInBits() {
    return blocks * blockBits;
  }

  @Override
  public double falsePositiveRate(long keys) {
    return rate(blocks, lanes(), probes, Sizing.requireLoad(keys));
  }
}
