package io.bloomery.similarity;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.ExcerptMath;
import java.util.Arrays;

/**
 * The shape of a {@link HierarchicalDigest}: the blocks, and the levels above them.
 *
 * @param blocks the bits, which all levels share, and the blocks
 * @param levels how many levels there are, 1 … 16; level j keeps every aligned group of 2^j blocks.
 *     One level makes a {@link BlockDigest}; each further one halves the keys of the level below
 *     it, so that all together take less than twice the keys of the first
 * @param perLevel whether each level has its own Bloom filter, with bits in proportion to its keys,
 *     instead of one for all levels
 */
public record HierarchicalDigestShape(
    BlockDigestShape blocks,
    @FieldName("levels") int levels,
    @FieldName("per level") boolean perLevel)
    implements Shape {

  /** The most levels. */
  public static final int MAX_LEVELS = 16;

  /** Halvings of the interval in which the rate of a lookup is searched for. */
  private static final int STEPS = 60;

  public HierarchicalDigestShape {
    Arguments.inRange("levels", levels, 1, MAX_LEVELS);
    if (perLevel) {
      long least = Math.max(2, blocks.hashesPerKey()) * weights(blocks, levels);
      if (blocks.bits() < least) {
        throw new IllegalArgumentException(
            "bits = %d is too small for %d filters; they need %d"
                .formatted(blocks.bits(), levels, least));
      }
    }
  }

  /**
   * The smallest digest for a number of bytes and a rate per lookup, with one filter for all
   * levels.
   *
   * @param payloadBytes bytes of all payloads together, at least {@code blockBytes}; those of
   *     payloads that are added with a host count twice
   * @param lookupRate the highest rate of a single lookup, FP_e, in (0, 1); an excerpt takes many
   *     lookups, see {@link HierarchicalDigest#excerptRate}
   * @param blockBytes the bytes of a block
   * @param contentKeys whether each block is also stored without its index
   * @param levels how many levels there are
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static HierarchicalDigestShape forPayloads(
      long payloadBytes, double lookupRate, int blockBytes, boolean contentKeys, int levels) {
    BlockDigestShape least = new BlockDigestShape(2, 1, blockBytes, contentKeys);
    Arguments.inRange("payloadBytes", payloadBytes, blockBytes, Long.MAX_VALUE);
    Arguments.rate("lookupRate", lookupRate);
    long keys = new HierarchicalDigestShape(least, levels, false).keys(payloadBytes);
    BloomShape filter = BloomShape.forKeys(keys, lookupRate);
    return new HierarchicalDigestShape(
        new BlockDigestShape(filter.bits(), filter.hashesPerKey(), blockBytes, contentKeys),
        levels,
        false);
  }

  /**
   * The smallest digest with a given rate for excerpts of a given length, with one filter for all
   * levels and with content keys.
   *
   * @param payloadBytes bytes of all payloads together, at least {@code blockBytes}; those of
   *     payloads that are added with a host count twice
   * @param longestPayload bytes of the longest payload, 1 … 2^31 − 1
   * @param excerptBytes bytes of an excerpt, 2·{@code blockBytes} − 1 or more
   * @param excerptRate the highest rate of a random excerpt of that length, in (0, 1)
   * @param blockBytes the bytes of a block
   * @param levels how many levels there are
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static HierarchicalDigestShape forExcerpts(
      long payloadBytes,
      int longestPayload,
      int excerptBytes,
      double excerptRate,
      int blockBytes,
      int levels) {
    Arguments.inRange("blockBytes", blockBytes, 1, BlockDigestShape.MAX_BLOCK_BYTES);
    Arguments.inRange("levels", levels, 1, MAX_LEVELS);
    Arguments.inRange("longestPayload", longestPayload, 1, Integer.MAX_VALUE);
    Arguments.inRange("excerptBytes", excerptBytes, 2 * blockBytes - 1, Integer.MAX_VALUE);
    Arguments.rate("excerptRate", excerptRate);
    int longest = longestPayload / blockBytes;
    double low = 0; // the rate of an excerpt grows with that of a lookup
    double high = 0.5;
    double[] rates = new double[levels];
    for (int step = 0; step < STEPS; step++) {
      double middle = (low + high) / 2;
      Arrays.fill(rates, middle);
      if (ExcerptMath.excerpt(rates, true, blockBytes, longest, excerptBytes) <= excerptRate) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return forPayloads(payloadBytes, low, blockBytes, true, levels);
  }

  /**
   * The most keys that payloads take.
   *
   * @param payloadBytes bytes of all payloads together, 0 or more; those of payloads that are added
   *     with a host count twice
   * @return for each block one key per level, shared by the blocks of a group, and one more with
   *     content keys
   */
  public long keys(long payloadBytes) {
    Arguments.inRange("payloadBytes", payloadBytes, 0, Long.MAX_VALUE);
    long whole = payloadBytes / blocks.blockBytes();
    long keys = blocks.contentKeys() ? whole : 0;
    for (int level = 0; level < levels; level++) {
      keys += whole >> level;
    }
    return keys;
  }

  @Override
  public long sizeInBits() {
    return blocks.bits();
  }

  /**
   * {@inheritDoc} Here: the rate of one lookup, where a key is a block or a group with its index,
   * or a block alone. Filters per level have the same rate if each level has half the keys of the
   * one below.
   */
  @Override
  public double falsePositiveRate(long keys) {
    return blocks.falsePositiveRate(keys);
  }

  /** How many filters there are. */
  int filters() {
    return perLevel ? levels : 1;
  }

  /** The shape of the filter of a level, or of all of them. */
  BloomShape filter(int level) {
    return BloomShape.of(filterBits(level), blocks.hashesPerKey(), IndexScheme.ENHANCED_DOUBLE);
  }

  private long filterBits(int level) {
    if (!perLevel) {
      return blocks.bits();
    }
    if (level > 0) {
      return share(level);
    }
    long first = blocks.bits();
    for (int above = 1; above < levels; above++) {
      first -= share(above);
    }
    return first;
  }

  private long share(int level) {
    return (blocks.bits() / weights(blocks, levels)) << (levels - 1 - level);
  }

  /** The keys of all levels for each key of the last: each level has twice those of the next. */
  private static long weights(BlockDigestShape blocks, int levels) {
    return (1L << levels) - 1 + (blocks.contentKeys() ? 1L << (levels - 1) : 0);
  }
}
