package io.bloomery.internal.layer;

import io.bloomery.FilterFormatException;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;

/**
 * The row of a plain layer in the table of a frame that holds many; all numbers are 0 where a table
 * has a row without a layer.
 *
 * @param bits m, 2 … {@link Shape#MAX_BITS}
 * @param hashesPerKey k, 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most m
 * @param keys keys that it holds, 1 … {@link Shape#MAX_KEYS}
 */
public record LayerRow(long bits, int hashesPerKey, long keys) {

  /** Words of a row. */
  public static final int WORDS = 3;

  public LayerRow {
    Arguments.inRange("bits", bits, 2, Shape.MAX_BITS);
    Arguments.inRange(
        "hashesPerKey", hashesPerKey, 1, (int) Math.min(bits, Shape.MAX_HASHES_PER_KEY));
    Arguments.inRange("keys", keys, 1, Shape.MAX_KEYS);
  }

  /** The row of a layer that is a {@link BloomShape}. */
  public static LayerRow of(Layer layer) {
    BloomShape shape = (BloomShape) layer.shape();
    return new LayerRow(shape.bits(), shape.hashesPerKey(), layer.keys());
  }

  /** Writes this row into a table. */
  public void put(long[] table, int row) {
    int at = WORDS * row;
    table[at] = bits;
    table[at + 1] = hashesPerKey;
    table[at + 2] = keys;
  }

  /** Whether there is no layer in a row. */
  public static boolean isEmpty(Words table, int row) {
    long at = (long) WORDS * row;
    return (table.get(at) | table.get(at + 1) | table.get(at + 2)) == 0;
  }

  /** Reads a row; {@code what} names it in messages. */
  public static LayerRow read(Frame frame, String what, Words table, int row)
      throws FilterFormatException {
    long at = (long) WORDS * row;
    try {
      long hashes = Arguments.inRange("hashesPerKey", table.get(at + 1), 1, Integer.MAX_VALUE);
      return new LayerRow(table.get(at), (int) hashes, table.get(at + 2));
    } catch (IllegalArgumentException e) {
      throw frame.problem(what + ": " + e.getMessage());
    }
  }

  /** The layer of this row. */
  public Layer layer(Words words, int number) {
    return new Layer(
        BloomShape.of(bits, hashesPerKey, IndexScheme.INDEPENDENT), words, number, keys, keys);
  }
}
