package io.bloomery.cli.dedup;

import io.bloomery.cli.input.Block;

/** Tells new keys from repeated ones. */
interface Seen extends AutoCloseable {

  /** Finds out ahead what can be known of a block while earlier ones are still being added. */
  void prepare(Block block);

  /**
   * Adds a key of a block that was prepared. Keys are added in the input's order.
   *
   * @return true: it was not seen before
   */
  boolean add(Block block, int key);

  /** How many keys were taken for repeated although they were new, on average over all hashes. */
  double expectedLoss();

  /** How many bytes of memory it takes. */
  long memoryBytes();

  @Override
  default void close() {}
}
