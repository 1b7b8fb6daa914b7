package io.bloomery.cli.option;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.file.FilterLock;
import io.bloomery.tools.file.Saving;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name the file a command writes, and allow it to replace one. */
public abstract class OutputOptions {

  private static final String MEANING = "The file to write.";

  /** The option that allows to replace a file. */
  static final class Force {
    @Option(
        names = {"-f", "--force"},
        description = "Overwrite OUT if it exists.")
    private boolean force;
  }

  private OutputOptions() {}

  /** The file to write; only if one is named. */
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
   * Reads what there is and replaces the file, while no other command changes it; the lock is that
   * of a file that exists already.
   */
  public final <T> T replace(Console console, Supplier<T> work) {
    if (!isGiven() || !Files.isRegularFile(path())) {
      return work.get();
    }
    FilterLock lock = FilterLock.on(path(), () -> LockOption.tellWaiting(path(), console));
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
}
