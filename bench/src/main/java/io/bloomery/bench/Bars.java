package io.bloomery.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The bars that the library sets itself, judged from results. Bars without figures are skipped. */
final class Bars {

  private static final List<String> SINGLE = List.of("positive", "negative");

  private final Results results;
  private final List<String> lines = new ArrayList<>();

  private Bars(Results results) {
    this.results = results;
  }

  /** One line per bar. */
  static List<String> judge(Results results) {
    Bars bars = new Bars(results);
    bars.blocked("Blocked 64", 12.6, 1.4);
    bars.atLeast(Workload.LONG, "Blocked 64", SINGLE, Rows.GUAVA, 12);
    bars.blocked("Blocked 128", 11.0, 1.1);
    bars.blocked("Blocked 512", 10.2, 1.0);
    bars.batch(Workload.LONG, "Blocked 64", 2.0);
    bars.batch(Workload.LARGE, "Blocked 64", 2.5);
    bars.size(Workload.RARE, Rows.BLOCKED, 16.5);
    bars.atLeast(Workload.RARE, Rows.BLOCKED, SINGLE, Rows.FAST_BLOCKED, 1.0);
    bars.size(Workload.LONG, Rows.BLOOM, 9.6);
    bars.atLeast(Workload.LONG, Rows.BLOOM, SINGLE, Rows.GUAVA, 3.5);
    bars.atLeast(Workload.LONG, Rows.BLOOM, SINGLE, Rows.FAST_BLOOM, 1.0);
    double single = results.median(Workload.LONG, Rows.BLOOM, "negative");
    double batch = results.median(Workload.LONG, Rows.BLOOM, "batch");
    bars.line("long Bloom: batch × its own negative query", single / batch, 1.5, true);
    bars.atLeast(Workload.STRING, Rows.BLOCKED, SINGLE, Rows.GUAVA, 4);
    for (String figure : SINGLE) {
      double ours = results.median(Workload.STRING, Rows.BLOCKED, figure);
      double peer = results.fastestPeer(Workload.STRING, figure);
      bars.line("string Blocked: " + figure + " × fastest peer", peer / ours, 1.5, true);
    }
    bars.atLeast(Workload.BYTES, Rows.BLOCKED, SINGLE, Rows.GUAVA, 7);
    bars.atMost(Workload.LONG, Rows.BLOCKED_KEYED, SINGLE, Rows.BLOCKED, 2);
    bars.atMost(Workload.LONG, Rows.BLOOM_KEYED, SINGLE, Rows.BLOOM, 2);
    bars.atMost(Workload.STRING, Rows.BLOCKED_KEYED, SINGLE, Rows.BLOCKED, 2);
    bars.threads("Blocked 64");
    bars.sync();
    bars.changing();
    bars.frozen();
    bars.oblivious(ObliviousMeasurement.CLIENT);
    bars.oblivious(ObliviousMeasurement.SERVER);
    return bars.lines;
  }

  /** Milliseconds to decode 1,000 differences, and millions of keys encoded per second. */
  private void sync() {
    double decode = results.median(Workload.SYNC, "Invertible", "positive") / 1e6;
    line("sync Invertible: subtract and decode 1,000 keys, ms", decode, 5, false);
    double encode = 1e3 / results.median(Workload.SYNC, "Rateless", "build");
    line("sync Rateless: encode, million keys/s", encode, 1, true);
  }

  /** Filters of sets that change. */
  private void changing() {
    size(Workload.DELETE, "Cuckoo 12", 13);
    atLeast(Workload.DELETE, "Cuckoo 12", SINGLE, Rows.FAST_CUCKOO, 1.2);
    atLeast(Workload.DELETE, "Cuckoo 12", SINGLE, Rows.CUCKOO_4J, 3);
    atLeast(Workload.DELETE, "Cuckoo 12", List.of("build"), Rows.FAST_CUCKOO, 1.2);
    atMost(Workload.DELETE, "Quotient", SINGLE, "Cuckoo 12", 1.5);
    atLeast(Workload.INSERTS, "Prefix", List.of("adds"), "Cuckoo 11", 1.2);
    atLeast(Workload.INSERTS, "Prefix by batches", List.of("adds"), "Cuckoo 11 by batches", 1.2);
    atMost(Workload.POPULAR, "Weighted", SINGLE, Rows.BLOOM, 1.5);
    atMost(Workload.POPULAR, "Popularity", SINGLE, Rows.BLOOM, 1.5);
    atLeast(Workload.COUNTING, "Counting 4", SINGLE, Rows.FAST_COUNTING, 1.5);
    atLeast(Workload.COUNTING, "OneWordCounting", SINGLE, Rows.FAST_COUNTING, 3);
    atLeast(Workload.COUNTING, "BlockedCounting", SINGLE, Rows.FAST_COUNTING, 3);
    atMost(Workload.GROWTH, "Scalable", SINGLE, Rows.BLOCKED, 4);
    atMost(Workload.GROWTH, "Scalable 4", SINGLE, Rows.BLOCKED, 4);
    atMost(Workload.RECENT, "Recent", List.of("adds"), Rows.BLOCKED, 2.5);
    atMost(Workload.RECENT, "Recent by time", List.of("adds"), Rows.BLOCKED, 2.5);
    atLeast(Workload.COUNTS, "CountMin", List.of("adds"), Rows.STREAM_LIB, 2);
    atLeast(Workload.COUNTS, "CountMin 32", List.of("adds"), Rows.STREAM_LIB, 2);
  }

  /** Filters of sets that never change. */
  private void frozen() {
    List<String> build = List.of("build");
    size(Workload.STATIC, "Fuse 8", 9.05);
    size(Workload.STATIC, "Fuse 4-wise", 8.65);
    for (String figure : SINGLE) {
      double ours = results.median(Workload.STATIC, "Fuse 8", figure);
      double peer = results.fastestPeer(Workload.STATIC, figure);
      line("static Fuse 8: " + figure + " × fastest peer", peer / ours, 1.0, true);
    }
    atLeast(Workload.STATIC, "Fuse 16", SINGLE, StaticLongs.FAST_XOR16, 1);
    atLeast(Workload.STATIC, "Fuse 8", build, StaticLongs.FAST_XOR8, 2);
    atLeast(Workload.STATIC, "Fuse 16", build, StaticLongs.FAST_XOR16, 2);
    atMost(Workload.STATIC, "Fuse 8", List.of("batch"), Rows.RAW_READ, 2.2);
    size(Workload.STATIC, "Ribbon 8", 1.03 * 8);
    atMost(Workload.STATIC, "Ribbon 8", SINGLE, "Fuse 8", 4);
    atMost(Workload.STATIC, "Ribbon 8", build, "Fuse 8", 3);
    size(Workload.STATIC, "Golomb 8", 8 + 1.6);
    atLeast(Workload.STATIC, "Golomb 8", SINGLE, StaticLongs.FAST_GCS, 3);
    size(Workload.STATIC, "PerfectHash 8", 8 + 2.8);
  }

  /** Two milliseconds on either side. */
  private void oblivious(String row) {
    for (String figure : SINGLE) {
      double nanos = results.median(Workload.OBLIVIOUS, row, figure);
      line("oblivious " + row + ": " + figure + ", ms", nanos / 1e6, 2, false);
    }
  }

  private void blocked(String row, double bits, double timesFastfilter) {
    size(Workload.LONG, row, bits);
    atLeast(Workload.LONG, row, SINGLE, Rows.FAST_BLOCKED, timesFastfilter);
    atLeast(Workload.LONG, row, List.of("adds"), Rows.FAST_BLOCKED, 1.0);
    atLeast(Workload.LONG, row, List.of("adds"), Rows.GUAVA, 15);
  }

  /** Bits per key, and the rate up to three standard deviations of its count. */
  private void size(Workload workload, String row, double bits) {
    String label = workload.id() + " " + row + ": ";
    // The bar is stated with one decimal, so the figure may round to it.
    line(label + "bits/key", results.median(workload, row, "bits"), bits, false);
    results
        .find(workload, row, "rate")
        .ifPresent(
            rate -> {
              double deviation = Math.sqrt(workload.rate() / ((double) rate.forks() * (1 << 20)));
              double limit = workload.rate() + 3 * deviation;
              line(label + "rate % (3σ allowed)", rate.median() * 100, limit * 100, false);
            });
  }

  private void atLeast(
      Workload workload, String row, List<String> figures, String peer, double bar) {
    for (String figure : figures) {
      double ratio = results.median(workload, peer, figure) / results.median(workload, row, figure);
      line(workload.id() + " " + row + ": " + figure + " × " + peer, ratio, bar, true);
    }
  }

  private void atMost(
      Workload workload, String row, List<String> figures, String other, double bar) {
    for (String figure : figures) {
      double ratio =
          results.median(workload, row, figure) / results.median(workload, other, figure);
      line(workload.id() + " " + row + ": " + figure + " ÷ " + other, ratio, bar, false);
    }
  }

  private void batch(Workload workload, String row, double timesFastfilter) {
    double batch = results.median(workload, row, "batch");
    double peer = results.median(workload, Rows.FAST_BLOCKED, "negative");
    double raw = results.median(workload, Rows.RAW_READ, "negative");
    String label = workload.id() + " " + row + ": batch ";
    line(label + "× fastfilter blocked, single", peer / batch, timesFastfilter, true);
    line(label + "÷ raw read, single", batch / raw, 1.5, false);
    double rawBatch = results.median(workload, Rows.RAW_READ, "batch");
    line(label + "÷ raw read, batch", batch / rawBatch, 1.5, false);
  }

  private void threads(String row) {
    for (String what : List.of("queries", "adds")) {
      double one = results.median(Workload.THREADS, row, what + "1");
      double two = results.median(Workload.THREADS, row, what + "2");
      String label = "threads " + row + ": " + what + ", speed-up of two threads";
      line(label, one / two, what.equals("adds") ? 1.5 : 1.7, true);
    }
  }

  private void line(String label, double value, double bar, boolean atLeast) {
    if (!Double.isNaN(value)) {
      boolean met = atLeast ? value >= bar : value <= bar;
      lines.add(
          String.format(
              Locale.ROOT,
              "%-6s  %-64s %7.3f  (%s %.3f)",
              met ? "met" : "MISSED",
              label,
              value,
              atLeast ? "≥" : "≤",
              bar));
    }
  }
}
