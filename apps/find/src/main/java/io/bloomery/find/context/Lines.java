package io.bloomery.find.context;

import java.io.IOException;

/** The lines of a file, by the offset of their first byte in its content. */
public interface Lines {

  /** The line that starts at an offset, with its line end if it has one; empty at the end. */
  byte[] line(long start) throws IOException;

  /**
   * Where the line starts that is {@code count} lines before the one that starts at {@code start};
   * {@code floor}, where a line starts too, if there are fewer from there on.
   */
  long back(long start, int count, long floor) throws IOException;
}
