package io.bloomery.cli.distinct;

import io.bloomery.hash.Hasher;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.KeySink;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import io.bloomery.tools.spill.CountedKeys;
import io.bloomery.tools.spill.KeyTable;
import io.bloomery.tools.spill.RunHash;

/** The groups that came, with numbers from 0; or, where nothing is grouped, group 0. */
final class Groups {

  private final KeyTable table = new KeyTable();
  private final Hasher hasher = RunHash.hasher();
  private final boolean grouped;
  private final long limit;

  /** All keys are of one group unless {@code grouped}; takes at most {@code limit} bytes. */
  Groups(boolean grouped, long limit) {
    this.grouped = grouped;
    this.limit = limit;
    if (!grouped) {
      add(new byte[0], 0, 0);
    }
  }

  /** How many there are. */
  int size() {
    return table.size();
  }

  /** The number of a record's group. */
  int of(Block block, int record) {
    if (!grouped) {
      return 0;
    }
    int start = block.groupStarts()[record];
    return add(block.bytes(), start, block.groupEnds()[record] - start);
  }

  /** The number of a group. */
  int add(byte[] bytes, int offset, int length) {
    return table.add(bytes, offset, length, hasher.hash(bytes, offset, length));
  }

  /** Fails if the groups and the {@code kept} bytes of their sketches exceed the limit. */
  void check(long kept) {
    if (table.bytesToAdd() + kept > limit) {
      throw new Problem(
          "%s take more than %s, which is what --memory-limit leaves for them: raise it, give a larger --error, or divide the rows first, by 'bloom partition --column' with the column of the groups"
              .formatted(Text.count(size(), "group"), Text.size(limit)));
    }
  }

  /** The numbers of all groups in an order, for which each has its {@link #rank}. */
  int[] ordered(CountedKeys.Order order) {
    return table.ordered(order);
  }

  /** Sets what the order of counts goes by. */
  void rank(int group, long count) {
    table.value(group, count);
  }

  /** Passes the name of a group to the sink. */
  void name(int group, KeySink sink) {
    table.key(group, sink);
  }
}
