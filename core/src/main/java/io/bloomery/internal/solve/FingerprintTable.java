package io.bloomery.internal.solve;

import io.bloomery.internal.bits.Packed;
import io.bloomery.internal.bits.Words;
import org.jspecify.annotations.Nullable;

/**
 * Fingerprints of 1…32 bits and their xor over the cells of a key.
 *
 * <p>In a file and in mapped memory they are {@link Packed} numbers with one spare word behind
 * them. On the heap those of 8 and 16 bits are an array of their own type, which takes two thirds
 * of the time to query; all others are packed too, and read as two words each so that there is no
 * branch.
 */
public final class FingerprintTable {

  private final long cells;
  private final int width;
  private final long mask;
  private final byte @Nullable [] bytes;
  private final short @Nullable [] shorts;
  private final @Nullable Words words;

  private FingerprintTable(
      long cells,
      int width,
      byte @Nullable [] bytes,
      short @Nullable [] shorts,
      @Nullable Words words) {
    this.cells = cells;
    this.width = width;
    this.mask = -1L >>> -width;
    this.bytes = bytes;
    this.shorts = shorts;
    this.words = words;
  }

  /** Zeros on the heap. */
  public static FingerprintTable allocate(int cells, int width) {
    return new FingerprintTable(
        cells,
        width,
        width == Byte.SIZE ? new byte[cells] : null,
        width == Short.SIZE ? new short[cells] : null,
        width == Byte.SIZE || width == Short.SIZE
            ? null
            : Words.allocate(wordsFor(cells, width), false));
  }

  /**
   * The table that some words hold, packed as {@link #words} gives them.
   *
   * @param found {@link #wordsFor} of them; kept if they are read-only or the width needs it
   * @return the table, or null if bits beyond its cells are set
   */
  public static @Nullable FingerprintTable of(Words found, int cells, int width) {
    long last = found.length() - 2;
    int used = (int) ((long) cells * width) & (Long.SIZE - 1);
    if (found.get(last + 1) != 0 || (used != 0 && found.get(last) >>> used != 0)) {
      return null;
    }
    if (found.isReadOnly() || (width != Byte.SIZE && width != Short.SIZE)) {
      return new FingerprintTable(cells, width, null, null, found);
    }
    FingerprintTable table = allocate(cells, width);
    for (int i = 0; i < cells; i++) {
      table.put(i, Packed.get(found, width, i));
    }
    return table;
  }

  /** The words that {@link #of} takes. */
  public Words words() {
    if (words != null) {
      return words;
    }
    Words packed = Words.allocate(wordsFor(cells, width), false);
    for (int i = 0; i < cells; i++) {
      Packed.set(packed, width, i, get(i));
    }
    return packed;
  }

  /** How many words a table is packed into: one more than its bits need. */
  public static long wordsFor(long cells, int width) {
    return Packed.wordsFor(cells, width) + 1;
  }

  /** The mask of a fingerprint. */
  public long mask() {
    return mask;
  }

  /** The cells if they are bytes on the heap, otherwise null. */
  public byte @Nullable [] bytes() {
    return bytes;
  }

  /** The cells if they are numbers of 16 bits on the heap, otherwise null. */
  public short @Nullable [] shorts() {
    return shorts;
  }

  /** The xor of three cells; bits above the width mean nothing. */
  public long xor(int a, int b, int c) {
    byte[] small = bytes;
    if (small != null) {
      return small[a] ^ small[b] ^ small[c];
    }
    short[] large = shorts;
    if (large != null) {
      return large[a] ^ large[b] ^ large[c];
    }
    return packed(a) ^ packed(b) ^ packed(c);
  }

  /** The xor of four cells; bits above the width mean nothing. */
  public long xor(int a, int b, int c, int d) {
    byte[] small = bytes;
    if (small != null) {
      return small[a] ^ small[b] ^ small[c] ^ small[d];
    }
    short[] large = shorts;
    if (large != null) {
      return large[a] ^ large[b] ^ large[c] ^ large[d];
    }
    return packed(a) ^ packed(b) ^ packed(c) ^ packed(d);
  }

  /** One cell; bits above the width mean nothing. */
  long get(int cell) {
    return bytes != null ? bytes[cell] : shorts != null ? shorts[cell] : packed(cell);
  }

  @SuppressWarnings("NullAway") // cells that are in no array are packed into words
  private long packed(int cell) {
    long bit = (long) cell * width;
    long word = bit >>> 6;
    long[] heap = words.heap();
    if (heap == null) {
      return (words.get(word) >>> bit) | (words.get(word + 1) << 1 << ~bit);
    }
    int at = Words.BASE + (int) word;
    return (heap[at] >>> bit) | (heap[at + 1] << 1 << ~bit);
  }

  /** Sets a cell that is zero; bits of the value above the width are lost. */
  @SuppressWarnings("NullAway") // cells that are in no array are packed into words
  void put(int cell, long value) {
    if (bytes != null) {
      bytes[cell] = (byte) value;
    } else if (shorts != null) {
      shorts[cell] = (short) value;
    } else {
      Packed.set(words, width, cell, value);
    }
  }
}
