package io.bloomery.cli.dedup;

import io.bloomery.AddableFilter;
import io.bloomery.Writers;
import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.growing.ScalableShape;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.input.Block;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Remembers keys in a filter. A repeated key is never taken for new; a new key is taken for
 * repeated at the filter's false-positive rate.
 */
final class FilterSeen implements Seen {

  private static final int STEPS = 32;

  private final AddableFilter filter;
  private final @Nullable ScalableBloomFilter growing; // the filter, or null if it forgets keys
  private long fresh;

  /** A filter that keeps its rate however many keys are added; best with the expected number. */
  static ScalableBloomFilter growing(long expectedKeys, double rate, Hasher hasher) {
    ScalableShape shape =
        ScalableShape.forKeys(expectedKeys, rate, ScalableShape.LayerKind.BLOCKED);
    // Only one thread adds; a key added after its block was marked is detected by the insert.
    return ScalableBloomFilter.create(shape, hasher, Writers.ONE);
  }

  /** Remembers keys forever. */
  FilterSeen(ScalableBloomFilter filter) {
    this.filter = filter;
    this.growing = filter;
  }

  /** Remembers keys for as long as the filter does. */
  FilterSeen(AddableFilter filter) {
    this.filter = filter;
    this.growing = null;
  }

  /**
   * Marks the keys that are already in the filter, which also prefetches the cache lines of the
   * inserts that follow. Marks nothing for a filter that may forget a key before it is added.
   */
  @Override
  public void prepare(Block block) {
    if (growing == null) {
      Arrays.fill(block.marks(), 0);
    } else {
      filter.mightContainHashes(block.hashes(), 0, block.count(), block.marks());
    }
  }

  @Override
  public boolean add(Block block, int key) {
    if (block.isMarked(key) || !filter.addHash(block.hashes()[key])) {
      return false;
    }
    fresh++;
    return true;
  }

  /**
   * A growing filter is queried at its fill at the time of each new key; others stay equally full.
   */
  @Override
  public double expectedLoss() {
    if (growing == null) {
      return fresh * filter.falsePositiveRate();
    }
    ScalableShape shape = growing.shape();
    double loss = 0;
    for (int i = 0; i < STEPS; i++) {
      loss += shape.falsePositiveRate((long) ((i + 0.5) / STEPS * fresh)) * fresh / STEPS;
    }
    return loss;
  }

  @Override
  public long memoryBytes() {
    return filter.sizeInBits() / Byte.SIZE;
  }
}
