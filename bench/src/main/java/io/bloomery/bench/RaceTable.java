package io.bloomery.bench;

import io.bloomery.bench.Lane.Pass;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Prints the results of races: for each workload and number of keys a table of queries and one of
 * adds. A time is followed by the least and by how many times as fast as the peer it is.
 */
final class RaceTable {

  private static final List<Pass> QUERIES =
      List.of(Pass.HIT, Pass.MISS, Pass.BATCH_HIT, Pass.BATCH_MISS);
  private static final List<Pass> ADDS =
      List.of(
          Pass.ADD,
          Pass.ADD_BULK,
          Pass.ADD_LARGE,
          Pass.ADD_ONE,
          Pass.ADD_BULK_ONE,
          Pass.ADD_LARGE_ONE,
          Pass.BUILD);

  private final Results.Part part;

  private RaceTable(Results.Part part) {
    this.part = part;
  }

  static String print(Results results) {
    StringBuilder out = new StringBuilder();
    for (Results.Part part : results.parts()) {
      if (part.isRace()) {
        out.append(new RaceTable(part).print());
      }
    }
    return out.toString();
  }

  private String print() {
    StringBuilder out = new StringBuilder();
    out.append("\n**").append(part.title()).append("**\n\n").append(queries());
    if (part.rows().stream().anyMatch(row -> !measured(ADDS, row).isEmpty())) {
      out.append('\n').append(adds());
    }
    return out.toString();
  }

  private String queries() {
    List<Pass> passes = shown(QUERIES);
    List<String> head = new ArrayList<>(List.of("filter", "peer", "bits/key", "rate %"));
    passes.forEach(pass -> head.add(title(pass)));
    head.addAll(List.of("÷ raw read", "B/query"));
    Markdown table = new Markdown(2, head);
    for (Row row : part.rows()) {
      String name = row.name();
      List<String> line = new ArrayList<>(List.of(Markdown.name(row), peer(row)));
      boolean sized = !name.equals(Rows.HASH);
      line.add(sized ? Markdown.number(part.median(name, "bits"), 2) : Markdown.NOTHING);
      line.add(Markdown.number(100 * part.median(name, "rate"), 3));
      passes.forEach(pass -> line.add(cell(row, pass)));
      line.add(toRawRead(name));
      line.add(Markdown.number(part.median(name, "garbage"), 0));
      table.line(line);
    }
    return table.format();
  }

  private String adds() {
    List<Pass> passes = shown(ADDS);
    List<String> head = new ArrayList<>(List.of("filter", "peer"));
    passes.forEach(pass -> head.add(title(pass)));
    Markdown table = new Markdown(2, head);
    for (Row row : part.rows()) {
      if (!measured(ADDS, row).isEmpty()) {
        List<String> line = new ArrayList<>(List.of(Markdown.name(row), peer(row)));
        passes.forEach(pass -> line.add(cell(row, pass)));
        table.line(line);
      }
    }
    return table.format();
  }

  private List<Pass> shown(List<Pass> passes) {
    return passes.stream()
        .filter(pass -> part.rows().stream().anyMatch(row -> part.has(row.name(), pass.figure())))
        .toList();
  }

  private List<Pass> measured(List<Pass> passes, Row row) {
    return passes.stream().filter(pass -> part.has(row.name(), pass.figure())).toList();
  }

  private static String title(Pass pass) {
    return switch (pass) {
      case HIT -> "hit";
      case MISS -> "miss";
      case BATCH_HIT -> "batch hit";
      case BATCH_MISS -> "batch miss";
      case ADD -> "add";
      case ADD_BULK -> "addHashes";
      case ADD_LARGE -> "in large calls";
      case ADD_ONE -> "add, one writer";
      case ADD_BULK_ONE -> "addHashes, one writer";
      case ADD_LARGE_ONE -> "in large calls, one writer";
      case BUILD -> "build";
    };
  }

  private static String peer(Row row) {
    return row.peer().isEmpty() ? Markdown.NOTHING : row.peer();
  }

  /** Median, least, times as fast as the peer, and for filters beyond the cache its quartiles. */
  private String cell(Row row, Pass pass) {
    Optional<Results.Summary> found = part.find(row.name(), pass.figure());
    if (found.isEmpty()) {
      return Markdown.NOTHING;
    }
    Results.Summary time = found.get();
    String text = String.format(Locale.ROOT, "%.1f (%.1f)", time.median(), time.min());
    return timesAsFast(part, row.name(), row.peer(), pass)
        .map(ratio -> text + " × " + ratio(ratio))
        .orElse(text);
  }

  private String ratio(Results.Summary ratio) {
    return Race.Size.CACHE.holds(part.keys())
        ? Markdown.ratio(ratio.median())
        : String.format(Locale.ROOT, "%.2f [%.2f–%.2f]", ratio.median(), ratio.low(), ratio.high());
  }

  /**
   * How many times as fast as a peer, which does the same by single calls where it has no others.
   */
  static Optional<Results.Summary> timesAsFast(
      Results.Part part, String row, String peer, Pass pass) {
    Pass same = part.has(peer, pass.figure()) ? pass : single(pass);
    return part.ratio(peer, same.figure(), row, pass.figure());
  }

  private static Pass single(Pass pass) {
    return switch (pass) {
      case BATCH_HIT -> Pass.HIT;
      case BATCH_MISS -> Pass.MISS;
      case ADD_BULK, ADD_LARGE, ADD_ONE, ADD_BULK_ONE, ADD_LARGE_ONE -> Pass.ADD;
      default -> pass;
    };
  }

  /** How many times as long as the raw read: misses, and batches of them. */
  private String toRawRead(String row) {
    Optional<Results.Summary> single = toRawRead(row, Pass.MISS);
    Optional<Results.Summary> batch = toRawRead(row, Pass.BATCH_MISS);
    String text = single.map(this::ratio).orElse(Markdown.NOTHING);
    return batch.map(ratio -> text + " / " + ratio(ratio)).orElse(text);
  }

  private Optional<Results.Summary> toRawRead(String row, Pass pass) {
    return part.ratio(row, pass.figure(), Rows.RAW_READ, pass.figure());
  }
}
