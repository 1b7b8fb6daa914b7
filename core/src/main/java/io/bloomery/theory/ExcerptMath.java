package io.bloomery.theory;

import io.bloomery.internal.check.Arguments;
import java.util.Objects;

/**
 * False-positive rates of substring queries: a payload is cut into blocks, each block is kept with
 * its index in a Bloom filter, and level j of a hierarchy keeps every aligned group of 2^j blocks.
 * An excerpt is looked up at every alignment to blocks and at every index.
 *
 * <p>Source: Shanmugasundaram, Brönnimann and Memon, "Payload Attribution via Hierarchical Bloom
 * Filters", CCS 2004, who call the rate of one lookup FP_e and that over all indexes FP_o. All
 * rates are those of an excerpt of random bytes that no payload holds, so that lookups are
 * independent. An excerpt assembled from blocks of several payloads is found more often, which no
 * formula can predict without the payloads.
 */
public final class ExcerptMath {

  private ExcerptMath() {}

  /**
   * The number of groups of a level that lie entirely within consecutive blocks.
   *
   * @param level j, 0 … 30: groups of 2^j blocks, each beginning at a multiple of 2^j
   * @param first the index of the first block, 0 or more
   * @param blocks the number of blocks, 0 or more
   * @return the number of groups, all of which a query looks up
   */
  public static long groups(int level, long first, long blocks) {
    Arguments.inRange("level", level, 0, 30);
    Arguments.inRange("first", first, 0, Long.MAX_VALUE / 2);
    Arguments.inRange("blocks", blocks, 0, Long.MAX_VALUE / 2);
    long size = 1L << level;
    return Math.max(0, ((first + blocks) >> level) - ((first + size - 1) >> level));
  }

  /**
   * FP_o: the probability that consecutive blocks are found at some index.
   *
   * @param lookupRates FP_e, the rate of a single lookup, for each level from 0 on
   * @param blocks how many blocks, 1 or more
   * @param first the lowest index that is tried, 0 or more
   * @param indexes how many indexes are tried, 0 or more
   * @return 1 − ∏(1 − product of the rates of all lookups at an index)
   */
  public static double anywhere(double[] lookupRates, long blocks, long first, long indexes) {
    int levels = check(lookupRates);
    Arguments.inRange("blocks", blocks, 1, Integer.MAX_VALUE);
    Arguments.inRange("first", first, 0, Integer.MAX_VALUE);
    Arguments.inRange("indexes", indexes, 0, Integer.MAX_VALUE);
    // Groups larger than the excerpt are never looked up; the others repeat with the largest.
    int used = Math.min(levels, 64 - Long.numberOfLeadingZeros(blocks));
    long period = 1L << (used - 1);
    double logNowhere = 0;
    for (long i = 0; i < Math.min(period, indexes); i++) {
      double rate = 1;
      for (int level = 0; level < used; level++) {
        rate *= Math.pow(lookupRates[level], (double) groups(level, first + i, blocks));
      }
      long times = (indexes - i + period - 1) / period;
      logNowhere += times * Math.log1p(-rate);
    }
    return Math.abs(Math.expm1(logNowhere));
  }

  /**
   * The probability that an excerpt is found at some alignment and index.
   *
   * @param lookupRates the rate of a single lookup, for each level from 0 on
   * @param contents whether blocks are kept without their index too, and are looked up first
   * @param blockBytes s, the bytes of a block, 1 or more
   * @param longest the number of blocks of the longest payload, 0 or more
   * @param excerptBytes the length of the excerpt, 0 or more
   * @return the rate; 1 below 2·s − 1 bytes, where some alignments have no whole block to look up
   */
  public static double excerpt(
      double[] lookupRates, boolean contents, int blockBytes, long longest, long excerptBytes) {
    check(lookupRates);
    Arguments.inRange("blockBytes", blockBytes, 1, Integer.MAX_VALUE);
    Arguments.inRange("longest", longest, 0, Integer.MAX_VALUE);
    Arguments.inRange("excerptBytes", excerptBytes, 0, Integer.MAX_VALUE);
    if (excerptBytes < 2L * blockBytes - 1) {
      return 1;
    }
    long most = excerptBytes / blockBytes;
    long full = excerptBytes % blockBytes; // alignments after 0 that have as many blocks as 0
    double logAbsent =
        Math.log1p(-aligned(lookupRates, contents, most, 0, longest))
            + full * Math.log1p(-aligned(lookupRates, contents, most, 1, longest));
    long fewer = blockBytes - 1 - full;
    if (fewer > 0) {
      logAbsent += fewer * Math.log1p(-aligned(lookupRates, contents, most - 1, 1, longest));
    }
    return Math.abs(Math.expm1(logAbsent));
  }

  /** The rate at one alignment; a later one than 0 has bytes before its first block. */
  private static double aligned(
      double[] lookupRates, boolean contents, long blocks, int first, long longest) {
    long indexes = Math.max(0, longest - blocks - first + 1);
    double seen = contents ? Math.pow(lookupRates[0], (double) blocks) : 1;
    return seen * anywhere(lookupRates, blocks, first, indexes);
  }

  private static int check(double[] lookupRates) {
    Objects.requireNonNull(lookupRates, "lookupRates");
    Arguments.inRange("lookupRates.length", lookupRates.length, 1, 31);
    for (double rate : lookupRates) {
      Arguments.inRange("lookupRates", rate, 0, 1);
    }
    return lookupRates.length;
  }
}
