package io.bloomery.cli.option;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.file.FilterLock;
import io.bloomery.tools.problem.Problem;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option of commands that change a filter's file in place. */
public final class LockOption {

  @Option(
      names = "--no-wait",
      description = "Fail if another bloom is changing the file. Default: wait for it.")
  private boolean noWait;

  /** Takes the lock of the file that is changed. */
  public FilterLock lock(Path file, Console console) {
    return FilterLock.on(
        file,
        () -> {
          if (noWait) {
            throw new Problem(
                file + ": is being changed by another bloom; without --no-wait bloom waits");
          }
          tellWaiting(file, console);
        });
  }

  /** Says why nothing happens. */
  static void tellWaiting(Path file, Console console) {
    console.say("bloom: waiting for another bloom that is changing " + file + "…");
  }
}
