package io.bloomery.cli.bench;

import io.bloomery.cli.bench.BenchSubject.Task;
import io.bloomery.tools.measure.MeasuredRate;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** The results of {@code bloom bench} for one filter. */
final class BenchReport {

  private final BenchSubject subject;
  private final BenchRun run;
  private final MeasuredRate measured;

  /** Describes one of the subjects of a run. */
  BenchReport(BenchSubject subject, BenchRun run) {
    this.subject = subject;
    this.run = run;
    this.measured = subject.measuredRate();
  }

  String text() {
    Report report = new Report();
    long bits = subject.filter().sizeInBits();
    report.row("memory", Text.bytes((bits + Byte.SIZE - 1) / Byte.SIZE));
    if (subject.keys() > 0) {
      report.row(
          "bits per key", String.format(Locale.ROOT, "%.2f", (double) bits / subject.keys()));
    }
    report
        .row("predicted rate", Text.rate(subject.filter().falsePositiveRate()))
        .row("measured rate", measured.text());
    for (Task task : Task.values()) {
      List<Double> times = subject.times(task);
      if (!times.isEmpty()) {
        report.row("time " + task.words(), figures(times) + predicted(task, times));
      }
    }
    report.row(
        "time is the median",
        "of %d rounds (least to most) after %d to warm up"
            .formatted(run.rounds(), run.warmUpRounds()));
    String keys = subject.keys() > 0 ? ", " + Text.count(subject.keys(), "key") : "";
    return report.text(subject.name() + keys);
  }

  private static String figures(List<Double> times) {
    List<Double> sorted = times.stream().sorted().toList();
    return String.format(
        Locale.ROOT,
        "%.1f ns (%.1f to %.1f)",
        median(sorted),
        sorted.get(0),
        sorted.get(sorted.size() - 1));
  }

  /** The time that the planner predicts, and how the least of the measured ones compares. */
  private String predicted(Task task, List<Double> times) {
    OptionalDouble predicted = subject.predictedNanos(task);
    return predicted.isEmpty()
        ? ""
        : String.format(
            Locale.ROOT,
            ", predicted %.1f ns: the least is %.2f of that",
            predicted.getAsDouble(),
            Collections.min(times) / predicted.getAsDouble());
  }

  private static double median(List<Double> sorted) {
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }

  String json() {
    long bits = subject.filter().sizeInBits();
    Map<String, Object> nanos = new LinkedHashMap<>();
    for (Task task : Task.values()) {
      List<Double> sorted = subject.times(task).stream().sorted().toList();
      if (!sorted.isEmpty()) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("median", median(sorted));
        figures.put("least", sorted.get(0));
        figures.put("most", sorted.get(sorted.size() - 1));
        subject.predictedNanos(task).ifPresent(value -> figures.put("predicted", value));
        nanos.put(task.name().toLowerCase(Locale.ROOT), figures);
      }
    }
    return new Report()
        .value("name", subject.name())
        .value("keys", subject.keys() > 0 ? subject.keys() : null)
        .value("bits", bits)
        .value("bitsPerKey", subject.keys() > 0 ? (double) bits / subject.keys() : null)
        .value("predictedRate", subject.filter().falsePositiveRate())
        .value("measuredRate", measured.rate())
        .value("intervalLow", measured.interval().low())
        .value("intervalHigh", measured.interval().high())
        .value("rounds", run.rounds())
        .value("warmUpRounds", run.warmUpRounds())
        .value("nanos", nanos)
        .json();
  }
}
