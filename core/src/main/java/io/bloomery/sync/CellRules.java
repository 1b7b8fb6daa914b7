package io.bloomery.sync;

import io.bloomery.internal.bits.Words;
import java.util.Arrays;

/** Invariants of the cells of every invertible table of a shape, for any keys. */
final class CellRules {

  private final InvertibleShape shape;
  private final long[] used;

  CellRules(InvertibleShape shape) {
    this.shape = shape;
    this.used = new long[shape.cellWords()];
    used[0] = -1;
    used[1] = -1L >>> (Long.SIZE - shape.checksumBits());
    int keyWords = KeyCodec.words(shape.keys());
    mark(2, KeyCodec.bytes(shape.keys()));
    mark(2 + keyWords, shape.valueBytes());
  }

  private void mark(int from, int bytes) {
    for (int i = 0; i < bytes; i++) {
      used[from + i / Long.BYTES] |= 0xFFL << (i % Long.BYTES * Byte.SIZE);
    }
  }

  /** Whether bits that belong to no field are zero. */
  boolean areUnusedBitsZero(Words words) {
    long at = 0;
    for (int cell = 0; cell < shape.cells(); cell++) {
      for (long mask : used) {
        if ((words.get(at++) & ~mask) != 0) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Whether the cells of each sub-table add up to the same: every key is in each sub-table once.
   */
  boolean areSubTablesEqual(Words words) {
    long[] first = sum(words, 0);
    for (int i = 1; i < shape.hashesPerKey(); i++) {
      if (!Arrays.equals(first, sum(words, i))) {
        return false;
      }
    }
    return true;
  }

  private long[] sum(Words words, int subTable) {
    long[] sum = new long[used.length];
    long at = (long) subTable * shape.cellsPerHash() * used.length;
    for (int cell = 0; cell < shape.cellsPerHash(); cell++) {
      sum[0] += words.get(at++);
      for (int i = 1; i < sum.length; i++) {
        sum[i] ^= words.get(at++);
      }
    }
    return sum;
  }
}
