package io.bloomery.cli.index;

import java.nio.file.Path;
import java.util.List;

/**
 * What an index knows besides the filters.
 *
 * @param settings how it was made
 * @param roots the files and directories that it is of
 * @param blocks all blocks
 * @param files all files, in the order of their names
 */
record Table(
    Settings settings, List<Path> roots, List<IndexedBlock> blocks, List<IndexedFile> files) {

  /**
   * How an index is made.
   *
   * @param rule what its keys are
   * @param rate how often a block may be read in vain
   * @param share how large the index may be, as a share of the content
   * @param blockBytes how long a block is
   * @param fixedBlocks whether that was asked for, and does not follow from the content's size
   * @param text whether files that look binary are text as well
   */
  record Settings(
      KeyRule rule, double rate, double share, int blockBytes, boolean fixedBlocks, boolean text) {

    private static final int LEAST_BLOCK = 1 << 16;
    private static final int MOST_BLOCK = 1 << 23;
    private static final int MANY_BLOCKS = 256;
    private static final int MUCH = 8;

    /**
     * The same settings for so many bytes: blocks as they are unless these are far too long or too
     * short, since others would mean that everything is read again.
     */
    Settings forBytes(long total) {
      long wanted = Long.highestOneBit(Math.max(1, total / MANY_BLOCKS));
      int length = (int) Math.max(LEAST_BLOCK, Math.min(MOST_BLOCK, wanted));
      boolean keep = fixedBlocks || (blockBytes >= length / MUCH && blockBytes / MUCH <= length);
      return new Settings(rule, rate, share, keep ? blockBytes : length, fixedBlocks, text);
    }
  }

  /** How many bytes of content there are. */
  long contentBytes() {
    long sum = 0;
    for (IndexedBlock block : blocks) {
      sum += block.length();
    }
    return sum;
  }
}
