package io.bloomery.tools.spill;

import io.bloomery.tools.input.KeySink;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * An exact in-memory map from byte strings to numbers. Keys are indexed from 0 in insertion order.
 */
public final class KeyTable {

  /** The result of {@link #find} for an absent key whose hash another key has. */
  public static final int HASH_TAKEN = -2;

  private static final int ABSENT = -1;
  private static final int FIRST = 1 << 8;

  /** Overhead per key, besides its bytes. */
  private static final int ENTRY_BYTES = 3 * Long.BYTES + Integer.BYTES;

  private final Arena arena = new Arena();
  private long[] hashes = new long[FIRST];
  private long[] places = new long[FIRST];
  private int[] lengths = new int[FIRST];
  private long[] values = new long[FIRST];
  private int[] slots = new int[4 * FIRST]; // index + 1, or 0; at most half are in use
  private int size;

  /** The number of keys. */
  public int size() {
    return size;
  }

  /** The memory used, in bytes. */
  public long bytes() {
    return arena.bytes() + (long) hashes.length * ENTRY_BYTES + (long) slots.length * Integer.BYTES;
  }

  /** The peak memory while another key is added, in bytes. */
  public long bytesToAdd() {
    return size < hashes.length ? bytes() : bytes() + 2 * (bytes() - arena.bytes());
  }

  /** The index of a key; negative if it is absent. */
  public int find(byte[] key, int offset, int length, long hash) {
    int absent = ABSENT;
    for (int slot = slot(hash); slots[slot] != 0; slot = slot + 1 & slots.length - 1) {
      int index = slots[slot] - 1;
      if (hashes[index] == hash) {
        if (lengths[index] == length && arena.equals(places[index], key, offset, length)) {
          return index;
        }
        absent = HASH_TAKEN;
      }
    }
    return absent;
  }

  /** The index of a key, which is added with the value 0 if it is absent. */
  public int add(byte[] key, int offset, int length, long hash) {
    int index = find(key, offset, length, hash);
    return index >= 0 ? index : addNew(key, offset, length, hash);
  }

  /** Adds a key that is known to be absent, with the value 0, and returns its index. */
  int addNew(byte[] key, int offset, int length, long hash) {
    if (size == hashes.length) {
      grow();
    }
    hashes[size] = hash;
    places[size] = arena.add(key, offset, length);
    lengths[size] = length;
    values[size] = 0;
    enter(size);
    return size++;
  }

  /** The value of the key with this index. */
  public long value(int index) {
    return values[index];
  }

  /** Sets the value of the key with this index. */
  public void value(int index, long value) {
    values[index] = value;
  }

  /** Passes the key with this index to the sink. */
  public void key(int index, KeySink sink) {
    arena.get(places[index], lengths[index], sink);
  }

  /** The indexes of all keys in an order; that of counts is by values. */
  public int[] ordered(CountedKeys.Order order) {
    return switch (order) {
      case KEY -> KeySort.byKey(this);
      case COUNT -> KeySort.byValueDown(this);
      case FIRST -> IntStream.range(0, size).toArray();
    };
  }

  /** The length of the key with this index, in bytes. */
  int length(int index) {
    return lengths[index];
  }

  /** Eight bytes of a key from an offset on, the first as the highest; 0 beyond its end. */
  long word(int index, int at) {
    return arena.word(places[index] + at, lengths[index] - at);
  }

  /** Compares two keys, byte by byte, as unsigned numbers. */
  int compare(int index, int other) {
    return arena.compare(places[index], lengths[index], places[other], lengths[other]);
  }

  private int slot(long hash) {
    return (int) (hash ^ hash >>> Integer.SIZE) & slots.length - 1;
  }

  private void enter(int index) {
    int slot = slot(hashes[index]);
    while (slots[slot] != 0) {
      slot = slot + 1 & slots.length - 1;
    }
    slots[slot] = index + 1;
  }

  private void grow() {
    int more = Math.multiplyExact(2, size);
    hashes = Arrays.copyOf(hashes, more);
    places = Arrays.copyOf(places, more);
    lengths = Arrays.copyOf(lengths, more);
    values = Arrays.copyOf(values, more);
    slots = new int[Math.multiplyExact(2, more)];
    for (int i = 0; i < size; i++) {
      enter(i);
    }
  }
}
