package io.bloomery.lookup;

import io.bloomery.internal.numeric.SolvedCells;
import java.util.function.LongFunction;

/** Maps of cells that only files can ask for: a layout that is not the smaller one. */
public final class LookupCells {

  private LookupCells() {}

  /** The shape of given cells. */
  public static BloomierShape shape(SolvedCells cells, int cellBits, long values) {
    return BloomierShape.of(cells, cellBits, values);
  }

  /** The builder of a map of given cells. */
  public static BloomierMap.Builder fixed(LongFunction<? extends SolvedCells> cells) {
    return BloomierMap.builder().cells(cells);
  }

  /** The builder of a mutable map of given cells. */
  public static MutableBloomierMap.Builder mutable(LongFunction<SolvedCells.Peeled> cells) {
    return MutableBloomierMap.builder().cells(cells);
  }
}
