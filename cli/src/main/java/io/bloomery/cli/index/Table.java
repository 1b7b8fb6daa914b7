package io.bloomery.cli.index;

import java.nio.file.Path;
import java.util.List;

/**
 * Everything in an index except the filters.
 *
 * @param settings how it was built
 * @param roots the indexed files and directories
 * @param blocks all blocks
 * @param files all files, ordered by name
 */
record Table(
    Settings settings, List<Path> roots, List<IndexedBlock> blocks, List<IndexedFile> files) {

  /**
   * How an index is built.
   *
   * @param rule what counts as a key
   * @param rate the target false-positive rate per block
   * @param share the maximum size of the index, as a share of the content
   * @param blockBytes the block length in bytes
   * @param fixedBlocks whether the block length was given, not derived from the content's size
   * @param text whether files that look binary are indexed as text
   */
  record Settings(
      KeyRule rule, double rate, double share, int blockBytes, boolean fixedBlocks, boolean text) {

    private static final int LEAST_BLOCK = 1 << 16;
    private static final int MOST_BLOCK = 1 << 25;
    private static final int MANY_BLOCKS = 256;
    private static final int MUCH = 8;

    /**
     * The same settings for {@code total} bytes of content and blocks of at most {@code room}
     * bytes, for which there is memory. Keeps the block length unless it is far too long or too
     * short, since a new one means reading everything again.
     */
    Settings forBytes(long total, long room) {
      long wanted = Long.highestOneBit(Math.max(1, Math.min(room, total / MANY_BLOCKS)));
      int length = (int) Math.max(LEAST_BLOCK, Math.min(MOST_BLOCK, wanted));
      boolean keep = fixedBlocks || (blockBytes >= length / MUCH && blockBytes / MUCH <= length);
      return new Settings(rule, rate, share, keep ? blockBytes : length, fixedBlocks, text);
    }
  }

  /** The size of the content in bytes. */
  long contentBytes() {
    long sum = 0;
    for (IndexedBlock block : blocks) {
      sum += block.length();
    }
    return sum;
  }
}
