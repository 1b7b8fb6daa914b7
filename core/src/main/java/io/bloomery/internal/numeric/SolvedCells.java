package io.bloomery.internal.numeric;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import java.util.Objects;

/** The cells of a solved table, from which the value of each key is computed. */
public sealed interface SolvedCells {

  /**
   * The memory of the cells.
   *
   * @param width bits per cell, 1…64
   * @return the size in bits
   * @throws IllegalArgumentException if cells of that width are not possible
   */
  long sizeInBits(int width);

  /**
   * The cells of a table that is solved by peeling: their number, and the layout of the k cells of
   * a key, one of which belongs to that key alone.
   *
   * @param layout the layout of a key's cells
   * @param cells all cells, 3 … 2^30: a multiple of k, or k or more segments
   * @param cellsPerKey k, 3 or 4
   * @param segmentLog binary logarithm of the cells of a segment, 0…18; 0 for {@link Layout#PARTS}
   */
  public record Peeled(
      @FieldName("layout") Layout layout,
      @FieldName("cells") long cells,
      @FieldName("cells per key") int cellsPerKey,
      @FieldName("segment log") int segmentLog)
      implements SolvedCells {

    /** Where the cells of a key lie. */
    public enum Layout {
      /** One cell in each of k equal parts: ⌈1.23·n⌉ + 32 cells with k = 3. */
      PARTS(1),
      /**
       * One cell in each of k neighbouring segments of many (binary fuse filter, Graf and Lemire
       * 2022): for a million keys or more 1.125·n cells with k = 3, 1.075·n with k = 4.
       */
      SEGMENTS(2);

      private final int wireId;

      Layout(int wireId) {
        this.wireId = wireId;
      }

      /**
       * The number that identifies this layout in files.
       *
       * @return 1 or 2
       */
      public int wireId() {
        return wireId;
      }

      private static Layout of(int wireId) {
        Arguments.inRange("layout", wireId, PARTS.wireId, SEGMENTS.wireId);
        return wireId == PARTS.wireId ? PARTS : SEGMENTS;
      }
    }

    /** The most keys that are peeled together, 2^27. */
    public static final int MAX_KEYS = SegmentSizes.MAX_KEYS;

    /** The default number of cells per key. */
    public static final int DEFAULT_PER_KEY = 3;

    private static final int SPARE = 32;

    public Peeled {
      Objects.requireNonNull(layout, "layout");
      boolean parts = layout == Layout.PARTS;
      Arguments.inRange("cellsPerKey", cellsPerKey, 3, 4);
      Arguments.inRange("segmentLog", segmentLog, 0, parts ? 0 : SegmentSizes.MAX_SEGMENT_LOG);
      Arguments.inRange("cells", cells, (long) cellsPerKey << segmentLog, SegmentSizes.MAX_CELLS);
      long unit = parts ? cellsPerKey : 1L << segmentLog;
      Arguments.multipleOf("cells", cells, unit);
    }

    /**
     * The cells described by the numbers of files and shapes.
     *
     * @throws IllegalArgumentException if a number is outside its range
     */
    public Peeled(int layout, long cells, int cellsPerKey, int segmentLog) {
      this(Layout.of(layout), cells, cellsPerKey, segmentLog);
    }

    /** Whether one cell of a key lies in each of k equal parts. */
    public boolean isParts() {
      return layout == Layout.PARTS;
    }

    /**
     * The layout with fewer cells: with k = 3 mostly {@link Layout#PARTS} below 20,000 keys.
     *
     * @param expectedKeys distinct keys, 1 … 2^27
     * @param cellsPerKey k, cells per key, 3 or 4
     * @return the cells
     * @throws IllegalArgumentException if an argument is outside its range
     */
    public static Peeled forKeys(long expectedKeys, int cellsPerKey) {
      Peeled parts = forKeys(expectedKeys, cellsPerKey, Layout.PARTS);
      Peeled segments = forKeys(expectedKeys, cellsPerKey, Layout.SEGMENTS);
      return segments.cells < parts.cells ? segments : parts;
    }

    /**
     * Enough cells that one of the first seeds very likely works.
     *
     * @param expectedKeys distinct keys, 1 … 2^27
     * @param cellsPerKey k, cells per key, 3 or 4
     * @param layout where the cells of a key lie
     * @return the cells
     * @throws IllegalArgumentException if an argument is outside its range
     */
    public static Peeled forKeys(long expectedKeys, int cellsPerKey, Layout layout) {
      Sizing.requireKeys(expectedKeys, MAX_KEYS);
      Arguments.inRange("cellsPerKey", cellsPerKey, 3, 4);
      if (layout == Layout.PARTS) {
        double factor = cellsPerKey == 3 ? 1.23 : 1.30;
        long part =
            ((long) Math.ceil(factor * expectedKeys) + SPARE + cellsPerKey - 1) / cellsPerKey;
        return new Peeled(layout, part * cellsPerKey, cellsPerKey, 0);
      }
      int segmentLog = SegmentSizes.segmentLog(expectedKeys, cellsPerKey);
      long segments = SegmentSizes.starts(expectedKeys, cellsPerKey, segmentLog) + cellsPerKey - 1L;
      return new Peeled(layout, segments << segmentLog, cellsPerKey, segmentLog);
    }

    @Override
    public long sizeInBits(int width) {
      return cells * width;
    }
  }

  /**
   * The cells of a table that is solved by elimination in a band (bumped ribbon retrieval): about
   * 1.01 cells per key, of up to 32 bits.
   *
   * @param keys distinct keys, 1 … 2^27
   */
  public record Ribbon(long keys) implements SolvedCells {

    /** The number that identifies a ribbon in files, in place of a {@link Peeled.Layout}. */
    public static final int WIRE_ID = 3;

    public Ribbon {
      Arguments.inRange("keys", keys, 1, SolvedCells.Peeled.MAX_KEYS);
    }

    /** {@inheritDoc} Here: at most 32 bits per cell. */
    @Override
    public long sizeInBits(int width) {
      return new RibbonLayout(keys, width, 0).words() * Long.SIZE;
    }
  }
}
