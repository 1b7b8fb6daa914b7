package io.bloomery.cli.option;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import picocli.CommandLine.Option;

/** The options of reports, for commands that show how far they have come. */
public final class ProgressOptions extends ReportOptions {

  @Option(names = "--no-progress", description = "Show no progress bar.")
  private boolean noProgress;

  /**
   * Whether to show a bar: not if it is refused, nor if {@code printing} lines to the same terminal
   * at the same time.
   */
  public boolean isBarWanted(Console console, boolean printing) {
    return Progress.isWanted(console, noProgress || isQuiet(), printing);
  }
}
