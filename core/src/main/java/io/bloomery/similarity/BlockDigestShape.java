package io.bloomery.similarity;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;

/**
 * The shape of a {@link BlockDigest}: a Bloom filter and the blocks that it holds.
 *
 * @param bits size in bits, 2 … {@link Shape#MAX_BITS}
 * @param hashesPerKey hashes per key, 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most {@code bits}
 * @param blockBytes s, the bytes of a block, 1 … 65536; excerpts of 2·s − 1 bytes or more are found
 * @param contentKeys whether each block is also stored without its index. It takes one more key per
 *     block; a query then looks most blocks up once instead of once per index, and its rate hardly
 *     depends on the length of the payloads. Worthwhile for long payloads
 */
public record BlockDigestShape(
    @FieldName("bits") long bits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("block bytes") int blockBytes,
    @FieldName("content keys") boolean contentKeys)
    implements Shape {

  /** The most bytes of a block. */
  public static final int MAX_BLOCK_BYTES = 1 << 16;

  public BlockDigestShape {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(bits, MAX_HASHES_PER_KEY));
    Arguments.inRange("blockBytes", blockBytes, 1, MAX_BLOCK_BYTES);
  }

  /**
   * The smallest digest for a number of bytes and a rate per lookup.
   *
   * @param payloadBytes bytes of all payloads together, at least {@code blockBytes}; those of
   *     payloads that are added with a host count twice
   * @param lookupRate the highest rate of a single lookup, FP_e, in (0, 1); an excerpt takes many
   *     lookups, see {@link BlockDigest#excerptRate}
   * @param blockBytes the bytes of a block
   * @param contentKeys whether each block is also stored without its index
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BlockDigestShape forPayloads(
      long payloadBytes, double lookupRate, int blockBytes, boolean contentKeys) {
    return HierarchicalDigestShape.forPayloads(payloadBytes, lookupRate, blockBytes, contentKeys, 1)
        .blocks();
  }

  @Override
  public long sizeInBits() {
    return bits;
  }

  /**
   * {@inheritDoc} Here: the rate of one lookup, where a key is a block with its index, or a block
   * alone.
   */
  @Override
  public double falsePositiveRate(long keys) {
    return BloomShape.of(bits, hashesPerKey).falsePositiveRate(keys);
  }
}
