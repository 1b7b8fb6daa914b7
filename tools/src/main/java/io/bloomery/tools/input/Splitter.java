package io.bloomery.tools.input;

import java.io.IOException;

/** Knows where records end and where in them the keys are. */
public interface Splitter {

  /** A new file or stream begins. Called in the input's order, by one thread at a time. */
  default void startInput() {}

  /**
   * Finds the last end of a record in a block that is being filled. Called in the input's order, by
   * one thread at a time.
   *
   * @param block bytes that begin with a record
   * @param from no record ends before this place
   * @return one past the last byte of the last whole record, its end included; 0 if there is none
   */
  int lastEnd(Block block, int from);

  /**
   * Looks at a block that is about to be split. Called in the input's order, by one thread at a
   * time.
   *
   * @throws IOException if the block does not begin as it must
   */
  default void begin(Block block) throws IOException {
    block.recordEnd(recordEnd());
  }

  /**
   * Adds the keys of all records of a block. Called by many threads, in any order. The last record
   * of a file may lack its end.
   */
  void split(Block block);

  /**
   * Converts the records of a split block to their printed form, if it differs from the input.
   * Called by several threads, in any order.
   */
  default void arrange(Block block) {}

  /**
   * One past the end of a row that has no end within the longest record, if it can be treated as a
   * bad row; 0 if not. Called in the input's order, by one thread at a time.
   */
  default int badEnd(Block block) {
    return 0;
  }

  /**
   * Whether the keys of a block are rows of several values, which are already in the block's form.
   */
  default boolean areRows(Block block) {
    return false;
  }

  /** Whether a key is only a part of its record, which is printed whole. */
  default boolean isRow() {
    return false;
  }

  /** The end of a record, to print after a key; of the first input if inputs differ. */
  byte[] recordEnd();

  /** Whether keys are human-readable; others are shown as hexadecimal digits. */
  default boolean isText() {
    return true;
  }
}
