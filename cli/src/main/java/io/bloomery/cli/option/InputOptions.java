package io.bloomery.cli.option;

import io.bloomery.hash.Hasher;
import io.bloomery.tools.input.Reading;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what in the input is a key, for commands that want sets of keys. */
public final class InputOptions extends RecordOptions {

  @Option(names = "--keep-empty", description = "Keep empty keys. Default: they are skipped.")
  private boolean keepEmpty;

  /** How to read as these options say, for keys alone. */
  public Reading reading(@Nullable Hasher hasher) {
    return reading(false, hasher, keepEmpty);
  }

  /** The same for rows that are printed, also those with an empty key. */
  public Reading printing(Reading reading) {
    return reading.of(splitter(true), reading.hasher()).listingEmpty();
  }
}
