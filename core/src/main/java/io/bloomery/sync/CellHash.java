package io.bloomery.sync;

import io.bloomery.internal.probe.Mix;
import java.util.Objects;

/**
 * The cells and the checksum of a hash in an invertible table. Cells are identified by the index of
 * their first word.
 */
final class CellHash {

  private static final int CHECKSUM = 1;
  private static final int KEY = 2;

  private final int width;
  private final int stride;
  private final long checksumMask;

  CellHash(InvertibleShape shape) {
    this.width = shape.cellsPerHash();
    this.stride = shape.cellWords();
    this.checksumMask = -1L >>> (Long.SIZE - shape.checksumBits());
  }

  long checksum(long hash) {
    return Mix.stream(hash, 0) & checksumMask;
  }

  /** The first word of the cell in sub-table {@code i}. */
  int at(long hash, int i) {
    return (i * width + (int) Mix.reduce(Mix.stream(hash, i + 1), width)) * stride;
  }

  /**
   * Whether a cell with the count 1 or −1 holds exactly one key: the checksum is right, and the key
   * belongs to this cell. {@code from} is the index of its words and {@code at} its index in the
   * table.
   */
  boolean isSingle(KeyCodec codec, long[] words, int from, int at) {
    long hash;
    if (codec.isLongs()) {
      hash = codec.hash(words[from + KEY]);
    } else {
      byte[] key = codec.unpack(words, from + KEY);
      if (key == null) {
        return false;
      }
      hash = codec.hash(key);
    }
    return checksum(hash) == words[from + CHECKSUM] && at(hash, at / stride / width) == at;
  }

  /** The hash of the only key of a cell. */
  static long hash(KeyCodec codec, long[] words, int at) {
    return codec.isLongs()
        ? codec.hash(words[at + KEY])
        : codec.hash(Objects.requireNonNull(codec.unpack(words, at + KEY), "no key"));
  }

  /** Adds to the count of a cell, and by xor the other words of {@code sum} to its other fields. */
  static void add(long[] words, int at, long times, long[] sum, int from, int stride) {
    words[at] += times;
    for (int i = 1; i < stride; i++) {
      words[at + i] ^= sum[from + i];
    }
  }
}
