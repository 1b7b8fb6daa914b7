package io.bloomery.cli.distinct;

import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.BlockSink;
import java.util.Arrays;

/** Counts different keys, of each group. */
abstract class Tally implements BlockSink, AutoCloseable {

  /**
   * How many different keys there are.
   *
   * @param estimate the most likely number
   * @param lower the fewest that are likely
   * @param upper the most that are likely
   */
  record Result(double estimate, double lower, double upper) {
    /** The nearest whole number. */
    long distinct() {
      return Math.round(estimate);
    }
  }

  private final Groups groups;
  private long[] came = new long[1]; // keys of each group
  private long keys;
  private long skipped;

  Tally(Groups groups) {
    this.groups = groups;
  }

  @Override
  public final boolean take(Block block) {
    for (int i = 0; i < block.count(); i++) {
      int group = groups.of(block, i);
      add(group, block, i);
      came(group, 1);
    }
    keys += block.count();
    skipped += block.skipped();
    return true;
  }

  /** Counts {@code more} keys of a group. */
  final void came(int group, long more) {
    if (group >= came.length) {
      came = Arrays.copyOf(came, Math.max(group + 1, 2 * came.length));
    }
    came[group] += more;
  }

  /** How many keys of a group came, different or not. */
  final long came(int group) {
    return group < came.length ? came[group] : 0;
  }

  /** Adds a key of a block to a group. */
  abstract void add(int group, Block block, int key);

  /** Called once, after the last key and before results. */
  void finish() {}

  /** What there is of a group. */
  abstract Result result(int group);

  /** The groups. */
  final Groups groups() {
    return groups;
  }

  /** How many keys came. */
  final long keys() {
    return keys;
  }

  /** How many empty keys were skipped. */
  final long skipped() {
    return skipped;
  }

  @Override
  public void close() {}
}
