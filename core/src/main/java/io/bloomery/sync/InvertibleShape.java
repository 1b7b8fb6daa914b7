package io.bloomery.sync;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.check.Limits;
import io.bloomery.plan.Shape;
import java.util.Objects;

/**
 * The shape of an {@link InvertibleTable}.
 *
 * @param cells m, a multiple of {@code hashesPerKey}, at most {@value #MAX_CELLS}
 * @param hashesPerKey k, the sub-tables in each of which a key has one cell, 2 … 8
 * @param keys the lengths of keys
 * @param valueBytes the length of the value of each key, 0 … {@value #MAX_VALUE_BYTES}; 0 for none
 * @param checksumBits the bits that distinguish one key from the sum of several, 32 … 64
 */
public record InvertibleShape(
    @FieldName("cells") int cells,
    @FieldName("probes") int hashesPerKey,
    KeyFormat keys,
    @FieldName("value bytes") int valueBytes,
    @FieldName("checksum bits") int checksumBits)
    implements Shape {

  /** The most cells. */
  public static final int MAX_CELLS = 1 << 26;

  /** The longest value. */
  public static final int MAX_VALUE_BYTES = 64;

  /** The largest difference that a shape can be sized for. */
  public static final int MAX_DIFFERENCE = 1 << 25;

  private static final int HASHES = 4;
  private static final int CHECKSUM_BITS = 32;

  // Up to FEW keys there are 2·d + 20 cells, from MANY on 1.5·d; between them as many as on the
  // straight line from one to the other, so that a larger difference never has fewer cells.
  private static final int FEW = 100;
  private static final int FEW_CELLS = 2 * FEW + 20;
  private static final int MANY = 1_000;
  private static final int MANY_CELLS = MANY + MANY / 2;

  public InvertibleShape {
    Arguments.inRange("hashesPerKey", hashesPerKey, 2, 8);
    Arguments.inRange("cells", cells, hashesPerKey, MAX_CELLS);
    Arguments.multipleOf("cells", cells, "hashesPerKey", hashesPerKey);
    Objects.requireNonNull(keys, "keys");
    Arguments.inRange("valueBytes", valueBytes, 0, MAX_VALUE_BYTES);
    Arguments.inRange("checksumBits", checksumBits, 32, 64);
  }

  /**
   * The shape for a difference of 8-byte keys without values. In samples of 1,000 tables per size,
   * all tables of at least 200 keys were decoded, and at least 99.4 % of those with fewer.
   *
   * @param difference d, the number of keys that only one side has, 0 … {@value #MAX_DIFFERENCE}
   * @return 1.5·d cells from 1,000 keys on and 2·d + 20 up to 100; 4 hashes per key, checksums of
   *     32 bits
   * @throws IllegalArgumentException if the difference is outside its range
   */
  public static InvertibleShape forDifference(long difference) {
    return forDifference(difference, KeyFormat.LONGS, 0);
  }

  /**
   * The shape for a difference of other keys, with values.
   *
   * @param difference d, the number of keys that only one side has, 0 … {@value #MAX_DIFFERENCE}
   * @param keys the lengths of keys
   * @param valueBytes the length of values, 0 for none
   * @return the shape, with as many cells as {@link #forDifference(long)} says
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static InvertibleShape forDifference(long difference, KeyFormat keys, int valueBytes) {
    Arguments.inRange("difference", difference, 0, MAX_DIFFERENCE);
    return new InvertibleShape(cellsFor((int) difference), HASHES, keys, valueBytes, CHECKSUM_BITS);
  }

  private static int cellsFor(int difference) {
    if (difference >= MANY) {
      int cells = difference + difference / 2;
      return cells - cells % HASHES;
    }
    int cells =
        difference <= FEW
            ? 2 * difference + FEW_CELLS - 2 * FEW
            : FEW_CELLS + (difference - FEW) * (MANY_CELLS - FEW_CELLS) / (MANY - FEW);
    return (cells + HASHES - 1) / HASHES * HASHES;
  }

  /**
   * The cells of each sub-table.
   *
   * @return m / k
   */
  public int cellsPerHash() {
    return cells / hashesPerKey;
  }

  /** The words of a cell: count, checksum, key, value. */
  int cellWords() {
    return 2 + KeyCodec.words(keys) + KeyCodec.wordsFor(valueBytes);
  }

  /** The words of all cells. */
  long words() {
    return (long) cells * cellWords();
  }

  /**
   * The bytes that {@link InvertibleTable#writeCells} writes if counts are small: 13 per cell with
   * 8-byte keys. A cell with a count outside −64 … 63 takes one more byte, outside −8192 … 8191
   * two.
   *
   * @return bytes
   */
  public long cellBytes() {
    return (long) cells * (1 + checksumBytes() + KeyCodec.bytes(keys) + valueBytes);
  }

  /** The bytes of a checksum in streams. */
  int checksumBytes() {
    return (checksumBits + Byte.SIZE - 1) / Byte.SIZE;
  }

  /** {@inheritDoc} Here: each field of a cell takes whole words. */
  @Override
  public long sizeInBits() {
    return words() * Long.SIZE;
  }

  /**
   * {@inheritDoc} Here: the probability that {@link InvertibleTable#get} returns unknown, because
   * each of its k cells holds two keys or more: (1 − (1 − 1/w)^n − n/w · (1 − 1/w)^(n − 1))^k, with
   * w = m/k.
   */
  @Override
  public double falsePositiveRate(long keys) {
    Arguments.inRange("keys", keys, 0, Limits.MAX_LOAD);
    double width = cellsPerHash();
    if (width == 1) {
      return keys < 2 ? 0 : 1;
    }
    double empty = Math.exp(keys * Math.log1p(-1 / width));
    double single = keys * empty / (width - 1);
    return Math.pow(Math.max(0, 1 - empty - single), hashesPerKey);
  }

  /**
   * How keys are stored whole: all of one length, or of any length up to a limit, which takes one
   * more byte per cell.
   *
   * @param keyBytes the length of keys, or of the longest, 1 … {@value #MAX_BYTES}
   * @param variableLength whether keys may be shorter
   */
  public record KeyFormat(
      @FieldName("key bytes") int keyBytes, @FieldName("variable length") boolean variableLength) {

    /** The longest key. */
    public static final int MAX_BYTES = 64;

    /** Keys of 8 bytes: numbers, or the 64-bit hashes of longer keys. The fastest. */
    public static final KeyFormat LONGS = new KeyFormat(Long.BYTES, false);

    public KeyFormat {
      Arguments.inRange("keyBytes", keyBytes, 1, MAX_BYTES);
    }

    /**
     * Keys of one length.
     *
     * @param keyBytes their length, 1 … {@value #MAX_BYTES}
     * @return the format
     */
    public static KeyFormat fixed(int keyBytes) {
      return new KeyFormat(keyBytes, false);
    }

    /**
     * Keys of 0 … {@code keyBytes} bytes.
     *
     * @param keyBytes the length of the longest, 1 … {@value #MAX_BYTES}
     * @return the format
     */
    public static KeyFormat upTo(int keyBytes) {
      return new KeyFormat(keyBytes, true);
    }
  }
}
