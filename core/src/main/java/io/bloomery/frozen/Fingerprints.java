package io.bloomery.frozen;

import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.solve.FingerprintTable;
import java.io.IOException;

/** How tables of fingerprints are read from files. */
final class Fingerprints {

  private Fingerprints() {}

  /** The table in section 0 of a frame; what is beyond its cells must be zero. */
  static FingerprintTable read(Frame frame, long cells, int width) throws IOException {
    FingerprintTable table =
        FingerprintTable.of(
            frame.section(0, FingerprintTable.wordsFor(cells, width)), (int) cells, width);
    frame.require(table != null, "section 0 has bits beyond its " + cells + " cells");
    return table;
  }
}
