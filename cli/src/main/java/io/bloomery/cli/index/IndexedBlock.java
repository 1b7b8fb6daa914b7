package io.bloomery.cli.index;

/**
 * A stretch of whole lines that has a filter of its own, as the index has it.
 *
 * @param from where in its file's content it begins; 0 for a group of files
 * @param length how many bytes it has
 * @param lines how many lines end before it in its file
 * @param head the hash of its first bytes
 * @param offset where in the index its filter is
 * @param checksum CRC32C of the filter
 * @param keys different keys
 * @param columns of the filter, 0 if there is none and the block may hold everything
 * @param narrowShare of the filter
 * @param trial of the filter
 */
record IndexedBlock(
    long from,
    long length,
    long lines,
    long head,
    long offset,
    int checksum,
    int keys,
    int columns,
    int narrowShare,
    int trial) {

  /** How many bytes {@link #head} is of. */
  static final int HEAD_BYTES = 1 << 10;

  /** Whether there is a filter. */
  boolean isFiltered() {
    return columns > 0;
  }

  /** The probability that a key that is not in the block passes its filter. */
  double rate() {
    if (!isFiltered()) {
      return 1;
    }
    return keys == 0 ? 0 : Math.scalb(1 + narrowShare / 65536.0, -columns);
  }

  /** The hash of the first of some bytes. */
  static long head(byte[] bytes, int length) {
    return KeyRule.HASHER.hash(bytes, 0, Math.min(length, HEAD_BYTES));
  }

  /** The same block, whose filter is elsewhere. */
  IndexedBlock at(long place) {
    return new IndexedBlock(
        from, length, lines, head, place, checksum, keys, columns, narrowShare, trial);
  }
}
