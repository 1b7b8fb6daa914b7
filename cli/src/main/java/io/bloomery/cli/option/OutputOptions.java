package io.bloomery.cli.option;

import io.bloomery.file.AtomicFile;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.file.FilterLock;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name the file a command writes, and allow it to replace one. */
public abstract class OutputOptions {

  private static final String MEANING = "The file to write.";

  /** The option that allows a file to be replaced. */
  static final class Force {
    @Option(
        names = {"-f", "--force"},
        description = "Overwrite OUT if it exists.")
    private boolean force;
  }

  private OutputOptions() {}

  /** The file to write; only if {@link #isGiven}. */
  public abstract Path path();

  /** Whether the file may be replaced. */
  public abstract boolean isForced();

  /** Whether a file is named. */
  public abstract boolean isGiven();

  /** Fails, before anything is read, if the file is named and cannot be written. */
  public final void check() {
    if (isGiven()) {
      Saving.check(path(), isForced());
    }
  }

  /**
   * Runs work that replaces the file. If the file exists it is locked, so that no other command
   * changes it meanwhile.
   */
  public final <T> T replace(Console console, Supplier<T> work) {
    if (!isGiven() || !Files.isRegularFile(path())) {
      return work.get();
    }
    FilterLock lock = FilterLock.on(path(), LockOption.telling(path(), console));
    try {
      return work.get();
    } finally {
      lock.close();
    }
  }

  /** For commands that always write a file. */
  public static final class Required extends OutputOptions {
    @Option(
        names = {"-o", "--output"},
        required = true,
        paramLabel = "OUT",
        description = MEANING)
    private Path path;

    @Mixin private Force force = new Force();

    @Override
    public boolean isGiven() {
      return true;
    }

    @Override
    public Path path() {
      return path;
    }

    @Override
    public boolean isForced() {
      return force.force;
    }
  }

  /** For commands that write a file on request. */
  public static final class OnRequest extends OutputOptions {
    @Option(
        names = {"-o", "--output"},
        paramLabel = "OUT",
        description = MEANING)
    private @Nullable Path path;

    @Mixin private Force force = new Force();

    @Override
    public boolean isGiven() {
      return path != null;
    }

    @Override
    public Path path() {
      return Objects.requireNonNull(path, "--output");
    }

    @Override
    public boolean isForced() {
      return force.force;
    }
  }

  /** For commands whose results go to standard output or, on request, to a file. */
  public static final class Results extends OutputOptions {
    private static final Path STANDARD_OUTPUT = Path.of("-");

    @Option(
        names = {"-o", "--output"},
        paramLabel = "OUT",
        description = MEANING + " -: standard output, the default.")
    private @Nullable Path path;

    @Mixin private Force force = new Force();

    @Override
    public boolean isGiven() {
      return path != null && !path.equals(STANDARD_OUTPUT);
    }

    @Override
    public Path path() {
      return Objects.requireNonNull(path, "--output");
    }

    @Override
    public boolean isForced() {
      return force.force;
    }

    /** Fails, before anything is read, if the file is one of the inputs. */
    public void refuse(Iterable<String> inputs) {
      if (!isGiven() || !Files.exists(path())) {
        return;
      }
      for (String input : inputs) {
        try {
          if (Files.exists(Octets.path(input)) && Files.isSameFile(Octets.path(input), path())) {
            throw new Problem(path(), "is read as well; write to another file");
          }
        } catch (IOException e) {
          throw Problem.with(input, e);
        }
      }
    }

    /**
     * Runs work that prints its results to the console passed to it. The file appears when the work
     * is done; if the work fails, nothing changes.
     */
    public <T> T write(Console console, Function<Console, T> work) {
      if (!isGiven()) {
        return work.apply(console);
      }
      List<T> result = new ArrayList<>();
      Saving.save(
          target ->
              AtomicFile.write(
                  target,
                  stream -> {
                    StandardOutput out = new StandardOutput(stream, target);
                    result.add(work.apply(console.printingTo(out)));
                    out.flush();
                  }),
          path());
      return result.get(0);
    }
  }
}
