package io.bloomery.cli.dedup;

import io.bloomery.hash.Hasher;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import io.bloomery.window.RecentFilter;
import io.bloomery.window.RecentShape;
import java.time.Duration;
import java.time.Instant;

/**
 * Remembers the keys of a sliding window in a filter of two, four or eight layers, of which the
 * oldest is dropped when the newest is full. So a key is remembered for at least a window and at
 * most a layer longer.
 */
final class RecentSeen implements Seen {

  private final RecentFilter filter;
  private final RecentShape shape;
  private final LineClock clock;
  private long start = Long.MIN_VALUE; // the time of the first key
  private long now;
  private long fresh;

  /** The smallest shape that remembers at least this number of lines and at most twice as many. */
  static RecentShape shape(long lines, double rate) {
    return precise(RecentShape.forKeys(lines, rate), RecentShape.forKeys(lines, rate, 2));
  }

  /**
   * The smallest shape that remembers {@code keys} lines for at least a time and at most twice as
   * long.
   */
  static RecentShape shape(Duration window, long keys, double rate) {
    return precise(
        RecentShape.forKeys(keys, rate).withWindow(window),
        RecentShape.forKeys(keys, rate, 2).withWindow(window));
  }

  /**
   * The shape of two layers if the smallest one would remember more than twice the window, as four
   * layers of one tick each do for a window of one tick.
   */
  private static RecentShape precise(RecentShape smallest, RecentShape two) {
    return most(smallest) <= 2 * smallest.window() ? smallest : two;
  }

  /** Remembers keys for the window of a shape; the clock is used if the window is a time. */
  RecentSeen(RecentShape shape, Hasher hasher, LineClock clock) {
    this.shape = shape;
    this.clock = clock;
    this.filter =
        shape.timed()
            ? RecentFilter.create(shape, hasher, () -> Instant.ofEpochMilli(now))
            : RecentFilter.create(shape, hasher);
  }

  /** Marks nothing: the filter may forget a key before the keys of the block are added. */
  @Override
  public void prepare(Block block) {}

  @Override
  public boolean add(Block block, int key) {
    if (shape.timed()) {
      long time = clock.at(block, key);
      start = start == Long.MIN_VALUE ? time : start;
      now = time - start; // filters accept no time before 1970
    }
    boolean isNew = filter.addHash(block.hashes()[key]);
    fresh += isNew ? 1 : 0;
    return isNew;
  }

  /**
   * The longest that a key is remembered, in adds or milliseconds. A layer lasts for its share of
   * the window less one tick, rounded up: an add looks at the tick before its own, and a window of
   * time ends before its last tick.
   */
  static long most(RecentShape shape) {
    long others = shape.layers() - 1L;
    return shape.layers() * Math.max(1, (shape.window() - 1 + others - 1) / others);
  }

  @Override
  public void rows(Report report, double promised) {
    clock.rows(report);
    String least = amount(shape.window());
    String most = amount(most(shape));
    String loss = DedupReport.loss(fresh * filter.falsePositiveRate());
    report
        .row(
            "window",
            "drops lines repeated within %s, may drop lines repeated within %s"
                .formatted(least, most))
        .row("rate", "at most " + Text.rate(promised) + " of other lines are mistaken for repeated")
        .row("expected loss", loss + " in all, besides lines repeated within " + most);
  }

  private String amount(long ticks) {
    return shape.timed() ? time(ticks) : Text.count(ticks, "line");
  }

  /**
   * A duration in the format of the option, in the largest unit that divides it; from 10 s on
   * rounded up to seconds.
   */
  static String time(long exact) {
    long millis = exact < 10_000 ? exact : (exact + 999) / 1_000 * 1_000;
    String[] units = {"d", "h", "m", "s"};
    long[] lengths = {86_400_000, 3_600_000, 60_000, 1_000};
    for (int i = 0; i < units.length; i++) {
      if (millis % lengths[i] == 0) {
        return millis / lengths[i] + units[i];
      }
    }
    return millis + "ms";
  }

  @Override
  public void values(Report report) {
    clock.values(report);
    report
        .value("expectedLoss", fresh * filter.falsePositiveRate())
        .value("window", shape.window())
        .value("windowAtMost", most(shape));
  }

  @Override
  public long memoryBytes() {
    return filter.sizeInBits() / Byte.SIZE;
  }
}
