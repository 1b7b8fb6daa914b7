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
 * Remembers keys in a filter. A repeated key is never taken for new; a new key is taken for
 * repeated at the filter's false-positive rate.
 */
final class FilterSeen implements Seen {

  private static final int STEPS = 32;

  private final ScalableBloomFilter filter;
  private final long before; // keys of earlier runs
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
    this.before = filter.keyCount();
  }

  /** Goes on with what was stored. */
  static FilterSeen of(FilterFile file, KeyFileOption key) {
    return new FilterSeen(file.open(key, ScalableBloomFilter.class));
  }

  /** Stores all keys. */
  void write(Description description, Path target) throws IOException {
    Filters.write(filter, description, target);
  }

  /** Hashes the keys. */
  Hasher hasher() {
    return filter.hasher();
  }

  /** The rate that holds however many keys are added. */
  double rate() {
    return filter.shape().rate();
  }

  /** How many keys there were at first. */
  long before() {
    return before;
  }

  /** How many were new since. */
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
