package io.bloomery.cli.distinct;

import io.bloomery.hash.Hasher;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.Bytes;
import io.bloomery.tools.spill.CountedKeys;

/** Counts all different keys, of which those that do not fit in memory go to a temporary file. */
final class ExactTally extends Tally {

  private final Hasher hasher;
  private final CountedKeys keys;
  private final Bytes entry = new Bytes(); // the number of a group and a key
  private long[] counts = {};

  /** Takes about {@code memory} bytes besides the groups; {@code hasher} is of this run. */
  ExactTally(Groups groups, long memory, Hasher hasher) {
    super(groups);
    this.hasher = hasher;
    this.keys = new CountedKeys(memory, hasher);
  }

  @Override
  void add(int group, Block block, int key) {
    groups().check(0);
    entry.clear();
    entry.addInt(group);
    int start = block.keyStarts()[key];
    entry.key(block.bytes(), start, block.keyEnds()[key] - start);
    long hash = hasher.hash(entry.array(), 0, entry.length());
    keys.add(entry.array(), 0, entry.length(), hash, 1);
  }

  @Override
  void finish() {
    long[] found = new long[groups().size()];
    keys.forEach(
        CountedKeys.Order.KEY,
        (bytes, offset, length, count) -> found[Bytes.readInt(bytes, offset)]++);
    counts = found;
  }

  /** How many bytes went to temporary files. */
  long spilledBytes() {
    return keys.spilledBytes();
  }

  @Override
  Result result(int group) {
    return new Result(counts[group], counts[group], counts[group]);
  }

  @Override
  public void close() {
    keys.close();
  }
}
