package io.bloomery.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Prints results as Markdown that also reads well on a terminal. */
final class ResultTable {

  private static final String NOTHING = "–";
  private static final List<String> HEAD =
      List.of(
          "filter",
          "bits/key",
          "rate %",
          "build ns",
          "positive ns",
          "negative ns",
          "batch ns",
          "× Guava",
          "× fastest peer",
          "÷ raw read",
          "B/query");
  private static final List<String> THREADS_HEAD =
      List.of(
          "filter",
          "add ns, 1 thread",
          "2 threads",
          "speed-up",
          "query ns, 1 thread",
          "2 threads",
          "speed-up",
          "addHashes ns, 1 thread",
          "2 threads",
          "speed-up");

  private final Results results;

  ResultTable(Results results) {
    this.results = results;
  }

  String print() {
    StringBuilder out = new StringBuilder();
    results.notes().forEach(note -> out.append(note).append('\n'));
    List<List<String>> lines = new ArrayList<>();
    lines.add(HEAD);
    for (Workload workload : Workload.values()) {
      List<Row> rows = results.rows(workload);
      if (workload != Workload.THREADS && !rows.isEmpty()) {
        lines.add(title(workload, HEAD.size()));
        rows.forEach(row -> lines.add(line(row)));
      }
    }
    if (lines.size() > 1) {
      out.append('\n').append(format(lines));
    }
    List<Row> threads = results.rows(Workload.THREADS);
    if (!threads.isEmpty()) {
      lines.clear();
      lines.add(THREADS_HEAD);
      lines.add(title(Workload.THREADS, THREADS_HEAD.size()));
      threads.forEach(row -> lines.add(threadsLine(row)));
      out.append('\n').append(format(lines));
    }
    return out.toString();
  }

  private static List<String> title(Workload workload, int columns) {
    List<String> line = new ArrayList<>();
    line.add("**" + workload.title() + "**");
    while (line.size() < columns) {
      line.add("");
    }
    return line;
  }

  private List<String> line(Row row) {
    Workload workload = row.workload();
    String name = row.name();
    boolean filter = row.origin() != Row.Origin.PHYSICAL;
    return List.of(
        name(row),
        name.equals(Rows.HASH) ? NOTHING : number(workload, name, "bits", 2, 1),
        number(workload, name, "rate", 3, 100),
        spread(workload, name, "build"),
        spread(workload, name, "positive"),
        spread(workload, name, "negative"),
        spread(workload, name, "batch"),
        filter ? ratios(row, figure -> results.median(workload, Rows.GUAVA, figure)) : NOTHING,
        filter ? ratios(row, figure -> results.fastestPeer(workload, figure)) : NOTHING,
        toRawRead(row),
        number(workload, name, "garbage", 0, 1));
  }

  private List<String> threadsLine(Row row) {
    List<String> line = new ArrayList<>();
    line.add(name(row));
    for (String what : List.of("adds", "queries", "bulk")) {
      line.add(spread(row.workload(), row.name(), what + "1"));
      line.add(spread(row.workload(), row.name(), what + "2"));
      double one = results.median(row.workload(), row.name(), what + "1");
      double two = results.median(row.workload(), row.name(), what + "2");
      line.add(ratio(one / two));
    }
    return line;
  }

  private static String name(Row row) {
    return row.origin() == Row.Origin.OURS ? "**" + row.name() + "**" : row.name();
  }

  /** What a figure is compared with. */
  private interface Reference {
    double of(String figure);
  }

  /** How many times faster: positive and negative single queries. */
  private String ratios(Row row, Reference reference) {
    double positive = results.median(row.workload(), row.name(), "positive");
    double negative = results.median(row.workload(), row.name(), "negative");
    double first = reference.of("positive") / positive;
    double second = reference.of("negative") / negative;
    return Double.isNaN(first) && Double.isNaN(second)
        ? NOTHING
        : ratio(first) + " / " + ratio(second);
  }

  /** How many times slower than the raw read, single by single and batch by batch. */
  private String toRawRead(Row row) {
    double single = toRawRead(row, "negative");
    double batch = toRawRead(row, "batch");
    if (Double.isNaN(single)) {
      return NOTHING;
    }
    return Double.isNaN(batch) ? ratio(single) : ratio(single) + " / " + ratio(batch);
  }

  private double toRawRead(Row row, String figure) {
    return results.median(row.workload(), row.name(), figure)
        / results.median(row.workload(), Rows.RAW_READ, figure);
  }

  private String number(Workload workload, String row, String figure, int digits, double factor) {
    double value = results.median(workload, row, figure);
    return Double.isNaN(value)
        ? NOTHING
        : String.format(Locale.ROOT, "%." + digits + "f", value * factor);
  }

  private String spread(Workload workload, String row, String figure) {
    Optional<Results.Summary> found = results.find(workload, row, figure);
    if (found.isEmpty()) {
      return NOTHING;
    }
    Results.Summary s = found.get();
    return s.forks() == 1
        ? String.format(Locale.ROOT, "%.1f", s.median())
        : String.format(Locale.ROOT, "%.1f (%.1f–%.1f)", s.median(), s.min(), s.max());
  }

  static String ratio(double value) {
    return Double.isNaN(value) ? NOTHING : String.format(Locale.ROOT, "%.2f", value);
  }

  private static String format(List<List<String>> lines) {
    int columns = lines.get(0).size();
    int[] widths = new int[columns];
    for (List<String> line : lines) {
      // A title spans the row, so it does not widen the first column.
      for (int i = 0; i < columns && !isTitle(line); i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      appendLine(out, lines.get(i), widths);
      if (i == 0) {
        for (int column = 0; column < columns; column++) {
          out.append(column == 0 ? "|:" : "|-").append("-".repeat(widths[column]));
          out.append(column == 0 ? "-" : ":");
        }
        out.append("|\n");
      }
    }
    return out.toString();
  }

  private static boolean isTitle(List<String> line) {
    return line.get(1).isEmpty();
  }

  private static void appendLine(StringBuilder out, List<String> line, int[] widths) {
    if (isTitle(line)) {
      out.append("| ").append(line.get(0)).append(" |".repeat(widths.length)).append('\n');
      return;
    }
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - line.get(i).length());
      out.append("| ").append(i == 0 ? line.get(i) + padding : padding + line.get(i)).append(' ');
    }
    out.append("|\n");
  }
}
