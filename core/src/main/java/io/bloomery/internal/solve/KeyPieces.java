package io.bloomery.internal.solve;

import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.internal.probe.Mix;
import org.jspecify.annotations.Nullable;

/**
 * Keys that a solver mixes and moves in place, each with or without a value. They stay in the
 * pieces in which they were collected, so that they are never stored twice.
 */
final class KeyPieces {

  private static final int LOG = Integer.numberOfTrailingZeros(KeyHashes.PIECE);
  private static final int MASK = KeyHashes.PIECE - 1;
  private static final int[][] NO_VALUES = {};

  private final long[][] keys;
  private final int[][] values; // NO_VALUES if there are none
  private final int size;

  private KeyPieces(long[][] keys, int[][] values, int size) {
    this.keys = keys;
    this.values = values;
    this.size = size;
  }

  /** Takes the hashes over, which are left empty; {@code values} may be null and are copied. */
  static KeyPieces of(KeyHashes hashes, int @Nullable [] values) {
    int size = Math.toIntExact(hashes.size());
    long[][] keys = hashes.take();
    if (values == null) {
      return new KeyPieces(keys, NO_VALUES, size);
    }
    int[][] copies = new int[keys.length][];
    for (int i = 0; i < copies.length; i++) {
      copies[i] = new int[keys[i].length];
      System.arraycopy(values, i << LOG, copies[i], 0, Math.min(keys[i].length, size - (i << LOG)));
    }
    return new KeyPieces(keys, copies, size);
  }

  int size() {
    return size;
  }

  boolean hasValues() {
    return values != NO_VALUES;
  }

  long key(int i) {
    return keys[i >>> LOG][i & MASK];
  }

  int value(int i) {
    return values[i >>> LOG][i & MASK];
  }

  /** Replaces a key; returns the old one. */
  long exchange(int i, long key) {
    long[] piece = keys[i >>> LOG];
    long before = piece[i & MASK];
    piece[i & MASK] = key;
    return before;
  }

  /** Replaces a value; returns the old one. */
  int exchangeValue(int i, int value) {
    int[] piece = values[i >>> LOG];
    int before = piece[i & MASK];
    piece[i & MASK] = value;
    return before;
  }

  void swap(int i, int j) {
    exchange(j, exchange(i, key(j)));
    if (values != NO_VALUES) {
      exchangeValue(j, exchangeValue(i, value(j)));
    }
  }

  /** Mixes the first {@code count} keys with a salt and counts those of each highest bits. */
  int[] mix(int count, long salt, int bits) {
    int[] sizes = new int[1 << bits];
    for (int first = 0; first < count; first += KeyHashes.PIECE) {
      long[] piece = keys[first >>> LOG];
      int length = Math.min(KeyHashes.PIECE, count - first);
      for (int i = 0; i < length; i++) {
        long key = Mix.mix(piece[i] ^ salt);
        piece[i] = key;
        sizes[highest(key, bits)]++;
      }
    }
    return sizes;
  }

  /** The highest bits of a key, 0…31 of them. */
  static int highest(long key, int bits) {
    return (int) (key >>> 1 >>> ~bits);
  }

  /** Takes back {@link #mix}. */
  void unmix(int count, long salt) {
    for (int i = 0; i < count; i++) {
      exchange(i, Mix.unmix(key(i)) ^ salt);
    }
  }

  /** Copies {@code count} keys and their values from {@code from} on; {@code toValues} if any. */
  void read(int from, int count, long[] toKeys, int[] toValues) {
    for (int done = 0; done < count; ) {
      int at = (from + done) & MASK;
      int length = Math.min(KeyHashes.PIECE - at, count - done);
      System.arraycopy(keys[(from + done) >>> LOG], at, toKeys, done, length);
      if (values != NO_VALUES) {
        System.arraycopy(values[(from + done) >>> LOG], at, toValues, done, length);
      }
      done += length;
    }
  }

  /** Copies {@code count} keys and their values to where they are from {@code to} on. */
  void write(int to, int count, long[] fromKeys, int[] fromValues) {
    for (int done = 0; done < count; ) {
      int at = (to + done) & MASK;
      int length = Math.min(KeyHashes.PIECE - at, count - done);
      System.arraycopy(fromKeys, done, keys[(to + done) >>> LOG], at, length);
      if (values != NO_VALUES) {
        System.arraycopy(fromValues, done, values[(to + done) >>> LOG], at, length);
      }
      done += length;
    }
  }
}
