package io.bloomery.cli.dedup;

import io.bloomery.AddableFilter;
import io.bloomery.Writers;
import io.bloomery.cli.input.Block;
import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.growing.ScalableShape;
import io.bloomery.hash.Hasher;
import java.util.Arrays;

/**
 * Remembers keys in a filter: a repeated key is never taken for new, a new one for repeated at the
 * filter's rate.
 */
final class FilterSeen implements Seen {

  private static final int STEPS = 32;

  private final AddableFilter filter;
  private final ScalableBloomFilter growing; // the filter, or null if it forgets
  private long fresh;

  /** A filter that keeps its rate however many keys come, best with no more than expected. */
  static ScalableBloomFilter growing(long expectedKeys, double rate, Hasher hasher) {
    ScalableShape shape =
        ScalableShape.forKeys(expectedKeys, rate, ScalableShape.LayerKind.BLOCKED);
    // One thread adds; what the others mark too late is found when it adds.
    return ScalableBloomFilter.create(shape, hasher, Writers.ONE);
  }

  /** Remembers for ever. */
  FilterSeen(ScalableBloomFilter filter) {
    this.filter = filter;
    this.growing = filter;
  }

  /** Remembers for as long as the filter does. */
  FilterSeen(AddableFilter filter) {
    this.filter = filter;
    this.growing = null;
  }

  /**
   * Marks what the filter has already, and by that fetches its cache lines for those who are added
   * next. Nothing is known ahead of a filter that may have forgotten the key by then.
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

  /** A filter that grows is asked by each new key at the fill of that time; others stay as full. */
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
