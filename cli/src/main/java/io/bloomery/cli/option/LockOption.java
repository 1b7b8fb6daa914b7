package io.bloomery.cli.option;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.file.FilterLock;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of commands that change a filter's file in place. */
public final class LockOption {

  private static final Duration PATIENCE = Duration.ofSeconds(1);

  @Option(
      names = "--no-wait",
      description = "Fail if another bloom is changing the file. Default: wait for it.")
  private boolean noWait;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      converter = Converters.Time.class,
      description = "Wait for another bloom no longer than this: 30s, 10m. Then fail.")
  private @Nullable Duration longest;

  /** Whether any of the options is given. */
  public boolean isGiven() {
    return noWait || longest != null;
  }

  /** Fails, before anything is read, if the options contradict each other. */
  public void check() {
    if (noWait && longest != null) {
      throw new Problem("--wait and --no-wait exclude each other");
    }
  }

  /** Locks the file to be changed. */
  public FilterLock lock(Path file, Console console) {
    return FilterLock.on(file, waiting(file, console));
  }

  /** Locks a file that may not exist yet. */
  public FilterLock lockNew(Path file, Console console) {
    return FilterLock.onNew(file, waiting(file, console));
  }

  private FilterLock.Waiting waiting(Path file, Console console) {
    FilterLock.Waiting told = telling(file, console);
    return waited -> {
      if (noWait) {
        throw new Problem(file, "is being changed by another bloom; without --no-wait bloom waits");
      }
      if (longest != null && waited.compareTo(longest) >= 0) {
        throw new Problem(
            "%s: is still being changed by another bloom after %s s; nothing was changed"
                .formatted(
                    Octets.name(file),
                    BigDecimal.valueOf(longest.toMillis(), 3)
                        .stripTrailingZeros()
                        .toPlainString()));
      }
      told.goesOn(waited);
    };
  }

  /** Tells the user once, after a second, what the command is waiting for. */
  static FilterLock.Waiting telling(Path file, Console console) {
    boolean[] told = {false};
    return waited -> {
      if (!told[0] && waited.compareTo(PATIENCE) >= 0) {
        told[0] = true;
        console.say("bloom: waiting for another bloom that is changing " + Octets.name(file) + "…");
      }
    };
  }
}
