package io.bloomery.bench;

import static io.bloomery.bench.Race.Size.ANY;
import static io.bloomery.bench.Race.Size.CACHE;
import static io.bloomery.bench.Race.Size.HUGE;
import static io.bloomery.bench.Race.Size.MANY;

import io.bloomery.bench.Lane.Pass;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The library's own targets ("bars"), judged from results. Speed is judged by races, in cache
 * unless stated otherwise; workloads that no race measures (threads, reconciliation, oblivious
 * queries) by forks. Bars without figures are skipped.
 */
final class Bars {

  /** The name that denotes the fastest peer of a workload. */
  static final String FASTEST_PEER = "fastest peer";

  private static final List<Pass> SINGLE = List.of(Pass.HIT, Pass.MISS);

  /**
   * One bar.
   *
   * @param workload the workload
   * @param size the numbers of keys for which it is judged
   * @param row the row that is judged
   * @param figure its figure
   * @param unit what the figure is divided by if there is no other row
   * @param other the row that it is compared with; empty for none
   * @param otherFigure the figure of that row
   * @param atLeast whether the row must be at least this many times as fast; otherwise its figure
   *     must be at most this many times the other
   * @param bar the bar
   */
  record Bar(
      Workload workload,
      Race.Size size,
      String row,
      String figure,
      double unit,
      String other,
      String otherFigure,
      boolean atLeast,
      double bar) {

    /** The value that is compared with the bar, if there are figures. */
    Optional<Double> value(Results.Part part) {
      if (other.isEmpty()) {
        return part.find(row, figure).map(found -> found.median() / unit);
      }
      String peer = other;
      if (other.equals(FASTEST_PEER)) {
        peer = part.fastestPeer(otherFigure).orElse("");
      }
      Optional<Results.Summary> ratio =
          atLeast
              ? part.ratio(peer, otherFigure, row, figure)
              : part.ratio(row, figure, peer, otherFigure);
      return ratio.map(Results.Summary::median);
    }

    private String label(int keys) {
      String what = figure + unitName();
      if (!other.isEmpty()) {
        what += (atLeast ? " × " : " ÷ ") + (other.equals(row) ? "its own" : other);
        what += figure.equals(otherFigure) ? "" : " " + otherFigure;
      }
      return String.format(Locale.ROOT, "%s %,d %s: %s", workload.id(), keys, row, what);
    }

    private String unitName() {
      return unit == 1e6 ? ", ms" : unit == 1e3 ? ", µs" : unit == 0.01 ? " %" : "";
    }

    private String judge(int keys, double value, double limit) {
      return String.format(
          Locale.ROOT,
          "%-6s  %-72s %7.3f  (%s %.3f)",
          (atLeast ? value >= limit : value <= limit) ? "met" : "MISSED",
          label(keys),
          value,
          atLeast ? "≥" : "≤",
          limit);
    }
  }

  /** All bars, in the order in which they are printed. */
  static final List<Bar> ALL = all();

  private final List<Bar> bars = new ArrayList<>();

  private Bars() {}

  private static List<Bar> all() {
    Bars bars = new Bars();
    bars.bloom();
    bars.blocked();
    bars.objects();
    bars.deletable();
    bars.growing();
    bars.counts();
    bars.frozen();
    bars.forks();
    return Collections.unmodifiableList(bars.bars);
  }

  /** One line per bar that has figures. */
  static List<String> judge(Results results) {
    List<String> lines = new ArrayList<>();
    for (Bar bar : ALL) {
      for (Results.Part part : results.parts(bar.workload)) {
        if (bar.size.holds(part.keys())) {
          bar.value(part)
              .ifPresent(
                  value -> {
                    lines.add(bar.judge(part.keys(), value, limit(bar, part)));
                  });
        }
      }
    }
    return lines;
  }

  /** A rate may exceed its bar by three standard deviations of its count. */
  private static double limit(Bar bar, Results.Part part) {
    if (!bar.figure.equals("rate")) {
      return bar.bar;
    }
    int counts = part.find(bar.row, "rate").map(Results.Summary::count).orElse(1);
    double asked = (double) counts * Math.min(part.keys(), 1 << 20);
    return bar.bar + 3 * Math.sqrt(bar.bar / 100 / asked) * 100;
  }

  private void bloom() {
    Workload keys = Workload.LONG;
    size(keys, ANY, Rows.BLOOM, 9.6);
    faster(keys, CACHE, Rows.BLOOM, Pass.ADD_ONE, Rows.FAST_BLOOM, Pass.ADD, 1.0);
    faster(keys, CACHE, Rows.BLOOM, Pass.HIT, Rows.FAST_BLOOM, Pass.HIT, 1.0);
    faster(keys, CACHE, Rows.BLOOM, Pass.MISS, Rows.FAST_BLOOM, Pass.MISS, 1.8);
    faster(keys, CACHE, Rows.BLOOM, Pass.BATCH_HIT, Rows.BLOOM, Pass.HIT, 1.0);
    faster(keys, CACHE, Rows.BLOOM, Pass.BATCH_MISS, Rows.BLOOM, Pass.MISS, 1.5);
    faster(keys, MANY, Rows.BLOOM, Pass.HIT, Rows.FAST_BLOOM, Pass.HIT, 0.95);
    faster(keys, MANY, Rows.BLOOM, Pass.MISS, Rows.FAST_BLOOM, Pass.MISS, 0.95);
    faster(keys, MANY, Rows.BLOOM, Pass.BATCH_HIT, Rows.FAST_BLOOM, Pass.HIT, 1.3);
    faster(keys, MANY, Rows.BLOOM, Pass.ADD_LARGE_ONE, Rows.FAST_BLOOM, Pass.ADD, 1.2);
    faster(keys, CACHE, Rows.BLOOM, SINGLE, Rows.GUAVA, 3.5);
    slower(keys, CACHE, Rows.BLOOM_KEYED, SINGLE, Rows.BLOOM, 2);
    slower(Workload.POPULAR, CACHE, "Weighted", SINGLE, Rows.BLOOM, 1.5);
    slower(Workload.POPULAR, CACHE, "Popularity", SINGLE, Rows.BLOOM, 1.5);
  }

  private void blocked() {
    Workload keys = Workload.LONG;
    blocked(Rows.BLOCKED_64, 12.6, 1.4);
    blocked(Rows.BLOCKED_128, 11.0, 1.1);
    blocked(Rows.BLOCKED_512, 10.2, 1.0);
    faster(keys, CACHE, Rows.BLOCKED_64, SINGLE, Rows.GUAVA, 12);
    faster(keys, CACHE, Rows.BLOCKED_512, Pass.BATCH_HIT, Rows.BLOCKED_512, Pass.HIT, 1.3);
    faster(keys, CACHE, Rows.BLOCKED_512, Pass.BATCH_MISS, Rows.BLOCKED_512, Pass.MISS, 1.3);
    faster(keys, MANY, Rows.BLOCKED_64, Pass.BATCH_MISS, Rows.FAST_BLOCKED, Pass.MISS, 2.0);
    faster(keys, HUGE, Rows.BLOCKED_64, Pass.BATCH_MISS, Rows.FAST_BLOCKED, Pass.MISS, 2.5);
    slower(keys, MANY, Rows.BLOCKED_64, List.of(Pass.BATCH_MISS), Rows.RAW_READ, 1.5);
    slower(keys, HUGE, Rows.BLOCKED_64, List.of(Pass.BATCH_MISS), Rows.RAW_READ, 1.5);
    slower(keys, CACHE, Rows.BLOCKED_KEYED, SINGLE, Rows.BLOCKED, 2);
    size(Workload.RARE, ANY, Rows.BLOCKED, 16.5);
    faster(Workload.RARE, CACHE, Rows.BLOCKED, SINGLE, Rows.FAST_BLOCKED, 1.0);
  }

  private void blocked(String row, double bits, double timesFastfilter) {
    Workload keys = Workload.LONG;
    size(keys, ANY, row, bits);
    faster(keys, CACHE, row, SINGLE, Rows.FAST_BLOCKED, timesFastfilter);
    faster(keys, CACHE, row, Pass.ADD_ONE, Rows.FAST_BLOCKED, Pass.ADD, 1.0);
    faster(keys, CACHE, row, List.of(Pass.ADD), Rows.GUAVA, 15);
    faster(keys, MANY, row, Pass.ADD_LARGE_ONE, Rows.FAST_BLOCKED, Pass.ADD, 1.8);
    faster(keys, HUGE, row, Pass.ADD_LARGE_ONE, Rows.FAST_BLOCKED, Pass.ADD, 2.3);
  }

  private void objects() {
    faster(Workload.STRING, CACHE, Rows.BLOCKED, SINGLE, Rows.GUAVA, 4);
    faster(Workload.STRING, CACHE, Rows.BLOCKED, SINGLE, FASTEST_PEER, 1.5);
    slower(Workload.STRING, CACHE, Rows.BLOCKED_KEYED, SINGLE, Rows.BLOCKED, 2);
    faster(Workload.BYTES, CACHE, Rows.BLOCKED, SINGLE, Rows.GUAVA, 7);
  }

  private void deletable() {
    size(Workload.DELETE, ANY, Rows.CUCKOO_12, 13);
    faster(Workload.DELETE, MANY, Rows.CUCKOO_12, SINGLE, Rows.FAST_CUCKOO, 1.05);
    faster(Workload.DELETE, CACHE, Rows.CUCKOO_12, SINGLE, Rows.CUCKOO_4J, 3);
    faster(Workload.DELETE, CACHE, Rows.CUCKOO_12, List.of(Pass.ADD), Rows.FAST_CUCKOO, 1.2);
    slower(Workload.DELETE, CACHE, "Quotient", SINGLE, Rows.CUCKOO_12, 1.5);
    List<Pass> adds = List.of(Pass.ADD, Pass.ADD_BULK);
    faster(Workload.INSERTS, CACHE, "Prefix", adds, Rows.CUCKOO_11, 1.2);
    faster(Workload.COUNTING, CACHE, Rows.COUNTING_4, SINGLE, Rows.FAST_COUNTING, 1.0);
    faster(Workload.COUNTING, CACHE, "OneWordCounting", SINGLE, Rows.FAST_COUNTING, 3);
    faster(Workload.COUNTING, CACHE, Rows.BLOCKED_COUNTING, SINGLE, Rows.FAST_COUNTING, 3);
  }

  private void growing() {
    Workload growth = Workload.GROWTH;
    atMost(growth, MANY, "Scalable", "bits", 1, 21);
    slower(growth, ANY, "Scalable", List.of(Pass.HIT), Rows.BLOCKED, 2.5);
    slower(growth, ANY, "Scalable", List.of(Pass.MISS), Rows.BLOCKED, 3.5);
    slower(Workload.RECENT, CACHE, "Recent", List.of(Pass.ADD), Rows.BLOCKED, 2.5);
    slower(Workload.RECENT, CACHE, "Recent by time", List.of(Pass.ADD), Rows.BLOCKED, 2.5);
  }

  private void counts() {
    for (Pass pass : List.of(Pass.ADD_ONE, Pass.ADD_BULK_ONE)) {
      faster(Workload.COUNTS, CACHE, Rows.COUNT_MIN, pass, Rows.STREAM_LIB, Pass.ADD, 2);
      faster(Workload.COUNTS, CACHE, "CountMin 32", pass, Rows.STREAM_LIB, Pass.ADD, 2);
    }
  }

  private void frozen() {
    Workload set = Workload.STATIC;
    List<Pass> build = List.of(Pass.BUILD);
    // Segments of small filters are not full, so sizes are judged where they are stated.
    size(set, MANY, StaticLongs.FUSE_8, 9.05);
    size(set, MANY, "Fuse 4-wise", 8.65);
    faster(set, CACHE, StaticLongs.FUSE_8, SINGLE, FASTEST_PEER, 1.0);
    faster(set, CACHE, StaticLongs.FUSE_16, SINGLE, StaticLongs.FAST_XOR16, 1);
    faster(set, CACHE, StaticLongs.FUSE_8, build, StaticLongs.FAST_XOR8, 2);
    faster(set, CACHE, StaticLongs.FUSE_16, build, StaticLongs.FAST_XOR16, 2);
    slower(set, MANY, StaticLongs.FUSE_8, List.of(Pass.BATCH_MISS), Rows.RAW_READ, 2.2);
    size(set, MANY, "Ribbon 8", 1.03 * 8);
    slower(set, CACHE, "Ribbon 8", SINGLE, StaticLongs.FUSE_8, 4);
    slower(set, CACHE, "Ribbon 8", build, StaticLongs.FUSE_8, 3);
    size(set, MANY, "Golomb 8", 8 + 1.6);
    size(set, MANY, "PerfectHash 8", 8 + 2.8);
  }

  /** Two threads; a difference of 1,000 keys; two milliseconds on either side. */
  private void forks() {
    for (String what : List.of("queries", "adds")) {
      double bar = what.equals("adds") ? 1.5 : 1.7;
      String row = Rows.BLOCKED_64;
      bars.add(new Bar(Workload.THREADS, ANY, row, what + "2", 1, row, what + "1", true, bar));
    }
    atMost(Workload.SYNC, ANY, "Invertible", "positive", 1e6, 5);
    atMost(Workload.SYNC, ANY, "Rateless", "build", 1e3, 1);
    for (String side : List.of(ObliviousMeasurement.CLIENT, ObliviousMeasurement.SERVER)) {
      atMost(Workload.OBLIVIOUS, ANY, side, "positive", 1e6, 2);
      atMost(Workload.OBLIVIOUS, ANY, side, "negative", 1e6, 2);
    }
  }

  /** Bits per key, and the workload's rate. */
  private void size(Workload workload, Race.Size size, String row, double bits) {
    atMost(workload, size, row, "bits", 1, bits);
    atMost(workload, size, row, "rate", 0.01, workload.rate() * 100);
  }

  private void atMost(
      Workload workload, Race.Size size, String row, String figure, double unit, double bar) {
    bars.add(new Bar(workload, size, row, figure, unit, "", "", false, bar));
  }

  private void faster(
      Workload workload, Race.Size size, String row, Pass pass, String peer, Pass its, double bar) {
    bars.add(new Bar(workload, size, row, pass.figure(), 1, peer, its.figure(), true, bar));
  }

  private void faster(
      Workload workload, Race.Size size, String row, List<Pass> passes, String peer, double bar) {
    passes.forEach(pass -> faster(workload, size, row, pass, peer, pass, bar));
  }

  private void slower(
      Workload workload, Race.Size size, String row, List<Pass> passes, String other, double bar) {
    for (Pass pass : passes) {
      String figure = pass.figure();
      bars.add(new Bar(workload, size, row, figure, 1, other, figure, false, bar));
    }
  }
}
