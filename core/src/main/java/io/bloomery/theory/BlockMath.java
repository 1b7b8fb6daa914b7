package io.bloomery.theory;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Limits;
import io.bloomery.internal.numeric.LaneCover;
import io.bloomery.internal.numeric.Pmf;
import io.bloomery.internal.numeric.SectorCover;

/**
 * The rates of filters that keep all bits of a key in one block: Putze's blocked filter, our
 * blocked filter of a few words per key, and the split-block filter.
 *
 * <p>A block holds a Poisson (large filters) or binomial (every filter) number of keys, and the
 * rate is the mixture of the rates of blocks with x keys. Source: Putze, Sanders, Singler, "Cache-,
 * Hash- and Space-Efficient Bloom Filters", sec. 3. The wide spread of x is the price of touching
 * one cache line: 3 … 14 % more space with 512-bit blocks and 24 … 127 % with 64-bit blocks for
 * rates of 1 % … 0.01 %, not a general 32 %.
 */
public final class BlockMath {

  /** Bits of a block of the split-block filter. */
  public static final int SPLIT_BLOCK_BITS = 256;

  /** Lanes of a block of the split-block filter, each of 32 bits; a key sets one bit in each. */
  public static final int SPLIT_BLOCK_LANES = 8;

  private static final int SPLIT_LANE_BITS = SPLIT_BLOCK_BITS / SPLIT_BLOCK_LANES;

  /** The number of keys beyond which a 32-bit lane is full to within 2^-57. */
  private static final int SPLIT_LIMIT = 44 * SPLIT_LANE_BITS;

  /** The eight bits of a key in a split block are a function of 32 bits of its hash. */
  private static final double SPLIT_SAME = 0x1p-32;

  private BlockMath() {}

  /**
   * The rate of a blocked filter whose k bits are drawn with replacement from the whole block: Σ_x
   * Pois(x; B/c)·(1 − (1 − 1/B)^(xk))^k (Putze et al., eq. 3).
   *
   * @param bitsPerKey c = m/n, positive
   * @param blockBits B, 8 … 65536
   * @param hashesPerKey k, 1 … 255
   * @return the rate
   */
  public static double putzeRate(double bitsPerKey, int blockBits, int hashesPerKey) {
    Arguments.positive("bitsPerKey", bitsPerKey);
    Arguments.inRange("blockBits", blockBits, 8, 1 << 16);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, Limits.MAX_HASHES_PER_KEY);
    double logMiss = hashesPerKey * Math.log1p(-1.0 / blockBits);
    return Pmf.poisson(blockBits / bitsPerKey, 44L * blockBits)
        .expect(x -> Math.pow(-Math.expm1(x * logMiss), hashesPerKey));
  }

  /**
   * The rate of our blocked filter in the limit of many blocks: Σ_x Pois(x; B/c)·Π_j A_j(x), A_j(x)
   * the probability that the mask of a fresh key in sector j is covered by those of the block's x
   * keys. {@code BlockShape} adds the finite number of blocks.
   *
   * @param bitsPerKey c = m/n, positive
   * @param blockBits B: 64, 128, 256 or 512
   * @param wordsPerKey words that a key touches
   * @param hashesPerKey k, a multiple of the words, 1 … 16 for each
   * @return the rate
   */
  public static double sectorRate(
      double bitsPerKey, int blockBits, int wordsPerKey, int hashesPerKey) {
    Arguments.positive("bitsPerKey", bitsPerKey);
    SectorCover.requireLanes(blockBits, wordsPerKey, hashesPerKey);
    int sectorWords = blockBits / LaneCover.LANE_BITS / wordsPerKey;
    Pmf load = Pmf.poisson(blockBits / bitsPerKey, SectorCover.limit(sectorWords));
    return SectorCover.mixture(load, wordsPerKey, sectorWords, hashesPerKey / wordsPerKey);
  }

  /**
   * The rate of the split-block filter in the limit of many blocks, Σ_x Pois(x; 256/c)·(1 −
   * (31/32)^x)^8, the formula of the Parquet layout.
   *
   * @param bitsPerKey c = m/n, positive
   * @return the rate
   */
  public static double splitBlockRate(double bitsPerKey) {
    Arguments.positive("bitsPerKey", bitsPerKey);
    return Pmf.poisson(SPLIT_BLOCK_BITS / bitsPerKey, SPLIT_LIMIT)
        .expect(BlockMath::splitBlockCover);
  }

  /**
   * The exact rate of a split-block filter, including keys of a block with equal hashes.
   *
   * @param blocks blocks of 256 bits, at least 1
   * @param keys n, the distinct keys added
   * @return the rate
   */
  public static double splitBlockRate(long blocks, long keys) {
    double logDiffer = Math.log1p(-SPLIT_SAME);
    return Pmf.binomial(keys, 1.0 / blocks, SPLIT_LIMIT)
        .expect(
            x -> {
              double same = -Math.expm1(x * logDiffer);
              return same + (1 - same) * splitBlockCover(x);
            });
  }

  private static double splitBlockCover(long keys) {
    double lane = -Math.expm1(keys * Math.log1p(-1.0 / SPLIT_LANE_BITS));
    double square = lane * lane;
    double fourth = square * square;
    return fourth * fourth;
  }
}
