package io.bloomery.cli.dedup;

import io.bloomery.Writers;
import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.growing.ScalableShape;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;

/**
 * Remembers keys in a filter. A repeated key is never taken for new; a new key is taken for
 * repeated at the filter's false-positive rate.
 */
final class FilterSeen implements Seen {

  private static final int STEPS = 32;

  private final ScalableBloomFilter filter;
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
  }

  /**
   * Marks the keys that are already in the filter, which also prefetches the cache lines of the
   * inserts that follow.
   */
  @Override
  public void prepare(Block block) {
    filter.mightContainHashes(block.hashes(), 0, block.count(), block.marks());
  }

  @Override
  public boolean add(Block block, int key) {
    if (block.isMarked(key) || !filter.addHash(block.hashes()[key])) {
      return false;
    }
    fresh++;
    return true;
  }

  @Override
  public void rows(Report report, double promised) {
    report
        .row("rate", Text.rate(promised) + " of the new lines at most taken for repeated")
        .row("expected loss", DedupReport.loss(expectedLoss()) + " in all");
  }

  @Override
  public void values(Report report) {
    report.value("expectedLoss", expectedLoss());
  }

  /** Each new key meets the filter at its fill at that time. */
  private double expectedLoss() {
    ScalableShape shape = filter.shape();
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
