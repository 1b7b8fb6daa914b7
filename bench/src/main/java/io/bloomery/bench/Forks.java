package io.bloomery.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs JMH forks in rounds: every row once, then every row again, so that a machine which becomes
 * slower or faster does so for all rows. A fork's figure is the median of its iterations.
 */
final class Forks {

  private final RunSettings settings;
  private final Results results;
  private final Path file;
  private final PrintStream log;

  /**
   * Prepares a run.
   *
   * @param settings how to measure
   * @param results receives the figures
   * @param file receives every fork's figures as soon as it ends
   * @param log receives JMH's own output
   */
  Forks(RunSettings settings, Results results, Path file, PrintStream log) {
    this.settings = settings;
    this.results = results;
    this.file = file;
    this.log = log;
  }

  void run(List<Row> rows) throws IOException, RunnerException {
    long total = 0;
    for (int round = 1; round <= settings.rounds(); round++) {
      total += inRound(rows, round).size();
    }
    int done = 0;
    long begin = System.nanoTime();
    for (int round = 1; round <= settings.rounds(); round++) {
      for (Row row : inRound(rows, round)) {
        long start = System.nanoTime();
        if (settings.limitSeconds() > 0 && start - begin > settings.limitSeconds() * 1e9) {
          System.err.printf(
              "No time is left for %d of %d forks: the machine is slow or busy.%n",
              total - done, total);
          return;
        }
        Map<String, Double> figures = fork(row, round);
        record(row, round, figures);
        done++;
        System.err.printf(
            Locale.ROOT,
            "%3d/%d  round %d  %-28s %s  (%.1f s)%n",
            done,
            total,
            round,
            row.label(),
            progress(figures),
            (System.nanoTime() - start) / 1e9);
      }
    }
  }

  private List<Row> inRound(List<Row> rows, int round) {
    return rows.stream().filter(row -> settings.repeatAll() || round <= row.quickForks()).toList();
  }

  private static String progress(Map<String, Double> figures) {
    StringBuilder text = new StringBuilder();
    figures.forEach(
        (figure, value) -> {
          if (!figure.equals("rate")
              && !figure.equals("bits")
              && !figure.equals("garbage")
              && !figure.equals("adds")) {
            text.append(String.format(Locale.ROOT, "%s %.1f  ", figure, value));
          }
        });
    return text.append("ns").toString();
  }

  private Map<String, Double> fork(Row row, int round) throws RunnerException {
    Collection<RunResult> run =
        new Runner(
                options(row, round),
                OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL))
            .run();
    Map<String, List<Double>> samples = new LinkedHashMap<>();
    for (RunResult result : run) {
      for (BenchmarkResult fork : result.getBenchmarkResults()) {
        for (IterationResult iteration : fork.getIterationResults()) {
          iteration
              .getSecondaryResults()
              .forEach(
                  (figure, value) ->
                      samples
                          .computeIfAbsent(figure, name -> new ArrayList<>())
                          .add(value.getScore()));
        }
      }
    }
    Map<String, Double> figures = new LinkedHashMap<>();
    samples.forEach(
        (figure, values) -> {
          double[] all = values.stream().mapToDouble(Double::doubleValue).toArray();
          double median = Measurement.median(all);
          if (median != Figures.ABSENT) {
            figures.put(figure.substring(figure.lastIndexOf(':') + 1), median);
          }
        });
    return figures;
  }

  private Options options(Row row, int round) {
    Workload workload = row.workload();
    return new OptionsBuilder()
        .include("^" + FilterBenchmark.class.getName().replace(".", "\\.") + "\\.run$")
        .param("workload", workload.id())
        .param("row", row.name())
        .param("keys", Integer.toString(settings.keys()))
        .param("seed", Integer.toString(round))
        .param("builds", Integer.toString(settings.builds(workload)))
        .param("rateKeys", Integer.toString(settings.rateKeys()))
        .param("passMillis", Integer.toString(settings.passMillis()))
        .warmupIterations(settings.warmups(workload))
        .measurementIterations(settings.iterations(workload))
        .forks(1)
        .threads(1)
        .jvmArgs(settings.jvmArgs(workload).toArray(String[]::new))
        .shouldFailOnError(true)
        .build();
  }

  private void record(Row row, int round, Map<String, Double> figures) throws IOException {
    StringBuilder lines = new StringBuilder();
    Workload workload = row.workload();
    int keys = settings.keys() == 0 ? workload.keys() : settings.keys();
    figures.forEach(
        (figure, value) -> {
          results.add(workload, keys, row.name(), figure, value);
          lines.append(Results.line(workload, keys, row.name(), round, figure, value));
        });
    Files.writeString(file, lines, StandardOpenOption.APPEND);
  }
}
