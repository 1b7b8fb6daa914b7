package io.bloomery.cli.join;

import io.bloomery.tools.input.Bytes;
import io.bloomery.tools.input.KeySink;
import io.bloomery.tools.spill.Arena;
import io.bloomery.tools.spill.KeyTable;
import java.util.Arrays;
import java.util.BitSet;

/** Rows in memory, looked up by key; rows with the same key keep their insertion order. */
final class RowTable {

  private static final int FIRST = 1 << 8;

  /** Overhead per row, besides its bytes. */
  private static final int ROW_BYTES = Long.BYTES + 3 * Integer.BYTES;

  private final KeyTable keys = new KeyTable(); // value: first row | last row << 32
  private final Arena arena = new Arena();
  private final BitSet matched = new BitSet(); // per key
  private long[] places = new long[FIRST];
  private int[] lengths = new int[FIRST];
  private int[] nexts = new int[FIRST]; // next row with the same key, plus 1, or 0
  private int[] keyOf = new int[FIRST];
  private int size;

  /** The number of rows. */
  int size() {
    return size;
  }

  /** The memory used, in bytes. */
  long bytes() {
    return keys.bytes() + arena.bytes() + (long) places.length * ROW_BYTES;
  }

  /** Adds a row. */
  void add(Bytes key, long hash, Bytes row) {
    add(key.array(), 0, key.length(), hash, row.array(), 0, row.length());
  }

  /** Adds a row. */
  void add(byte[] key, int keyAt, int keyLength, long hash, byte[] row, int rowAt, int rowLength) {
    if (size == places.length) {
      grow();
    }
    int known = keys.size();
    int index = keys.add(key, keyAt, keyLength, hash);
    places[size] = arena.add(row, rowAt, rowLength);
    lengths[size] = rowLength;
    keyOf[size] = index;
    nexts[size] = 0;
    long first = size;
    if (index < known) {
      first = (int) keys.value(index);
      nexts[(int) (keys.value(index) >>> Integer.SIZE)] = size + 1;
    }
    keys.value(index, first | (long) size << Integer.SIZE);
    size++;
  }

  private void grow() {
    int more = Math.multiplyExact(2, size);
    places = Arrays.copyOf(places, more);
    lengths = Arrays.copyOf(lengths, more);
    nexts = Arrays.copyOf(nexts, more);
    keyOf = Arrays.copyOf(keyOf, more);
  }

  /** The index of a key, or -1 if no row has this key. */
  int find(byte[] key, int offset, int length, long hash) {
    return keys.find(key, offset, length, hash);
  }

  /** Marks the rows of a key as matched. */
  void match(int key) {
    matched.set(key);
  }

  /** Passes all rows of a key to the sink. */
  void rows(int key, KeySink sink) {
    int row = (int) keys.value(key) + 1;
    while (row > 0) {
      arena.get(places[row - 1], lengths[row - 1], sink);
      row = nexts[row - 1];
    }
  }

  /** Passes the rows whose key was matched, or was not, to the sink, in insertion order. */
  void rows(boolean ofMatched, KeySink sink) {
    for (int row = 0; row < size; row++) {
      if (matched.get(keyOf[row]) == ofMatched) {
        arena.get(places[row], lengths[row], sink);
      }
    }
  }

  /** Passes each key to {@code keySink}, followed by its row to {@code rowSink}. */
  void forEach(KeySink keySink, KeySink rowSink) {
    for (int row = 0; row < size; row++) {
      keys.key(keyOf[row], keySink);
      arena.get(places[row], lengths[row], rowSink);
    }
  }
}
