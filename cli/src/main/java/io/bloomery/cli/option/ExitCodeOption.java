package io.bloomery.cli.option;

import picocli.CommandLine.Option;

/**
 * The option to return the answer as the exit code. Without it, a command that prints lines exits
 * with 0 once they are printed, whatever the answer.
 */
public final class ExitCodeOption {

  private static final int NO = 1;

  @Option(
      names = "--exit-code",
      description = "Exit with 1 if the answer is no: a key is absent, or sets differ.")
  private boolean asked;

  /**
   * The exit code.
   *
   * @param yes the answer
   * @param askedAnyway whether the answer is wanted even without this option
   */
  public int of(boolean yes, boolean askedAnyway) {
    return yes || !(asked || askedAnyway) ? 0 : NO;
  }
}
