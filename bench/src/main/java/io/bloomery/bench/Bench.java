package io.bloomery.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.openjdk.jmh.runner.RunnerException;

/** The command behind {@code bench/run}. */
public final class Bench {

  private static final String USAGE =
      """
      bench/run quick           the main table in at most three minutes
      bench/run full            everything
      bench/run PATTERN         rows whose "workload name" matches, with what they are compared to
      bench/run list            the rows
      bench/run race [PATTERN]  rows that take turns in one JVM, 200,000 keys; decides the bars
      bench/run create          CPU time of empty blocked filters of sizes that are new
      bench/run table FILE…     the full tables and the bars of earlier runs
      bench/run overview FILE…  the first table of docs/benchmarks.md, from races in cache
      bench/run picture FILE…   draws docs/space-speed.svg, from races in cache
      bench/run jmh ARGUMENT…   plain JMH benchmarks of query, batch and build (-h for help)
      Options: --short          measure as briefly as quick does
               --rounds N       forks per row, or rounds of a race
               --keys N         add N keys instead (to try things out)
               --thp            transparent huge pages
               --cpu-time       count the thread's processor time, for a machine that is not quiet
               --alone          without first using other kinds of ours (see docs/benchmarks.md)
               --jvm ARGUMENT   a further argument of the measured JVMs
      """;

  /** Rows that ratios are computed against, so every selection needs them. */
  private static final Set<String> REFERENCES =
      Set.of(Rows.GUAVA, Rows.FAST_BLOCKED, Rows.RAW_READ);

  /** From the directory of results. */
  private static final String PICTURE = "../../docs/space-speed.svg";

  private String mode = "";
  private final List<String> operands = new ArrayList<>();
  private int rounds;
  private int keys;
  private boolean brief;
  private final List<String> jvmArgs = new ArrayList<>();

  private Bench() {}

  /**
   * Runs the command.
   *
   * @param args see {@code bench/run help}
   * @throws IOException if results cannot be written or read
   * @throws RunnerException if a benchmark fails
   */
  public static void main(String[] args) throws IOException, RunnerException {
    if (args.length > 0 && args[0].equals("jmh")) {
      org.openjdk.jmh.Main.main(Arrays.copyOfRange(args, 1, args.length));
      return;
    }
    Bench bench = new Bench();
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    if (!bench.parse(args)) {
      out.print(USAGE);
      System.exit(2);
    }
    switch (bench.mode) {
      case "help" -> out.print(USAGE);
      case "list" -> Rows.all().forEach(row -> out.println(row.label()));
      case "create" ->
          out.print(new CreateMeasurement().print(bench.rounds == 0 ? 15 : bench.rounds));
      case "table" -> show(bench.results(), out);
      case "overview" -> out.print(Overview.print(bench.results()));
      case "picture" -> draw(bench.results(), out);
      case "race" -> bench.race(out);
      default -> bench.run(out);
    }
  }

  private boolean parse(String[] args) {
    for (int i = 0; i < args.length; i++) {
      String arg = args[i];
      boolean last = i + 1 == args.length;
      if (arg.equals("--thp")) {
        jvmArgs.add("-XX:+UseTransparentHugePages");
      } else if (arg.equals("--cpu-time")) {
        jvmArgs.add("-D" + ThreadClock.CPU_TIME + "=true");
      } else if (arg.equals("--alone")) {
        jvmArgs.add("-D" + MixedJvm.ALONE + "=true");
      } else if (arg.equals("--short")) {
        brief = true;
      } else if (arg.equals("--rounds") && !last) {
        rounds = Integer.parseInt(args[++i]);
      } else if (arg.equals("--keys") && !last) {
        keys = Integer.parseInt(args[++i]);
      } else if (arg.equals("--jvm") && !last) {
        jvmArgs.add(args[++i]);
      } else if (arg.startsWith("-")) {
        return false;
      } else if (mode.isEmpty()) {
        mode = arg;
      } else if (takesFiles() || (mode.equals("race") && operands.isEmpty())) {
        operands.add(arg);
      } else {
        return false;
      }
    }
    return !mode.isEmpty() && takesFiles() == !(operands.isEmpty() || mode.equals("race"));
  }

  private boolean takesFiles() {
    return mode.equals("table") || mode.equals("overview") || mode.equals("picture");
  }

  private Results results() throws IOException {
    return Results.read(operands.stream().map(Path::of).toList());
  }

  private void race(PrintStream out) throws IOException {
    List<Row> rows = Race.select(operands.isEmpty() ? "." : operands.get(0));
    requireRows(rows, operands.toString());
    Race race = new Race(keys, rounds, jvmArgs);
    Results results = new Results();
    results.note(Machine.describe());
    results.note("bench/run race " + String.join(" ", operands) + ": " + race.describe());
    Path csv = newFile(results, "race");
    race.run(rows, csv);
    show(Results.read(List.of(csv)), out);
    out.printf("%nFigures of every round: %s%n", csv);
  }

  private static Path newFile(Results results, String prefix) throws IOException {
    Path directory =
        Files.createDirectories(Path.of(System.getProperty("bench.results", "results")));
    String stamp =
        LocalDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
    Path csv = directory.resolve(prefix + "-" + stamp + ".csv");
    Files.writeString(csv, results.head());
    return csv;
  }

  private static void requireRows(List<Row> rows, String pattern) {
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("no row matches " + pattern + "; see bench/run list");
    }
  }

  private void run(PrintStream out) throws IOException, RunnerException {
    boolean quick = mode.equals("quick");
    RunSettings settings = quick || brief ? RunSettings.quick() : RunSettings.full();
    settings = settings.with(rounds, keys, jvmArgs);
    List<Row> rows = select();
    requireRows(rows, mode);
    Results results = new Results();
    results.note(Machine.describe());
    results.note(describe(quick ? settings : settings.repeatingAll(), rows));
    Path csv = newFile(results, "forks");
    Path logFile = Path.of(csv.toString().replace(".csv", ".log"));
    long start = System.nanoTime();
    try (PrintStream log =
        new PrintStream(Files.newOutputStream(logFile), true, StandardCharsets.UTF_8)) {
      new Forks(quick ? settings : settings.repeatingAll(), results, csv, log).run(rows);
    }
    show(results, out);
    long seconds = (System.nanoTime() - start) / 1_000_000_000;
    out.printf(
        "%nMeasured in %d min %02d s. Figures of every fork: %s%n",
        seconds / 60, seconds % 60, csv);
  }

  private List<Row> select() {
    List<Row> all = Rows.all();
    if (mode.equals("full")) {
      return all;
    }
    if (mode.equals("quick")) {
      return all.stream().filter(row -> row.quickForks() > 0).toList();
    }
    Pattern pattern = Pattern.compile(mode, Pattern.CASE_INSENSITIVE);
    Set<Row> chosen = new HashSet<>();
    EnumSet<Workload> workloads = EnumSet.noneOf(Workload.class);
    for (Row row : all) {
      if (pattern.matcher(row.label()).find()) {
        chosen.add(row);
        workloads.add(row.workload());
      }
    }
    return all.stream()
        .filter(
            row ->
                chosen.contains(row)
                    || (workloads.contains(row.workload()) && REFERENCES.contains(row.name())))
        .toList();
  }

  private String describe(RunSettings settings, List<Row> rows) {
    Set<String> flags = new HashSet<>();
    rows.forEach(row -> flags.add(String.join(" ", settings.jvmArgs(row.workload()))));
    return String.format(
        "bench/run %s: %d rounds of forks%s, %d + %d iterations of at least %d ms%s; JVM flags %s",
        mode,
        settings.rounds(),
        settings.repeatAll() ? "" : " (1 for rows without a spread)",
        settings.warmups(),
        settings.iterations(),
        settings.passMillis(),
        settings.keys() == 0 ? "" : "; ONLY " + settings.keys() + " KEYS",
        String.join(" or ", flags.stream().sorted().toList()));
  }

  private static void draw(Results results, PrintStream out) throws IOException {
    Path file =
        Path.of(System.getProperty("bench.results", "results")).resolve(PICTURE).normalize();
    Files.writeString(file, SpaceSpeed.draw(results));
    out.println(file);
  }

  /** Markdown, to be pasted as it is. */
  private static void show(Results results, PrintStream out) {
    printBlock(results.notes().stream().distinct().toList(), out);
    out.print(new ResultTable(results).print());
    out.print(RaceTable.print(results));
    List<String> bars = Bars.judge(results);
    if (!bars.isEmpty()) {
      out.println();
      printBlock(bars, out);
    }
  }

  private static void printBlock(List<String> lines, PrintStream out) {
    out.println("```");
    lines.forEach(out::println);
    out.println("```");
  }
}
