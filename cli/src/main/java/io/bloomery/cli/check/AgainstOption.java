package io.bloomery.cli.check;

import io.bloomery.Filter;
import io.bloomery.cli.option.MemoryOption;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.problem.Problem;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The option for exact answers, confirmed by the file of keys that the filter was built from. */
final class AgainstOption {

  @Option(
      names = "--against",
      paramLabel = "FILE",
      description =
          "Exact answers, present or absent: confirm each key that the filter finds by FILE, which"
              + " has the keys that the filter was built from. The keys to look up are read twice.")
  private @Nullable String file;

  @Mixin private MemoryOption memory = new MemoryOption();

  /** Whether answers are exact. */
  boolean isGiven() {
    return file != null;
  }

  String file() {
    return Objects.requireNonNull(file, "--against");
  }

  /** Fails if the file is standard input and something else reads that, too. */
  void check(boolean readsInput) {
    if (readsInput && KeyInput.STANDARD_INPUT.equals(file)) {
      throw new Problem("--against - is standard input, which is read as well; name a file");
    }
  }

  /**
   * Finds the false positives among the answers for keys and then for the input, which may be null.
   */
  FalsePositives falsePositives(
      Console console,
      Filter filter,
      String filterName,
      Supplier<Reading> readings,
      List<byte[]> keys,
      @Nullable KeyInput input) {
    KeyInput original = new KeyInput(console, List.of(file()));
    Reading reading = readings.get().unnoticed(); // bad rows are counted in the second pass
    long bytes = input == null ? 0 : input.bytes();
    try (Confirmation confirmation =
        new Confirmation(filter, reading.keys(), memory.bytes(), bytes)) {
      keys.forEach(key -> confirmation.ask(reading.form().of(key, 0, key.length)));
      if (input != null) {
        confirmation.ask(input, reading);
      }
      return confirmation.compare(original, readings.get(), filterName);
    }
  }
}
