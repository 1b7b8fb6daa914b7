package io.bloomery.cli.option;

import picocli.CommandLine.Option;

/** The option to print the number of keys instead of the keys. */
public final class CountOption {

  @Option(
      names = {"-c", "--count"},
      description = "Print only the counts, to standard output.")
  private boolean count;

  /** Whether only the counts are printed. */
  public boolean isGiven() {
    return count;
  }
}
