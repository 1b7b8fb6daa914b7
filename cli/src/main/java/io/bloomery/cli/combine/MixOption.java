package io.bloomery.cli.combine;

import picocli.CommandLine.Option;

/** The option to combine filters whose keys are of different types. */
final class MixOption {

  @Option(
      names = "--mix-types",
      description = "Combine filters even if their files record different types of keys.")
  private boolean mixed;

  /** Whether types may differ. */
  boolean isGiven() {
    return mixed;
  }
}
