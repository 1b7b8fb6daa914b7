package io.bloomery.weighted;

import io.bloomery.FilterFormatException;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.internal.solve.CellLayout;
import io.bloomery.internal.solve.DistinctKeys;
import io.bloomery.internal.solve.Peeling;
import io.bloomery.internal.solve.XorTable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The class of every key: exact for listed keys, and {@link #NONE} for all others except a few that
 * are mistaken for listed ones. It depends only on the key and never changes, so a key has the same
 * class when it is added and when it is queried: a mistake costs bits but never loses a key. Stored
 * as a solved table without the keys, as in a Bloomier filter.
 */
final class KeyClasses {

  /** The class of a key that is not listed. */
  static final int NONE = -1;

  private static final long SEED = 0;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final @Nullable XorTable table; // null if no key is listed, or if the cells are bytes
  private final byte @Nullable []
      bytes; // the words of a table on the heap with three cells per key, or null
  private final int classes;
  private final long seed;
  private final int width;
  private final boolean parts;
  private final int length; // of a part, or of a segment
  private final int span; // for segments: the range of the first cell

  private KeyClasses(ClassShape shape, @Nullable XorTable table) {
    SolvedCells.Peeled cells = ClassTable.of(shape).cells();
    this.bytes =
        table != null && cells.cellsPerKey() == 3 && !table.words().isReadOnly()
            ? bytes(table.words())
            : null;
    this.table = bytes == null ? table : null;
    this.classes = shape.classes().size();
    this.seed = table == null ? 0 : table.seed();
    this.width = shape.cellBits();
    this.parts = cells.isParts();
    this.length = (int) (parts ? cells.cells() / cells.cellsPerKey() : 1L << cells.segmentLog());
    this.span = (int) (cells.cells() - (cells.cellsPerKey() - 1L) * length);
  }

  /** The words plus a spare one, so that 64 bits can be read from any byte. */
  private static byte[] bytes(Words words) {
    byte[] bytes = new byte[Math.toIntExact(Long.BYTES * (words.length() + 1))];
    for (int i = 0; i < words.length(); i++) {
      LONGS.set(bytes, i * Long.BYTES, words.get(i));
    }
    return bytes;
  }

  /** The table of the first keys of some weights, in the classes of a shape. */
  static KeyClasses of(ClassShape shape, Weights weights) {
    weights.requireFor(shape);
    int classes = shape.classes().size();
    long keys = shape.classes().stream().mapToLong(ClassShape.HashClass::keyCount).sum();
    if (keys == 0) {
      return new KeyClasses(shape, null);
    }
    long[] hashes = new long[(int) keys];
    int[] values = new int[hashes.length];
    int rank = 0;
    for (int i = 0; i < classes; i++) {
      for (long j = shape.classes().get(i).keyCount(); j > 0; j--) {
        hashes[rank] = weights.hash(rank);
        values[rank++] = i;
      }
    }
    DistinctKeys distinct = DistinctKeys.of(hashes, values, rank, SEED, Integer::valueOf);
    SolvedCells.Peeled cells = ClassTable.of(shape).cells();
    CellLayout layout = CellLayout.of(cells);
    Peeling peeling = distinct.peel("a table", layout, cells.isParts());
    return new KeyClasses(
        shape, XorTable.solve(layout, distinct, peeling, shape.cellBits(), distinct::value));
  }

  /** The table in the words of a file. */
  static KeyClasses of(ClassShape shape, Words words, long seed) {
    int bits = shape.cellBits();
    XorTable table =
        bits == 0
            ? null
            : new XorTable(CellLayout.of(ClassTable.of(shape).cells()), words, bits, seed);
    return new KeyClasses(shape, table);
  }

  /** Reads the seed of the cells, 0 if there are none. */
  static long readSeed(Frame frame, int cellBits) throws FilterFormatException {
    boolean empty = cellBits == 0;
    return frame.number("seed", empty ? 0 : Long.MIN_VALUE, empty ? 0 : Long.MAX_VALUE);
  }

  /** Whether no key is listed. */
  boolean isEmpty() {
    return table == null && bytes == null;
  }

  /** The class of a key, or {@link #NONE}. */
  @SuppressWarnings("NullAway") // keys are listed: as bytes or a table
  int of(long hash) {
    long number = bytes != null ? number(hash) : table.get(hash);
    return Long.compareUnsigned(number, classes) < 0 ? (int) number : NONE;
  }

  /** Computes {@link XorTable#get} with three independent reads. */
  private long number(long hash) {
    long mixed = CellLayout.remix(hash, seed);
    int a;
    int b;
    int c;
    if (parts) {
      a = CellLayout.inPart(mixed, 0, length);
      b = CellLayout.inPart(mixed, 1, length);
      c = CellLayout.inPart(mixed, 2, length);
    } else {
      a = CellLayout.group(mixed, span);
      b = CellLayout.inSegment(mixed, a, 1, length);
      c = CellLayout.inSegment(mixed, a, 2, length);
    }
    long cells = cell(a) ^ cell(b) ^ cell(c);
    return (cells & (-1L >>> -width)) ^ XorTable.mask(hash, seed, width);
  }

  /** A cell, with other bits above it. */
  private long cell(int i) {
    long bit = (long) i * width;
    return (long) LONGS.get(bytes, (int) (bit >>> 3)) >>> (bit & 7);
  }

  /** The cells; no words if no key is listed. */
  Words words() {
    if (bytes == null) {
      return table == null ? Words.allocate(0, false) : table.words();
    }
    Words words = Words.allocate(bytes.length / Long.BYTES - 1, false);
    for (int i = 0; i < words.length(); i++) {
      words.writable()[Words.BASE + i] = (long) LONGS.get(bytes, i * Long.BYTES);
    }
    return words;
  }

  /** The seed of the cells. */
  long seed() {
    return seed;
  }

  /** Whether every key has the same class in both, given equal shapes. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyClasses same
        && classes == same.classes
        && seed == same.seed
        && isEmpty() == same.isEmpty()
        && words().sameBits(same.words());
  }

  @Override
  public int hashCode() {
    return (int) checksum();
  }

  private long checksum() {
    CRC32C sum = new CRC32C();
    Words cells = words();
    for (long i = 0; i < cells.length(); i++) {
      for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
        sum.update((int) (cells.get(i) >>> shift));
      }
    }
    return sum.getValue();
  }

  /** The checksum of the table, for messages. */
  @Override
  public String toString() {
    return isEmpty() ? "none" : "%08x".formatted(checksum());
  }
}
