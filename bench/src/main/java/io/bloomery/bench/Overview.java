package io.bloomery.bench;

import io.bloomery.bench.Lane.Pass;
import java.util.ArrayList;
import java.util.List;

/** The first table that a visitor reads: speed and size relative to others. */
final class Overview {

  /**
   * A line of the table.
   *
   * @param use what the filter is for
   * @param workload the workload
   * @param ours a row of ours
   * @param peer a row of others
   */
  record Line(String use, Workload workload, String ours, String peer) {}

  /** One line for each comparison; a line without figures is left out. */
  static final List<Line> LINES =
      List.of(
          new Line("numbers, fastest", Workload.LONG, Rows.BLOCKED_64, Rows.GUAVA),
          new Line("", Workload.LONG, Rows.BLOCKED_64, Rows.FAST_BLOCKED),
          new Line("numbers, default", Workload.LONG, Rows.BLOCKED, Rows.GUAVA),
          new Line("", Workload.LONG, Rows.BLOCKED, Rows.FAST_BLOCKED),
          new Line("numbers, smallest", Workload.LONG, Rows.BLOOM, Rows.GUAVA),
          new Line("", Workload.LONG, Rows.BLOOM, Rows.FAST_BLOOM),
          new Line("`String`", Workload.STRING, Rows.BLOCKED, Rows.GUAVA),
          new Line("", Workload.STRING, Rows.BLOCKED, "Commons"),
          new Line("`byte[16]`", Workload.BYTES, Rows.BLOCKED, Rows.GUAVA),
          new Line("static set", Workload.STATIC, StaticLongs.FUSE_8, StaticLongs.FAST_XOR8),
          new Line("", Workload.STATIC, StaticLongs.FUSE_8, StaticLongs.FAST_FUSE8),
          new Line("deletes", Workload.DELETE, Rows.CUCKOO_12, Rows.FAST_CUCKOO),
          new Line("", Workload.DELETE, Rows.CUCKOO_12, Rows.CUCKOO_4J),
          new Line("deletes by counters", Workload.COUNTING, Rows.COUNTING_4, Rows.FAST_COUNTING),
          new Line("", Workload.COUNTING, Rows.BLOCKED_COUNTING, Rows.FAST_COUNTING),
          new Line("counts", Workload.COUNTS, Rows.COUNT_MIN, Rows.STREAM_LIB));

  private Overview() {}

  static String print(Results results) {
    Markdown table =
        new Markdown(
            3,
            List.of(
                "for",
                "ours",
                "compared with",
                "hit",
                "miss",
                "batch miss",
                "add",
                "bulk add",
                "bits/key",
                "theirs"));
    for (Line line : LINES) {
      results.parts(line.workload).stream()
          .filter(part -> Race.Size.CACHE.holds(part.keys()))
          .filter(part -> part.has(line.ours, Pass.MISS.figure()))
          .filter(part -> part.has(line.peer, Pass.MISS.figure()))
          .findFirst()
          .ifPresent(part -> table.line(cells(part, line)));
    }
    return table.format();
  }

  private static List<String> cells(Results.Part part, Line line) {
    List<String> cells = new ArrayList<>();
    cells.add(line.use.isEmpty() ? " " : line.use);
    cells.add("**" + line.ours + "**");
    cells.add(line.peer);
    cells.add(ratio(part, line, Pass.HIT));
    cells.add(ratio(part, line, Pass.MISS));
    cells.add(ratio(part, line, Pass.BATCH_MISS));
    // Guava's filter is for many writers, the others are for one.
    boolean one = !line.peer.equals(Rows.GUAVA) && part.has(line.ours, Pass.ADD_ONE.figure());
    boolean builds = part.has(line.ours, Pass.BUILD.figure());
    cells.add(ratio(part, line, builds ? Pass.BUILD : one ? Pass.ADD_ONE : Pass.ADD));
    cells.add(ratio(part, line, one ? Pass.ADD_BULK_ONE : Pass.ADD_BULK));
    cells.add(bits(part, line.ours));
    cells.add(bits(part, line.peer));
    return cells;
  }

  private static String ratio(Results.Part part, Line line, Pass pass) {
    return RaceTable.timesAsFast(part, line.ours, line.peer, pass)
        .map(ratio -> Markdown.number(ratio.median(), 1) + " ×")
        .orElse(Markdown.NOTHING);
  }

  /** Bits per key and the rate, which counts do not have. */
  private static String bits(Results.Part part, String row) {
    String bits = Markdown.number(part.median(row, "bits"), 1);
    return part.workload() == Workload.COUNTS
        ? bits
        : bits + " at " + Markdown.number(100 * part.median(row, "rate"), 2) + " %";
  }
}
