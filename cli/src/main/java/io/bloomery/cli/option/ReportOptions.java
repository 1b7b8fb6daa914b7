package io.bloomery.cli.option;

import io.bloomery.tools.console.Console;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The options that say in which form a command reports what it did, and whether at all. */
public class ReportOptions extends JsonOption {

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no summary; results, warnings and errors remain.")
  private boolean quiet;

  /** Whether there is no summary. */
  public final boolean isQuiet() {
    return quiet;
  }

  /** Prints the report, if it is wanted, in the form that is wanted. */
  public final void print(Console console, Supplier<String> text, Supplier<String> json) {
    if (!quiet) {
      console.print(isJson() ? json.get() : text.get());
    }
  }
}
