package io.bloomery.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** What a filter says about a key. */
enum Answer {
  /** The key was never added. */
  ABSENT("certainly absent"),

  /** The key was added, or is a false positive. */
  PRESENT("probably present");

  private final byte[] column;

  Answer(String words) {
    column = (words + "\t").getBytes(US_ASCII);
  }

  /** Writes the answer as the first column of a line. */
  void writeTo(StandardOutput out) {
    out.write(column, 0, column.length);
  }
}
