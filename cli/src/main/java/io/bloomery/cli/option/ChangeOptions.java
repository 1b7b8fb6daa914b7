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
 * The arguments of commands that add keys to a filter or remove them: its file, the keys, and how
 * they are read.
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

  public Path file() {
    return file;
  }

  /** The keys given on the command line. */
  public List<String> keys() {
    return List.copyOf(keys);
  }

  /** The input with further keys, or null if there is none; fails if the options are invalid. */
  public @Nullable KeyInput input(Console console) {
    inputOptions.check();
    locking.check();
    if (!keys.isEmpty() && files.isEmpty()) {
      return null;
    }
    KeyInput input = new KeyInput(console, files);
    if (input.contains(file)) {
      throw new Problem(file, "is also the input");
    }
    return input;
  }

  /** Locks the filter's file. */
  public FilterLock lock(Console console) {
    return locking.lock(file, console);
  }

  /** How keys of the filter are read. */
  public Reading reading(OpenFilter opened) {
    return typing.reading(inputOptions, opened);
  }
}
