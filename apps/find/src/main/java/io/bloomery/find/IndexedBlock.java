package io.bloomery.find;

/**
 * A range of whole lines with its own filter, as stored in the index.
 *
 * @param from its offset in the content of its file; 0 for a group of files
 * @param length its length in bytes
 * @param lines the number of lines that end before it in its file
 * @param head the hash of its first bytes
 * @param offset the offset of its filter in the index
 * @param checksum CRC32C of the filter
 * @param keys the number of distinct keys
 * @param columns of the filter; 0 if there is none, so the block may contain any key
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

  /** The number of bytes hashed for {@link #head}. */
  static final int HEAD_BYTES = 1 << 10;

  /** Whether the block has a filter. */
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

  /** The hash of the first bytes of a block. */
  static long head(byte[] bytes, int length) {
    return KeyRule.Hash.HASHER.hash(bytes, 0, Math.min(length, HEAD_BYTES));
  }

  /** The same block with its filter at another offset. */
  IndexedBlock at(long place) {
    return new IndexedBlock(
        from, length, lines, head, place, checksum, keys, columns, narrowShare, trial);
  }

  /** The same block, which may contain any key. */
  IndexedBlock withoutFilter() {
    return new IndexedBlock(from, length, lines, head, offset, 0, 0, 0, 0, 0);
  }
}
