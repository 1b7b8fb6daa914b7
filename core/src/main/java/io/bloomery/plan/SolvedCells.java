package io.bloomery.plan;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.RibbonLayout;
import io.bloomery.internal.numeric.SegmentSizes;
import io.bloomery.internal.numeric.Sizing;
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
   * The cells of a table that is solved by peeling: how many there are, and where the k cells of a
   * key lie, one of which belongs to that key alone.
   *
   * @param layout where the cells of a key lie
   * @param count all cells, 3 … 2^30: a multiple of k, or k or more segments
   * @param perKey k, cells per key, 3 or 4
   * @param segmentLog binary logarithm of the cells of a segment, 0…18; 0 for {@link Layout#PARTS}
   */
  public record Peeled(
      Layout layout,
      @FieldName("cells") long count,
      @FieldName("cells per key") int perKey,
      int segmentLog)
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
       * The number that stands for this layout in files.
       *
       * @return 1 or 2
       */
      public int wireId() {
        return wireId;
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
      Arguments.inRange("perKey", perKey, 3, 4);
      Arguments.inRange("segmentLog", segmentLog, 0, parts ? 0 : SegmentSizes.MAX_SEGMENT_LOG);
      Arguments.inRange("count", count, (long) perKey << segmentLog, SegmentSizes.MAX_CELLS);
      long unit = parts ? perKey : 1L << segmentLog;
      Arguments.multipleOf("count", count, unit);
    }

    /**
     * The layout with fewer cells: with k = 3 mostly {@link Layout#PARTS} below 20,000 keys.
     *
     * @param expectedKeys distinct keys, 1 … 2^27
     * @param perKey k, cells per key, 3 or 4
     * @return the cells
     * @throws IllegalArgumentException if an argument is outside its range
     */
    public static Peeled forKeys(long expectedKeys, int perKey) {
      Peeled parts = forKeys(expectedKeys, perKey, Layout.PARTS);
      Peeled segments = forKeys(expectedKeys, perKey, Layout.SEGMENTS);
      return segments.count < parts.count ? segments : parts;
    }

    /**
     * As many cells as make it very likely that one of the first seeds works.
     *
     * @param expectedKeys distinct keys, 1 … 2^27
     * @param perKey k, cells per key, 3 or 4
     * @param layout where the cells of a key lie
     * @return the cells
     * @throws IllegalArgumentException if an argument is outside its range
     */
    public static Peeled forKeys(long expectedKeys, int perKey, Layout layout) {
      Sizing.requireKeys(expectedKeys, MAX_KEYS);
      Arguments.inRange("perKey", perKey, 3, 4);
      if (layout == Layout.PARTS) {
        double factor = perKey == 3 ? 1.23 : 1.30;
        long part = ((long) Math.ceil(factor * expectedKeys) + SPARE + perKey - 1) / perKey;
        return new Peeled(layout, part * perKey, perKey, 0);
      }
      int segmentLog = SegmentSizes.segmentLog(expectedKeys, perKey);
      long segments = SegmentSizes.starts(expectedKeys, perKey, segmentLog) + perKey - 1L;
      return new Peeled(layout, segments << segmentLog, perKey, segmentLog);
    }

    @Override
    public long sizeInBits(int width) {
      return count * width;
    }
  }

  /**
   * The cells of a table that is solved by elimination in a band (bumped ribbon retrieval): about
   * 1.01 cells per key, of up to 32 bits.
   *
   * @param keys distinct keys, 1 … 2^27
   */
  public record Ribbon(long keys) implements SolvedCells {

    public Ribbon {
      Arguments.inRange("keys", keys, 1, SolvedCells.Peeled.MAX_KEYS);
    }

    /** {@inheritDoc} Here: 32 bits per cell at most. */
    @Override
    public long sizeInBits(int width) {
      return new RibbonLayout(keys, width, 0).words() * Long.SIZE;
    }
  }
}
