package io.bloomery.tools.input;

import org.jspecify.annotations.Nullable;

/** How the lines of inputs end: as the first line of each does. */
final class LineEnd {

  private static final byte[] NEW_LINE = {'\n'};
  private static final byte[] PAIR = {'\r', '\n'};

  private volatile byte @Nullable [] first; // of the first input that has a line end
  private byte @Nullable [] present; // of the current input, null before its first line end

  /** Another input begins. */
  void startInput() {
    present = null;
  }

  /**
   * Learns from a block, if it is the first of its input that has a line end, and tells the block.
   *
   * @param end one past the first line end of the block, or less than 1 if it has none
   */
  void learn(Block block, int end) {
    if (present == null && end > 0) {
      present = end > 1 && block.bytes()[end - 2] == '\r' ? PAIR : NEW_LINE;
      first = first == null ? present : first;
    }
    block.recordEnd(present == null ? NEW_LINE : present);
  }

  /** That of the first input; known when its first block is. */
  byte[] ofFirst() {
    byte[] known = first;
    return known == null ? NEW_LINE.clone() : known.clone();
  }
}
