package io.bloomery.cli.dedup;

import io.bloomery.tools.input.Block;

/** Tells new keys from repeated ones. */
interface Seen extends AutoCloseable {

  /** Looks up a block ahead of time, while earlier blocks are still being added. */
  void prepare(Block block);

  /**
   * Adds a key of a prepared block. Keys are added in input order.
   *
   * @return true if the key was not seen before
   */
  boolean add(Block block, int key);

  /** The expected number of new keys that were taken for repeated. */
  double expectedLoss();

  /** The memory used, in bytes. */
  long memoryBytes();

  @Override
  default void close() {}
}
