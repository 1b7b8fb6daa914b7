package io.bloomery.cli.dedup;

import io.bloomery.tools.input.Block;
import io.bloomery.tools.report.Report;

/** Tells the time of each line. */
interface LineClock {

  /**
   * The time of a key of a block, in milliseconds or lines; never before the time of an earlier
   * key.
   */
  long at(Block block, int key);

  /** Adds to the text summary how lines were timed. */
  default void rows(Report report) {}

  /** Adds the same to the JSON. */
  default void values(Report report) {}

  /** Counts lines. */
  static LineClock ofLines() {
    long[] count = {0};
    return (block, key) -> ++count[0];
  }

  /** The system's clock; if it goes back, it is treated as stopped. */
  static LineClock ofSystem() {
    long[] latest = {0};
    return (block, key) -> latest[0] = Math.max(latest[0], System.currentTimeMillis());
  }
}
