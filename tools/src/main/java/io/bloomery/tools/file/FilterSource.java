package io.bloomery.tools.file;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.KeyStreams;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.spill.SpillFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A filter as the user names it: a file, a pipe or {@code -} for standard input, plain or packed.
 * Other inputs than plain files are copied to a temporary file, because filters are mapped.
 */
public final class FilterSource {

  private static final int BUFFER = 1 << 16;

  private static final String STANDARD_INPUT = "standard input";

  private FilterSource() {}

  /** Whether it is standard input. */
  public static boolean isStandardInput(Path named) {
    return named.toString().equals(KeyInput.STANDARD_INPUT);
  }

  /** Its name in messages and reports. */
  public static String name(Path named) {
    return isStandardInput(named) ? STANDARD_INPUT : Octets.name(named);
  }

  /**
   * Passes a plain file to {@code reader} and deletes it afterwards if it is a copy; error messages
   * use the name that the user gave.
   */
  public static <T> T read(Console console, Path named, Function<Path, T> reader) {
    Path copy = copy(console, named);
    if (copy == null) {
      return reader.apply(named);
    }
    try {
      return reader.apply(copy);
    } catch (Problem e) {
      throw e.renamed(Octets.name(copy), name(named));
    } finally {
      delete(copy);
    }
  }

  /** A plain copy, or null if it is a plain file already or there is nothing to copy. */
  private static @Nullable Path copy(Console console, Path named) {
    boolean input = isStandardInput(named);
    if (input && console.typed().getAsBoolean()) {
      throw new Problem("standard input is a terminal; a filter comes through a pipe");
    }
    if (!input && (!Files.isReadable(named) || Files.isDirectory(named))) {
      return null;
    }
    KeyStreams streams = new KeyStreams(console, List.of(Octets.name(named)), bytes -> {});
    try (streams) {
      InputStream in = Objects.requireNonNull(streams.next(), "one input");
      if (!input && !streams.isPacked() && Files.isRegularFile(named)) {
        return null;
      }
      return save(in);
    } catch (IOException e) {
      throw streams.problem(e);
    }
  }

  private static Path save(InputStream in) throws IOException {
    Path directory = SpillFile.directory();
    Path copy = made(directory);
    boolean saved = false;
    try (OutputStream out = Files.newOutputStream(copy)) {
      byte[] bytes = new byte[BUFFER];
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        write(out, bytes, read, directory);
      }
      saved = true;
      return copy;
    } finally {
      if (!saved) {
        delete(copy);
      }
    }
  }

  private static Path made(Path directory) {
    try {
      Path copy = Files.createTempFile(directory, "bloom-", ".filter");
      copy.toFile().deleteOnExit();
      return copy;
    } catch (IOException e) {
      throw SpillFile.problem(directory, e);
    }
  }

  private static void write(OutputStream out, byte[] bytes, int length, Path directory) {
    try {
      out.write(bytes, 0, length);
    } catch (IOException e) {
      throw SpillFile.problem(directory, e);
    }
  }

  private static void delete(Path copy) {
    try {
      Files.deleteIfExists(copy);
    } catch (IOException e) {
      copy.toFile().deleteOnExit();
    }
  }
}
