package io.bloomery.find;

/**
 * How an index of files is built.
 *
 * @param rule what counts as a key
 * @param rate the target false-positive rate per block
 * @param share the maximum size of the index, as a share of the content
 * @param blockBytes the block length in bytes; 0 if it is not given
 * @param fixedBlocks whether the block length was given, not derived from the content's size
 * @param text whether files that look binary are indexed as text
 */
public record IndexOptions(
    KeyRule rule, double rate, double share, int blockBytes, boolean fixedBlocks, boolean text) {

  private static final int LEAST_BLOCK = 1 << 16;
  private static final int MOST_BLOCK = 1 << 25;
  private static final int MANY_BLOCKS = 256;
  private static final int MUCH = 8;

  /** One in 1000 blocks without a key is read, and the index takes 2 % of the content. */
  public static IndexOptions of(KeyRule rule) {
    return new IndexOptions(rule, 0.001, 0.02, 0, false, false);
  }

  /** The same with the block length of an existing index, unless one was given. */
  IndexOptions like(IndexOptions present) {
    return fixedBlocks
        ? this
        : new IndexOptions(rule, rate, share, present.blockBytes, false, text);
  }

  /**
   * The same for {@code total} bytes of content and blocks of at most {@code room} bytes, for which
   * there is memory. Keeps the block length unless it is far too long or too short, since a new one
   * means reading everything again.
   */
  IndexOptions forBytes(long total, long room) {
    long wanted = Long.highestOneBit(Math.max(1, Math.min(room, total / MANY_BLOCKS)));
    int length = (int) Math.max(LEAST_BLOCK, Math.min(MOST_BLOCK, wanted));
    boolean keep = fixedBlocks || (blockBytes >= length / MUCH && blockBytes / MUCH <= length);
    return new IndexOptions(rule, rate, share, keep ? blockBytes : length, fixedBlocks, text);
  }

  /**
   * The length of the blocks of packed files, for which there are {@code room} bytes: as long as
   * possible unless the length was given, since everything before a block has to be unpacked to
   * read it. The filters of many short blocks err more often than that of one, and hold the keys
   * that blocks share once each.
   */
  int packedBytes(long room) {
    long most = Long.highestOneBit(Math.max(1, Math.min(room, MOST_BLOCK)));
    return fixedBlocks ? blockBytes : (int) Math.max(blockBytes, most);
  }
}
