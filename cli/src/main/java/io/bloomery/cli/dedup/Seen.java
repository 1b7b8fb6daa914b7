package io.bloomery.cli.dedup;

import io.bloomery.tools.input.Block;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.spill.FirstRecords;
import org.jspecify.annotations.Nullable;

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

  /** Where records wait for the end of the input; null if every answer is immediate. */
  default @Nullable FirstRecords waiting() {
    return null;
  }

  /** Adds to the text summary what is certain and what may be lost. */
  void rows(Report report, double promisedRate);

  /** Adds the same to the JSON; fields that it does not add are null there. */
  void values(Report report);

  /** The memory used, in bytes. */
  long memoryBytes();

  @Override
  default void close() {}
}
