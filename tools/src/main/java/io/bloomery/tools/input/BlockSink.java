package io.bloomery.tools.input;

/** Receives the keys of the input, many at a time. */
public interface BlockSink {

  /**
   * Prepares a block. Several threads do so concurrently, in any order, before the block is taken;
   * slow work that does not depend on the order belongs here.
   */
  default void prepare(Block block) {}

  /**
   * Takes a block. Blocks come in the input's order, one at a time, but not always on the same
   * thread; each call sees the effects of the previous ones.
   *
   * @return false if no further block is wanted
   */
  boolean take(Block block);
}
