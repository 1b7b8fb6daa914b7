package io.bloomery.cli.option;

import io.bloomery.tools.console.Console;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The options for the format of a command's report, or for none. */
public class ReportOptions extends JsonOption {

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no summary; results, warnings and errors remain.")
  private boolean quiet;

  public final boolean isQuiet() {
    return quiet;
  }

  /** Prints the report as text or JSON, unless {@code --quiet} is given. */
  public final void print(Console console, Supplier<String> text, Supplier<String> json) {
    if (!quiet) {
      console.print(isJson() ? json.get() : text.get());
    }
  }
}
