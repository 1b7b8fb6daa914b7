package io.bloomery.cli.partition;

import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.KeySink;

/**
 * Copies records to other files, each with a line end, and without the byte-order mark before the
 * first record of a file.
 */
final class Rows {

  private boolean headerPassed;

  /** Passes the header row on, once, if the block begins with one. */
  void header(Block block, KeySink out) {
    int start = block.headerStart();
    int end = block.headerEnd();
    if (headerPassed || end <= start) {
      return;
    }
    headerPassed = true;
    pass(block, start, end, out);
  }

  /** Passes a record on. */
  void record(Block block, int i, KeySink out) {
    pass(block, block.textStart(i), block.ends()[i], out);
  }

  private static void pass(Block block, int start, int end, KeySink out) {
    byte[] bytes = block.bytes();
    out.key(bytes, start, end - start);
    byte[] last = block.recordEnd();
    if (last.length > 0 && (end == start || bytes[end - 1] != last[last.length - 1])) {
      out.key(last, 0, last.length);
    }
  }
}
