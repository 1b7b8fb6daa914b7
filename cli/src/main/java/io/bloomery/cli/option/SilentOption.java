package io.bloomery.cli.option;

import picocli.CommandLine.Option;

/** The option to print nothing, not even results, for commands whose exit code is an answer. */
public final class SilentOption {

  @Option(
      names = {"-s", "--silent"},
      description = "Print nothing and stop at the first no; the exit code is the answer.")
  private boolean silent;

  /** Whether nothing is printed. */
  public boolean isGiven() {
    return silent;
  }
}
