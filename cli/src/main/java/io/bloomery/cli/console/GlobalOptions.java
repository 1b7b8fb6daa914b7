package io.bloomery.cli.console;

import io.bloomery.tools.console.Colours;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that go with every command. */
public final class GlobalOptions {

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Errors show where they come from.")
  private boolean debug;

  @Option(
      names = "--color",
      scope = ScopeType.INHERIT,
      paramLabel = "WHEN",
      description = "Colours: auto (on a terminal), always or never. Default: auto.")
  private Colours colours = Colours.AUTO;

  /** Whether errors show where they come from. */
  public boolean debug() {
    return debug;
  }

  /** When results have colours. */
  public Colours colours() {
    return colours;
  }
}
