package io.bloomery.cli.dedup;

import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.LockOption;
import io.bloomery.cli.option.RecordOptions;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.file.FilterLock;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for lines that were seen in earlier runs. */
final class StateOptions {

  private static final Duration DEFAULT_PERIOD = Duration.ofMinutes(1);

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description =
          "Print only lines that no earlier run with this file has seen; the first run creates the"
              + " file. It is saved, as a whole, after the lines were written: after a failure lines"
              + " may be printed again, but none is lost.")
  private @Nullable Path file;

  @Mixin private LockOption locking = new LockOption();

  @Option(
      names = "--save-every",
      paramLabel = "TIME",
      converter = Converters.Time.class,
      description =
          "While lines come, save STATE this often, and when the process is ended by Ctrl-C or"
              + " SIGTERM: 10s, 5m. Not with -o. Default: 1m.")
  private @Nullable Duration period;

  /** Whether a file is given. */
  boolean isGiven() {
    return file != null;
  }

  /** Fails, before anything is read, if the file is also the input or the output. */
  void check(KeyInput input, @Nullable Path output) {
    if (file == null) {
      if (locking.isGiven() || period != null) {
        throw new Problem("--wait, --no-wait and --save-every are for --state");
      }
      return;
    }
    locking.check();
    if (period != null && output != null) {
      throw new Problem(
          "--save-every is for standard output; with -o the lines and STATE are saved at the end");
    }
    if (Files.isDirectory(file)) {
      throw new Problem(file, "is a directory");
    }
    if (input.contains(file)) {
      throw new Problem(file, "is also the input");
    }
    if (output != null
        && Octets.absolute(output).normalize().equals(Octets.absolute(file).normalize())) {
      throw new Problem(file, "is also the output");
    }
  }

  /**
   * Locks the file and opens it.
   *
   * @param rate the requested rate, or null for that of the file
   */
  SeenState open(
      RecordOptions records,
      TypeOption typing,
      @Nullable Double rate,
      KeyFileOption key,
      Console console) {
    Path path = Objects.requireNonNull(file, "--state");
    FilterLock lock = locking.lockNew(path, console);
    try {
      return SeenState.open(lock, path, records, typing, rate, key);
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  /** Saves a state from time to time as long as it is open. */
  SavedState saving(SeenState state, StandardOutput out, Console console) {
    return new SavedState(state, out, period == null ? DEFAULT_PERIOD : period, console);
  }
}
