package io.bloomery.cli.console;

import io.bloomery.tools.console.Colours;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command has. */
public final class GlobalOptions {

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Print the stack trace of an error.")
  private boolean debug;

  @Option(
      names = "--color",
      scope = ScopeType.INHERIT,
      paramLabel = "WHEN",
      description = "Colours: auto (on a terminal), always or never. Default: auto.")
  private Colours colours = Colours.AUTO;

  /** Whether to print the stack trace of an error. */
  public boolean debug() {
    return debug;
  }

  /** When results have colours. */
  public Colours colours() {
    return colours;
  }
}
