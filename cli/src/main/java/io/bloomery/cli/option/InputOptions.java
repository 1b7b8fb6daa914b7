package io.bloomery.cli.option;

import io.bloomery.hash.Hasher;
import io.bloomery.tools.input.Reading;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for finding keys in the input, for commands that read sets of keys. */
public final class InputOptions extends RecordOptions {

  @Option(names = "--keep-empty", description = "Keep empty keys. Default: they are skipped.")
  private boolean keepEmpty;

  /** How input is read when only the keys are needed. */
  public Reading reading(@Nullable Hasher hasher) {
    return reading(false, hasher, keepEmpty);
  }

  /** The same reading for rows that are printed, including those with an empty key. */
  public Reading printing(Reading reading) {
    return reading.of(splitter(true), reading.hasher()).listingEmpty();
  }
}
