package io.bloomery.cli.option;

import picocli.CommandLine.Option;

/** The option of commands that answer a question: nothing is printed, not even results. */
public final class SilentOption {

  @Option(
      names = {"-s", "--silent"},
      description = "Print nothing; the exit code is the answer, and the first no is enough.")
  private boolean silent;

  /** Whether nothing is printed. */
  public boolean isGiven() {
    return silent;
  }
}
