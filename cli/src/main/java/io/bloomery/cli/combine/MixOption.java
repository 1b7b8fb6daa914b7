package io.bloomery.cli.combine;

import picocli.CommandLine.Option;

/** The option that combines filters although their keys are of different types. */
final class MixOption {

  @Option(
      names = "--mix-types",
      description = "Combine filters although their files say different types of keys.")
  private boolean mixed;

  /** Whether types may differ. */
  boolean isGiven() {
    return mixed;
  }
}
