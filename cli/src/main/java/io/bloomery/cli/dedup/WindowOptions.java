package io.bloomery.cli.dedup;

import io.bloomery.cli.option.Converters;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.input.ColumnSplitter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.problem.Problem;
import io.bloomery.window.RecentShape;
import java.time.Duration;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options for how long lines are remembered. */
final class WindowOptions {

  /** The length of the window. */
  static final class Length {
    @Option(
        names = "--last",
        paramLabel = "N",
        converter = Converters.Count.class,
        description =
            "Drop a line only if it is among about the last N lines: up to 2N are remembered,"
                + " as the summary says; exactly N with --exact. Default: forever.")
    private @Nullable Long last;

    @Option(
        names = "--within",
        paramLabel = "TIME",
        converter = Converters.Time.class,
        description =
            "Drop a line only if it occurred less than about TIME before: up to twice TIME is"
                + " remembered, as the summary says; exactly TIME with --exact. 500ms, 30s, 10m, 2h,"
                + " 7d. Needs -n or --exact.")
    private @Nullable Duration within;
  }

  @ArgGroup(exclusive = true)
  private Length length = new Length();

  @Option(
      names = "--time-column",
      paramLabel = "C",
      description =
          "With --within: the column of CSV or TSV with the time of a row, by name or number."
              + " Default: the time when the row is read.")
  private @Nullable String timeColumn;

  @Option(
      names = "--time-format",
      paramLabel = "FORMAT",
      description =
          "Format of times: seconds or millis since 1970, iso, or a Java pattern such as"
              + " \"dd/MMM/yyyy:HH:mm:ss Z\". Default: iso.")
  private @Nullable String timeFormat;

  /** Whether lines are remembered only for a window. */
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
    if (timeColumn != null && length.within == null) {
      throw new Problem("--time-column is for --within");
    }
    if (timeFormat != null && timeColumn == null) {
      throw new Problem("--time-format is for --time-column");
    }
  }

  /** The same reading, with the times of rows if a time column is given. */
  Reading timed(Reading reading) {
    if (timeColumn == null) {
      return reading;
    }
    if (reading.splitter() instanceof ColumnSplitter rows) {
      ToLongFunction<byte[]> parser = RowTime.of(timeFormat == null ? "iso" : timeFormat);
      return reading.of(rows.withTime(timeColumn, parser), reading.hasher());
    }
    throw new Problem("--time-column needs --column, the key of a row");
  }

  private LineClock clock() {
    return timeColumn == null ? LineClock.ofSystem() : new RowClock();
  }

  /** Remembers all lines of the window, byte by byte, in at most {@code memory} bytes. */
  Seen exact(long memory) {
    return length.last != null
        ? new ExactWindow(length.last + 1, LineClock.ofLines(), memory)
        : new ExactWindow(within().toMillis(), clock(), memory);
  }

  /** Remembers the lines of the window in a filter, {@code keys} of them in a window of time. */
  Seen filter(@Nullable Long keys, double rate, Hasher hasher) {
    if (length.last != null) {
      return new RecentSeen(RecentSeen.shape(length.last, rate), hasher, LineClock.ofLines());
    }
    RecentShape shape = RecentSeen.shape(within(), Objects.requireNonNull(keys, "-n"), rate);
    return new RecentSeen(shape, hasher, clock());
  }

  private Duration within() {
    return Objects.requireNonNull(length.within, "--within");
  }
}
