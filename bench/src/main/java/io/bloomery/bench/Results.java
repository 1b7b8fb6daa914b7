package io.bloomery.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The figures of all forks or of all rounds of a race. The file is a CSV of {@code
 * workload,keys,row,round,figure,value} after comment lines that describe the run; lines are
 * appended as soon as they are known.
 */
final class Results {

  private static final String HEADER = "workload,keys,row,round,figure,value";

  private final List<String> notes = new ArrayList<>();
  private final Map<Key, List<Double>> values = new LinkedHashMap<>();

  private record Key(Workload workload, int keys, String row, String figure) {}

  /**
   * A figure over all forks or rounds.
   *
   * @param median the median
   * @param min the smallest
   * @param max the largest
   * @param low a quarter is smaller
   * @param high a quarter is larger
   * @param count how many there were
   */
  record Summary(double median, double min, double max, double low, double high, int count) {

    static Summary of(double[] values) {
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      int last = sorted.length - 1;
      return new Summary(
          Measurement.median(sorted),
          sorted[0],
          sorted[last],
          sorted[last / 4],
          sorted[last - last / 4],
          sorted.length);
    }
  }

  /** Reads files and takes all their figures together. */
  static Results read(List<Path> files) throws IOException {
    Results results = new Results();
    for (Path file : files) {
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith("#")) {
          results.note(line.substring(1).strip());
        } else if (!line.equals(HEADER) && !line.isBlank()) {
          results.add(line);
        }
      }
    }
    return results;
  }

  private void add(String line) {
    String[] cells = line.split(",", -1);
    add(
        Workload.of(cells[0]),
        Integer.parseInt(cells[1]),
        cells[2],
        cells[4],
        Double.parseDouble(cells[5]));
  }

  /** A line of the file. */
  static String line(
      Workload workload, int keys, String row, int round, String figure, double value) {
    return String.join(
            ",",
            workload.id(),
            Integer.toString(keys),
            row,
            Integer.toString(round),
            figure,
            Double.toString(value))
        + "\n";
  }

  void note(String note) {
    notes.add(note);
  }

  List<String> notes() {
    return notes;
  }

  void add(Workload workload, int keys, String row, String figure, double value) {
    values
        .computeIfAbsent(new Key(workload, keys, row, figure), key -> new ArrayList<>())
        .add(value);
  }

  /** The head of a new file. */
  String head() {
    StringBuilder head = new StringBuilder();
    notes.forEach(note -> head.append("# ").append(note).append('\n'));
    return head.append(HEADER).append('\n').toString();
  }

  /** The figures of one workload with one number of keys. */
  Part part(Workload workload, int keys) {
    return new Part(workload, keys);
  }

  /** All parts in the order of the workloads, small before large. */
  List<Part> parts() {
    return Arrays.stream(Workload.values()).flatMap(w -> parts(w).stream()).toList();
  }

  /** The parts of a workload, small before large. */
  List<Part> parts(Workload workload) {
    return values.keySet().stream()
        .filter(key -> key.workload == workload)
        .map(Key::keys)
        .distinct()
        .sorted()
        .map(keys -> part(workload, keys))
        .toList();
  }

  /** The figures of one workload with one number of keys. */
  final class Part {

    private final Workload workload;
    private final int keys;

    private Part(Workload workload, int keys) {
      this.workload = workload;
      this.keys = keys;
    }

    Workload workload() {
      return workload;
    }

    int keys() {
      return keys;
    }

    /** What is measured, in words. */
    String title() {
      return workload.title(keys);
    }

    /** Whether a race wrote it. */
    boolean isRace() {
      return rows().stream().anyMatch(row -> has(row.name(), Lane.Pass.MISS.figure()));
    }

    /** The rows that have figures, in the table's order. */
    List<Row> rows() {
      return Rows.all().stream()
          .filter(row -> row.workload() == workload && has(row.name(), "bits"))
          .toList();
    }

    boolean has(String row, String figure) {
      return values.containsKey(new Key(workload, keys, row, figure));
    }

    private double[] values(String row, String figure) {
      return values.getOrDefault(new Key(workload, keys, row, figure), List.of()).stream()
          .mapToDouble(Double::doubleValue)
          .toArray();
    }

    Optional<Summary> find(String row, String figure) {
      double[] found = values(row, figure);
      return found.length == 0 ? Optional.empty() : Optional.of(Summary.of(found));
    }

    /** The median of a figure, or NaN. */
    double median(String row, String figure) {
      return find(row, figure).map(Summary::median).orElse(Double.NaN);
    }

    /**
     * How many times as large the first figure is. Figures of the same rounds are divided round by
     * round.
     */
    Optional<Summary> ratio(String row, String figure, String other, String otherFigure) {
      double[] above = values(row, figure);
      double[] below = values(other, otherFigure);
      if (above.length == 0 || below.length == 0) {
        return Optional.empty();
      }
      if (above.length != below.length) {
        double ratio = Measurement.median(above) / Measurement.median(below);
        return Optional.of(Summary.of(new double[] {ratio}));
      }
      for (int i = 0; i < above.length; i++) {
        above[i] /= below[i];
      }
      return Optional.of(Summary.of(above));
    }

    /** The peer with the smallest median of a figure. */
    Optional<String> fastestPeer(String figure) {
      return rows().stream()
          .filter(row -> row.origin() == Row.Origin.PEER && has(row.name(), figure))
          .map(Row::name)
          .min(Comparator.comparingDouble(name -> median(name, figure)));
    }
  }
}
