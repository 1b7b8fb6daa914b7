package io.bloomery.tools.input;

/** Takes the keys of the input, many at a time. */
public interface BlockSink {

  /**
   * Works on a block. Many threads do so at once, in any order, before the block is taken; what is
   * slow and does not depend on the order belongs here.
   */
  default void prepare(Block block) {}

  /**
   * Takes a block. Blocks come in the input's order, one at a time, though not always from the same
   * thread; each sees what the ones before did.
   *
   * @return false if no further block is wanted
   */
  boolean take(Block block);
}
