package io.bloomery;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.hash.Hasher;
import io.bloomery.sync.AggregateMessage;
import io.bloomery.sync.AggregateShape;
import io.bloomery.sync.DecentralizedAggregate;
import io.bloomery.sync.InvertibleShape;
import io.bloomery.sync.InvertibleTable;
import io.bloomery.sync.ReconciliationShape;
import io.bloomery.sync.ReconciliationTree;
import io.bloomery.sync.TreeSummary;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** A small filter of every kind of {@code io.bloomery.sync}. */
final class SyncSamples {

  private SyncSamples() {}

  static Map<String, Function<Hasher, Filter>> all() {
    Map<String, Function<Hasher, Filter>> makers = new TreeMap<>();
    makers.put("aggregate", SyncSamples::aggregate);
    makers.put("invertible", SyncSamples::invertible);
    makers.put("reconciliation-tree", SyncSamples::tree);
    return makers;
  }

  /** Files whose keys, fields or sections are others than those of the kind's sample. */
  static Map<String, Function<Hasher, Filter>> otherLayouts() {
    return Map.of("invertible-values", SyncSamples::invertibleWithValues);
  }

  private static InvertibleTable invertible(Hasher hasher) {
    InvertibleTable table =
        InvertibleTable.create(
            new InvertibleShape(36, 4, InvertibleShape.KeyFormat.upTo(10), 0, 32), hasher);
    for (int i = 0; i < SampleFilters.KEYS; i++) {
      table.add("key-" + i);
    }
    return table;
  }

  private static TreeSummary tree(Hasher hasher) {
    return ReconciliationTree.ofHashes(SampleFilters.hashes(hasher), hasher)
        .summary(new ReconciliationShape(100, 3, 90, 2));
  }

  /** A node that has counted one per key, told some of them its value, and seen one leave. */
  private static Filter aggregate(Hasher hasher) {
    AggregateShape shape = new AggregateShape(150, 4, 4, -1, 2);
    DecentralizedAggregate node = DecentralizedAggregate.create("node", -1, shape, hasher);
    for (int i = 0; i < SampleFilters.KEYS; i++) {
      DecentralizedAggregate other =
          DecentralizedAggregate.create("key-" + i, i % 4 - 1, shape, hasher);
      exchange(other, node);
      if (i == 10) {
        node.setValue(0);
      }
    }
    DecentralizedAggregate last = DecentralizedAggregate.create("last", 2, shape, hasher);
    exchange(last, node);
    node.receive(last.farewell(node.id()));
    return node;
  }

  private static void exchange(DecentralizedAggregate from, DecentralizedAggregate to) {
    for (AggregateMessage message : to.receive(from.offer(to.id()))) {
      from.receive(message).forEach(to::receive);
    }
  }

  /** Values of three bytes, and keys that were deleted without having been inserted. */
  private static InvertibleTable invertibleWithValues(Hasher hasher) {
    InvertibleTable table =
        InvertibleTable.create(
            new InvertibleShape(33, 3, InvertibleShape.KeyFormat.upTo(16), 3, 45), hasher);
    for (int i = 0; i < SampleFilters.KEYS; i++) {
      table.add(("key-" + i).getBytes(UTF_8), new byte[] {(byte) i, 1, (byte) (200 + i)});
    }
    for (int i = 0; i < 3; i++) {
      table.remove(("other-" + i).getBytes(UTF_8), new byte[] {2, 3, 4});
    }
    return table;
  }
}
