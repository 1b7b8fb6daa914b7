package io.bloomery.cli.plot;

import io.bloomery.AddableFilter;
import io.bloomery.HashedFilter;
import io.bloomery.chart.Series.Point;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.plan.Shape;
import io.bloomery.tools.measure.Interval;
import io.bloomery.tools.measure.MeasuredRate;
import io.bloomery.tools.measure.RandomHashes;
import io.bloomery.tools.problem.Problem;
import java.util.Optional;

/** A filter that is filled step by step and measured after each step. */
final class Filling {

  private static final long QUERIES = 1_000_000;
  private static final int BATCH = 4096;

  private final AddableFilter filter;
  private final RandomHashes members = new RandomHashes(RandomHashes.MEMBERS);
  private final long[] hashes = new long[BATCH];
  private long keys;

  /** An empty filter. */
  Filling(FilterChoice kind) {
    HashedFilter made = FilterChoice.build(kind.builder(kind.shape()));
    if (!(made instanceof AddableFilter addable)) {
      throw new Problem("kind " + kind.name() + " cannot be filled step by step");
    }
    this.filter = addable;
  }

  /** The shape of a kind that supports adding keys one by one. */
  static Shape shape(FilterChoice kind, Plot plot) {
    if (kind.isStatic()) {
      throw new Problem(
          "kind %s is built from all its keys at once: there is nothing to draw while it fills"
              .formatted(kind.name()));
    }
    if (kind.shape().falsePositiveRate(plot.keys()) == 0) {
      throw new Problem("kind " + kind.name() + " never errs: there is no rate to draw");
    }
    return kind.shape();
  }

  /** Adds keys until there are {@code wanted}. */
  void fill(long wanted) {
    while (keys < wanted) {
      int count = (int) Math.min(BATCH, wanted - keys);
      members.next(hashes, count);
      filter.addHashes(hashes, 0, count);
      keys += count;
    }
  }

  /** The memory in bits per key. */
  double bitsPerKey() {
    return (double) filter.sizeInBits() / keys;
  }

  /** The measured rate as a point at {@code x}; empty if there was no false positive. */
  Optional<Point> rate(double x) {
    long hits = new RandomHashes(RandomHashes.OTHERS).hits(filter, QUERIES);
    MeasuredRate measured = new MeasuredRate(hits, QUERIES);
    Interval interval = measured.interval();
    return hits == 0
        ? Optional.empty()
        : Optional.of(new Point(x, measured.rate(), interval.low(), interval.high()));
  }
}
