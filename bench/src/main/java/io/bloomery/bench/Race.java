package io.bloomery.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Chooses the rows of a race and starts a JVM for each workload. The bars are decided by races:
 * forks, minutes apart, cannot measure ratios on a shared machine.
 */
final class Race {

  /** Keys of a race in cache. */
  static final int CACHED_KEYS = 200_000;

  private static final int MANY_KEYS = 1_000_000;
  private static final int HUGE_KEYS = 50_000_000;
  private static final int ROUNDS = 15;

  /** JVMs in cache, where what HotSpot makes of the code differs from one to the next. */
  private static final int CACHED_JVMS = 2;

  /** Workloads of one thread that adds or queries keys. */
  private static final Set<Workload> RACES =
      EnumSet.of(
          Workload.LONG,
          Workload.RARE,
          Workload.POPULAR,
          Workload.STRING,
          Workload.BYTES,
          Workload.DELETE,
          Workload.INSERTS,
          Workload.COUNTING,
          Workload.GROWTH,
          Workload.RECENT,
          Workload.COUNTS,
          Workload.STATIC);

  /**
   * Where the median of a figure is judged.
   *
   * @param smallest the fewest keys
   * @param largest the most
   */
  record Size(int smallest, int largest) {

    static final Size CACHE = new Size(0, MANY_KEYS - 1);
    static final Size MANY = new Size(MANY_KEYS, HUGE_KEYS - 1);
    static final Size HUGE = new Size(HUGE_KEYS, Integer.MAX_VALUE);
    static final Size ANY = new Size(0, Integer.MAX_VALUE);

    boolean holds(int keys) {
      return keys >= smallest && keys <= largest;
    }
  }

  /** The rows that match, with what they are compared with. */
  static List<Row> select(String pattern) {
    Pattern compiled = Pattern.compile(pattern, Pattern.CASE_INSENSITIVE);
    List<Row> all = Rows.all().stream().filter(Race::takesPart).toList();
    List<Row> chosen = all.stream().filter(row -> compiled.matcher(row.label()).find()).toList();
    return all.stream()
        .filter(row -> chosen.contains(row) || chosen.stream().anyMatch(one -> needs(one, row)))
        .toList();
  }

  /** The time of one thread does not tell how long a build by two threads takes. */
  private static boolean takesPart(Row row) {
    return RACES.contains(row.workload()) && !row.name().equals(StaticLongs.FUSE_THREADS);
  }

  private static boolean needs(Row chosen, Row other) {
    return chosen.workload() == other.workload()
        && (other.name().equals(chosen.peer()) || other.name().equals(Rows.RAW_READ));
  }

  private final int keys;
  private final int jvms;
  private final int rounds;
  private final List<String> jvmArgs;

  /**
   * Prepares a race.
   *
   * @param keys how many keys are added; 0 for as many as the cache holds
   * @param rounds the rounds of each JVM; 0 for as many as are needed
   * @param jvmArgs further arguments of the JVMs
   */
  Race(int keys, int rounds, List<String> jvmArgs) {
    this.keys = keys == 0 ? CACHED_KEYS : keys;
    this.jvms = Size.CACHE.holds(this.keys) ? CACHED_JVMS : 1;
    this.rounds = rounds == 0 ? ROUNDS : rounds;
    this.jvmArgs = jvmArgs;
  }

  /** How it is run. */
  String describe() {
    return String.format(
        Locale.ROOT, "%,d keys, %d × %d rounds, processor time of the thread", keys, jvms, rounds);
  }

  /** The memory that a race needs: keys, all filters, and the garbage of builds. */
  private static String heap(int keys) {
    return Size.CACHE.holds(keys) ? "1g" : Size.MANY.holds(keys) ? "3g" : "8g";
  }

  /** Runs the rows, one JVM after the other for the workloads, and appends figures to a file. */
  void run(List<Row> rows, Path file) throws IOException {
    for (int jvm = 0; jvm < jvms; jvm++) {
      for (Workload workload : RACES) {
        List<String> names =
            rows.stream().filter(row -> row.workload() == workload).map(Row::name).toList();
        if (!names.isEmpty()) {
          System.err.printf("%s: %s%n", workload.id(), String.join(", ", names));
          await(new ProcessBuilder(command(workload, names, file)).inheritIO().start());
        }
      }
    }
  }

  private List<String> command(Workload workload, List<String> names, Path file) {
    String heap = heap(keys);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xms" + heap, "-Xmx" + heap));
    command.addAll(jvmArgs);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(RaceRun.class.getName());
    Stream.of(file, workload.id(), keys, rounds).map(Object::toString).forEach(command::add);
    command.addAll(names);
    return command;
  }

  private static void await(Process process) {
    try {
      int code = process.waitFor();
      if (code != 0) {
        throw new IllegalStateException("the race ended with code " + code);
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
