package io.bloomery.window;

import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import java.io.IOException;

/** Cells as they lie in section 0 of a frame. */
final class CellSections {

  private CellSections() {}

  /** Section 0 as so many cells; bits that belong to none must be zero. */
  static Counters read(Frame frame, long count, int width) throws IOException {
    Words words = frame.section(0, Counters.wordsFor(count, width));
    int perWord = Long.SIZE / width;
    int inLast = (int) ((count - 1) % perWord + 1);
    if (overhang(words.get(words.length() - 1), inLast * width)) {
      throw frame.problem("section 0 has bits beyond its " + count + " cells");
    }
    return new Counters(words, count, width, false);
  }

  private static boolean overhang(long word, int used) {
    return used < Long.SIZE && word >>> used != 0;
  }
}
