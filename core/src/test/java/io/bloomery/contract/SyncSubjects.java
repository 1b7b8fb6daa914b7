package io.bloomery.contract;

import io.bloomery.FilterFormatException;
import io.bloomery.sync.AggregateMessage;
import io.bloomery.sync.AggregateShape;
import io.bloomery.sync.DecentralizedAggregate;
import io.bloomery.sync.ReconciliationShape;
import io.bloomery.sync.ReconciliationTree;
import io.bloomery.sync.TreeSummary;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;

/** The kinds of {@code io.bloomery.sync} that the contracts run over. */
final class SyncSubjects {

  private static final AggregateShape SHAPE = AggregateShape.forNodes(10_000, .01, 3, 0, 1);

  private SyncSubjects() {}

  static List<Subject> all() {
    return List.of(
        tree(new ReconciliationShape(96_000, 7, 50_000, 3)),
        new Subject(
            "aggregate",
            DecentralizedAggregate.KIND,
            (hasher, hashes) -> {
              DecentralizedAggregate node = DecentralizedAggregate.create("node", 0, SHAPE, hasher);
              for (long hash : hashes) {
                node.receive(offer(hash, node.id()));
              }
              return node;
            },
            Map.of(),
            false));
  }

  private static Subject tree(ReconciliationShape shape) {
    return new Subject(
        "reconciliation-tree",
        TreeSummary.KIND,
        (hasher, hashes) -> ReconciliationTree.ofHashes(hashes, hasher).summary(shape),
        Map.of(),
        false);
  }

  /** The first offer of a node with a hash. */
  private static AggregateMessage offer(long from, long to) {
    int state = Math.floorMod(from, 3);
    ByteBuffer bytes = ByteBuffer.allocate(AggregateMessage.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put((byte) 1).put((byte) 0).put((byte) 0).put((byte) state).putLong(from).putLong(to);
    try {
      return AggregateMessage.read(bytes.array());
    } catch (FilterFormatException e) {
      throw new AssertionError(e);
    }
  }
}
