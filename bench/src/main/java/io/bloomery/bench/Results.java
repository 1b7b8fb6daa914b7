package io.bloomery.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The figures of all forks. The file is a CSV of {@code workload,row,round,figure,value} after
 * comment lines that describe the run; a fork's lines are appended as soon as it ends.
 */
final class Results {

  private static final String HEADER = "workload,row,round,figure,value";

  private final List<String> notes = new ArrayList<>();
  private final Map<Key, List<Double>> values = new LinkedHashMap<>();

  private record Key(Workload workload, String row, String figure) {}

  /**
   * A figure over all forks.
   *
   * @param median of the forks
   * @param min the smallest
   * @param max the largest
   * @param forks how many there were
   */
  record Summary(double median, double min, double max, int forks) {}

  static Results read(Path file) throws IOException {
    Results results = new Results();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("#")) {
        results.note(line.substring(1).strip());
      } else if (!line.equals(HEADER) && !line.isBlank()) {
        String[] cells = line.split(",", -1);
        results.add(Workload.of(cells[0]), cells[1], cells[3], Double.parseDouble(cells[4]));
      }
    }
    return results;
  }

  void note(String note) {
    notes.add(note);
  }

  List<String> notes() {
    return notes;
  }

  void add(Workload workload, String row, String figure, double value) {
    values.computeIfAbsent(new Key(workload, row, figure), key -> new ArrayList<>()).add(value);
  }

  /** The head of a new file. */
  String head() {
    StringBuilder head = new StringBuilder();
    notes.forEach(note -> head.append("# ").append(note).append('\n'));
    return head.append(HEADER).append('\n').toString();
  }

  /** The rows of a workload that have figures, in the table's order. */
  List<Row> rows(Workload workload) {
    return Rows.all().stream()
        .filter(row -> row.workload() == workload)
        .filter(row -> find(workload, row.name(), "bits").isPresent())
        .toList();
  }

  Optional<Summary> find(Workload workload, String row, String figure) {
    List<Double> found = values.get(new Key(workload, row, figure));
    if (found == null) {
      return Optional.empty();
    }
    double[] sorted = found.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return Optional.of(
        new Summary(
            Measurement.median(sorted), sorted[0], sorted[sorted.length - 1], sorted.length));
  }

  /** The median of a figure, or NaN. */
  double median(Workload workload, String row, String figure) {
    return find(workload, row, figure).map(Summary::median).orElse(Double.NaN);
  }

  /** The smallest median of a figure among the peers of a workload, or NaN. */
  double fastestPeer(Workload workload, String figure) {
    return rows(workload).stream()
        .filter(row -> row.origin() == Row.Origin.PEER)
        .mapToDouble(row -> median(workload, row.name(), figure))
        .filter(value -> !Double.isNaN(value))
        .min()
        .orElse(Double.NaN);
  }
}
