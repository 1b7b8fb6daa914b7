package io.bloomery.cli.dedup;

import io.bloomery.Filters;
import io.bloomery.FrameHeader.Description;
import io.bloomery.Writers;
import io.bloomery.cli.file.FilterFile;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.growing.ScalableShape;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Remembers keys in a filter. A repeated key is never reported as new; a new key is reported as
 * repeated at the filter's false-positive rate.
 */
final class FilterSeen implements Seen {

  private static final int STEPS = 32;

  private final ScalableBloomFilter filter;
  private final long before; // keys of earlier runs
  private long fresh;

  /**
   * A filter that keeps its rate however many keys are added, and is smallest at the expected
   * number.
   */
  static ScalableBloomFilter growing(long expectedKeys, double rate, Hasher hasher) {
    ScalableShape shape =
        ScalableShape.forKeys(expectedKeys, rate, ScalableShape.LayerKind.BLOCKED);
    // Only one thread adds; a key added after its block was marked is detected by the insert.
    return ScalableBloomFilter.create(shape, hasher, Writers.ONE);
  }

  /** Remembers keys forever. */
  FilterSeen(ScalableBloomFilter filter) {
    this.filter = filter;
    this.before = filter.keyCount();
  }

  /** Continues with a stored filter. */
  static FilterSeen of(FilterFile file, KeyFileOption key) {
    return new FilterSeen(file.open(key, ScalableBloomFilter.class));
  }

  /** Writes the filter to a file. */
  void write(Description description, Path target) throws IOException {
    Filters.write(filter, description, target);
  }

  Hasher hasher() {
    return filter.hasher();
  }

  /** The rate that holds however many keys are added. */
  double rate() {
    return filter.shape().rate();
  }

  /** The number of keys of earlier runs. */
  long before() {
    return before;
  }

  /** The number of keys that were new in this run. */
  long fresh() {
    return fresh;
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
        .row("rate", "at most " + Text.rate(promised) + " of new lines are mistaken for repeated")
        .row("expected loss", DedupReport.loss(expectedLoss()) + " in all");
  }

  @Override
  public void values(Report report) {
    report.value("expectedLoss", expectedLoss());
  }

  /** Sums the false-positive rates that the new keys met while the filter filled up. */
  private double expectedLoss() {
    ScalableShape shape = filter.shape();
    double loss = 0;
    for (int i = 0; i < STEPS; i++) {
      long keys = before + (long) ((i + 0.5) / STEPS * fresh);
      loss += shape.falsePositiveRate(keys) * fresh / STEPS;
    }
    return loss;
  }

  @Override
  public long memoryBytes() {
    return filter.sizeInBits() / Byte.SIZE;
  }
}
