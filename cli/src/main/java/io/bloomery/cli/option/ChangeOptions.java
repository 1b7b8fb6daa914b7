package io.bloomery.cli.option;

import io.bloomery.cli.file.OpenFilter;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.file.FilterLock;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.problem.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * What commands that change a filter by keys have in common: its file, the keys, and their form.
 */
public final class ChangeOptions {

  @Parameters(index = "0", paramLabel = "FILTER", description = "The filter to change.")
  private Path file;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "FILE",
      description = "Files of keys, plain or compressed. None or -: standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = {"-k", "--key"},
      paramLabel = "KEY",
      description = "A key; may be repeated.")
  private List<String> keys = new ArrayList<>();

  @Mixin private InputOptions inputOptions = new InputOptions();

  @Mixin private TypeOption typing = new TypeOption();

  @Mixin private LockOption locking = new LockOption();

  /** The file of the filter. */
  public Path file() {
    return file;
  }

  /** The keys of the command line. */
  public List<String> keys() {
    return List.copyOf(keys);
  }

  /** Where other keys come from, null if there are none; fails if the options are wrong. */
  public @Nullable KeyInput input(Console console) {
    inputOptions.check();
    locking.check();
    if (!keys.isEmpty() && files.isEmpty()) {
      return null;
    }
    KeyInput input = new KeyInput(console, files);
    if (input.contains(file)) {
      throw new Problem(file + ": is also the input");
    }
    return input;
  }

  /** Takes the lock of the filter's file. */
  public FilterLock lock(Console console) {
    return locking.lock(file, console);
  }

  /** How keys of the filter are read. */
  public Reading reading(OpenFilter opened) {
    return typing.reading(inputOptions, opened);
  }
}
