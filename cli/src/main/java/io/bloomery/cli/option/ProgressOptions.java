package io.bloomery.cli.option;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import picocli.CommandLine.Option;

/** The report options of commands that show their progress. */
public final class ProgressOptions extends ReportOptions {

  @Option(names = "--no-progress", description = "Show no progress bar.")
  private boolean noProgress;

  /**
   * Whether to show a progress bar: not if the user turned it off, nor while {@code printing} lines
   * to the same terminal.
   */
  public boolean isBarWanted(Console console, boolean printing) {
    return Progress.isWanted(console, noProgress || isQuiet(), printing);
  }
}
