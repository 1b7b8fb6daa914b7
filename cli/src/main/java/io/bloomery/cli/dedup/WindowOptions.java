package io.bloomery.cli.dedup;

import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.MemoryOption;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.problem.Problem;
import io.bloomery.window.RecentShape;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options that say how long lines are remembered. */
final class WindowOptions {

  /** The length of the window. */
  static final class Length {
    @Option(
        names = "--last",
        paramLabel = "N",
        converter = Converters.Count.class,
        description =
            "Drop a line only if it is among the last N lines, or nearly: up to 2N are remembered,"
                + " as the summary says; exactly N with --exact. Default: forever.")
    private @Nullable Long last;

    @Option(
        names = "--within",
        paramLabel = "TIME",
        converter = Converters.Time.class,
        description =
            "Drop a line only if it came less than TIME before, or nearly: up to twice TIME is"
                + " remembered, as the summary says; exactly TIME with --exact. 500ms, 30s, 10m, 2h,"
                + " 7d. Needs -n or --exact.")
    private @Nullable Duration within;
  }

  @ArgGroup(exclusive = true)
  private Length length = new Length();

  @Option(
      names = "--memory-limit",
      paramLabel = "SIZE",
      converter = Converters.Bytes.class,
      description =
          "The most memory that the process takes with the lines of --exact --last and --exact"
              + " --within, 256M or 2GiB; more is an error. Default: 256MiB for the lines, or half"
              + " of the heap.")
  private @Nullable Long memory;

  /** Whether lines are remembered for a while only. */
  boolean isGiven() {
    return length.last != null || length.within != null;
  }

  /** Fails, before anything is read, if the options contradict each other. */
  void check(boolean exact, @Nullable Long keys) {
    if (length.within != null && keys == null && !exact) {
      throw new Problem("--within needs -n, the number of distinct lines in that time, or --exact");
    }
    if (length.last != null && keys != null) {
      throw new Problem("--last says how many lines are remembered; leave out -n");
    }
    if (memory != null && !(exact && isGiven())) {
      throw new Problem("--memory-limit is for --exact with --last or --within");
    }
  }

  /** Remembers all lines of the window, byte by byte. */
  Seen exact() {
    long limit = MemoryOption.limit(memory);
    return length.last != null
        ? new ExactWindow(length.last + 1, LineClock.ofLines(), limit)
        : new ExactWindow(within().toMillis(), LineClock.ofSystem(), limit);
  }

  /** Remembers the lines of the window in a filter, {@code keys} of them in a window of time. */
  Seen filter(@Nullable Long keys, double rate, Hasher hasher) {
    if (length.last != null) {
      return new RecentSeen(RecentSeen.shape(length.last, rate), hasher, LineClock.ofLines());
    }
    RecentShape shape = RecentSeen.shape(within(), Objects.requireNonNull(keys, "-n"), rate);
    return new RecentSeen(shape, hasher, LineClock.ofSystem());
  }

  private Duration within() {
    return Objects.requireNonNull(length.within, "--within");
  }
}
