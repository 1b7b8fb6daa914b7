package io.bloomery.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Prints the results of forks. */
final class ResultTable {

  private static final String NOTHING = Markdown.NOTHING;
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
    Markdown table = new Markdown(1, HEAD);
    Markdown threads = new Markdown(1, THREADS_HEAD);
    for (Results.Part part : results.parts()) {
      if (!part.isRace()) {
        boolean byThreads = part.workload() == Workload.THREADS;
        Markdown chosen = byThreads ? threads : table;
        chosen.title(part.title());
        part.rows()
            .forEach(row -> chosen.line(byThreads ? threadsLine(part, row) : line(part, row)));
      }
    }
    for (Markdown one : List.of(table, threads)) {
      if (!one.isEmpty()) {
        out.append('\n').append(one.format());
      }
    }
    return out.toString();
  }

  private static List<String> line(Results.Part part, Row row) {
    String name = row.name();
    boolean filter = row.origin() != Row.Origin.PHYSICAL;
    return List.of(
        Markdown.name(row),
        name.equals(Rows.HASH) ? NOTHING : Markdown.number(part.median(name, "bits"), 2),
        Markdown.number(100 * part.median(name, "rate"), 3),
        spread(part, name, "build"),
        spread(part, name, "positive"),
        spread(part, name, "negative"),
        spread(part, name, "batch"),
        filter ? ratios(part, row, figure -> part.median(Rows.GUAVA, figure)) : NOTHING,
        filter ? ratios(part, row, figure -> fastestPeer(part, figure)) : NOTHING,
        toRawRead(part, row),
        Markdown.number(part.median(name, "garbage"), 0));
  }

  private static double fastestPeer(Results.Part part, String figure) {
    return part.fastestPeer(figure).map(peer -> part.median(peer, figure)).orElse(Double.NaN);
  }

  private static List<String> threadsLine(Results.Part part, Row row) {
    List<String> line = new ArrayList<>();
    line.add(Markdown.name(row));
    for (String what : List.of("adds", "queries", "bulk")) {
      line.add(spread(part, row.name(), what + "1"));
      line.add(spread(part, row.name(), what + "2"));
      double one = part.median(row.name(), what + "1");
      line.add(Markdown.ratio(one / part.median(row.name(), what + "2")));
    }
    return line;
  }

  /** What a figure is compared with. */
  private interface Reference {
    double of(String figure);
  }

  /** How many times faster: positive and negative single queries. */
  private static String ratios(Results.Part part, Row row, Reference reference) {
    double first = reference.of("positive") / part.median(row.name(), "positive");
    double second = reference.of("negative") / part.median(row.name(), "negative");
    return Double.isNaN(first) && Double.isNaN(second)
        ? NOTHING
        : Markdown.ratio(first) + " / " + Markdown.ratio(second);
  }

  /** How many times slower than the raw read, single by single and batch by batch. */
  private static String toRawRead(Results.Part part, Row row) {
    double single = toRawRead(part, row, "negative");
    double batch = toRawRead(part, row, "batch");
    if (Double.isNaN(single)) {
      return NOTHING;
    }
    return Markdown.ratio(single) + (Double.isNaN(batch) ? "" : " / " + Markdown.ratio(batch));
  }

  private static double toRawRead(Results.Part part, Row row, String figure) {
    return part.median(row.name(), figure) / part.median(Rows.RAW_READ, figure);
  }

  private static String spread(Results.Part part, String row, String figure) {
    Optional<Results.Summary> found = part.find(row, figure);
    if (found.isEmpty()) {
      return NOTHING;
    }
    Results.Summary s = found.get();
    return s.count() == 1
        ? String.format(Locale.ROOT, "%.1f", s.median())
        : String.format(Locale.ROOT, "%.1f (%.1f–%.1f)", s.median(), s.min(), s.max());
  }
}
