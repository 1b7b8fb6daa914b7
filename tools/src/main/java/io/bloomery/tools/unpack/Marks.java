package io.bloomery.tools.unpack;

import java.io.IOException;
import java.io.PushbackInputStream;

/** Compares what a source begins with. */
public final class Marks {

  /** Stands for any byte in a mark. */
  static final int ANY = -1;

  private static final int DIFFERENT = -1;

  private Marks() {}

  /**
   * Whether these bytes follow; leaves the source as it was, and blocks only while they may still
   * follow.
   */
  public static boolean startsWith(PushbackInputStream source, int... mark) throws IOException {
    return match(source, mark) == mark.length;
  }

  /**
   * How many bytes of the mark follow, fewer than all if the source ends there; -1 if others do.
   */
  static int match(PushbackInputStream source, int... mark) throws IOException {
    byte[] start = new byte[mark.length];
    int count = 0;
    boolean equal = true;
    int next = 0;
    while (equal && next >= 0 && count < mark.length) {
      next = source.read();
      if (next >= 0) {
        equal = mark[count] == ANY || next == mark[count];
        start[count++] = (byte) next;
      }
    }
    source.unread(start, 0, count);
    return equal ? count : DIFFERENT;
  }
}
