package io.bloomery.cli.option;

import picocli.CommandLine.Option;

/** The option that compares keys without regard to the case of letters. */
public final class IgnoreCaseOption {

  @Option(
      names = {"-i", "--ignore-case"},
      description = "Ignore the case of letters, of all scripts (simple case folding of Unicode).")
  private boolean given;

  /** Whether the case of letters is ignored. */
  public boolean isGiven() {
    return given;
  }
}
