package io.bloomery.internal.solve;

import io.bloomery.FilterFormatException;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.numeric.SegmentSizes;
import io.bloomery.plan.PeeledCells;
import io.bloomery.plan.PeeledCells.Layout;

/** {@link PeeledCells} as a {@link CellLayout} and as fields of a frame. */
public final class PeeledLayout {

  private PeeledLayout() {}

  /** The layout of these cells. */
  public static CellLayout of(PeeledCells cells) {
    int count = (int) cells.count();
    int k = cells.perKey();
    return cells.layout() == Layout.PARTS
        ? CellLayout.parts(k, count / k)
        : CellLayout.segments(k, cells.segmentLog(), (count >>> cells.segmentLog()) - k + 1);
  }

  /** Adds the fields. */
  public static Frame put(Frame frame, PeeledCells cells) {
    return frame
        .put("layout", cells.layout().wireId())
        .put("cells", cells.count())
        .put("cells per key", cells.perKey())
        .put("segment log", cells.segmentLog());
  }

  /** Reads and checks the fields. */
  public static PeeledCells read(Frame frame) throws FilterFormatException {
    Layout layout =
        frame.number("layout", 1, 2) == Layout.PARTS.wireId() ? Layout.PARTS : Layout.SEGMENTS;
    int perKey = (int) frame.number("cells per key", 3, 4);
    int segmentLog = (int) frame.number("segment log", 0, SegmentSizes.MAX_SEGMENT_LOG);
    long count = frame.number("cells", 0, SegmentSizes.MAX_CELLS);
    try {
      return new PeeledCells(layout, perKey, segmentLog, count);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
  }
}
