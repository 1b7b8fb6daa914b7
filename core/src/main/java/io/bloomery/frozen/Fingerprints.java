package io.bloomery.frozen;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.solve.FingerprintTable;
import io.bloomery.internal.solve.PeeledTable;
import java.io.IOException;

/** How solved fingerprint tables are stored: the number of keys, the shape, the seed, the cells. */
final class Fingerprints {

  private Fingerprints() {}

  static Frame encode(Hasher hasher, Record shape, PeeledTable solved) {
    return Frame.of(hasher)
        .put("keys", solved.keys())
        .put(shape)
        .put("seed", solved.seed())
        .section(solved.table().words());
  }

  /**
   * Reads the table of a frame whose shape was already read; bits beyond its cells must be zero.
   */
  static PeeledTable decode(Frame frame, long cells, int width) throws IOException {
    int keys = (int) frame.number("keys", 0, FuseShape.MAX_KEYS);
    long seed = frame.number("seed", Long.MIN_VALUE, Long.MAX_VALUE);
    Words words = frame.section(0, FingerprintTable.wordsFor(cells, width));
    FingerprintTable table =
        frame.present(
            FingerprintTable.of(words, (int) cells, width),
            "section 0 has bits beyond its " + cells + " cells");
    return new PeeledTable(keys, seed, table);
  }
}
