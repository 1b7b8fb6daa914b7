package io.bloomery.tools.input;

import java.io.IOException;
import java.io.PushbackInputStream;
import org.jspecify.annotations.Nullable;

/** Files that are not keys, by their first bytes, and the command that each of them is for. */
enum FileMark {
  FILTER(
      "a filter; bloom merge joins filters, bloom convert changes one and bloom info describes it",
      0x89,
      'B',
      'L',
      'M',
      0x0D,
      0x0A,
      0x1A,
      0x0A),
  INDEX("an index; bloom find searches it", 'B', 'L', 'M', 'I', 'D', 'X', 0),
  /** The magic number could begin a text; the first header of Thrift after it, field 1, cannot. */
  PARQUET(
      "a Parquet file; bloom check --column asks the filters in it, and for keys export a column"
          + " as text",
      'P',
      'A',
      'R',
      '1',
      0x15);

  /** How many bytes a source must be able to take back. */
  static final int LONGEST = 8;

  private final String use;
  private final int[] bytes;

  FileMark(String use, int... bytes) {
    this.use = use;
    this.bytes = bytes;
  }

  /**
   * The mark that follows, null if none does; leaves the source as it was, and blocks only while
   * one may still follow.
   */
  static @Nullable FileMark next(PushbackInputStream source) throws IOException {
    for (FileMark mark : values()) {
      if (Gunzip.startsWith(source, mark.bytes)) {
        return mark;
      }
    }
    return null;
  }

  /** Why a file with this mark is refused. */
  String refusal() {
    return "is not a file of keys but " + use;
  }
}
