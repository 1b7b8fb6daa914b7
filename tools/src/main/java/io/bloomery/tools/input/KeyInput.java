package io.bloomery.tools.input;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The source of keys: files, plain or compressed as detected from their first bytes, and standard
 * input.
 */
public final class KeyInput {

  /** The name that stands for standard input. */
  public static final String STANDARD_INPUT = "-";

  private static final long UNKNOWN = -1;

  private final Console console;
  private final List<String> names;

  /** Reads these files one after another; none means standard input. */
  public KeyInput(Console console, List<String> names) {
    this.console = console;
    this.names = names.isEmpty() ? List.of(STANDARD_INPUT) : names;
    for (String name : this.names) {
      if (!name.equals(STANDARD_INPUT)) {
        checkReadable(Octets.path(name));
      }
    }
  }

  private static void checkReadable(Path file) {
    if (!Files.exists(file)) {
      throw new Problem(file, "no such file");
    }
    if (Files.isDirectory(file)) {
      throw new Problem(file, "is a directory");
    }
    if (!Files.isReadable(file)) {
      throw new Problem(file, "permission denied");
    }
    if (Files.isRegularFile(file)) {
      refuseMarked(file);
    }
  }

  /**
   * Refuses files that are not keys before anything is read; other failures are reported when the
   * file is read.
   */
  private static void refuseMarked(Path file) {
    try (KeyStreams streams = new KeyStreams(file, bytes -> {})) {
      streams.nextKeys(false);
    } catch (IOException e) {
      return;
    }
  }

  /** How many bytes there are to read, before they are unpacked; -1 if that is not known. */
  public long bytes() {
    long bytes = 0;
    for (String name : names) {
      Path file = Octets.path(name);
      if (name.equals(STANDARD_INPUT) || !Files.isRegularFile(file)) {
        return UNKNOWN;
      }
      try {
        bytes += Files.size(file);
      } catch (IOException e) {
        throw Problem.with(file, e);
      }
    }
    return bytes;
  }

  /** Whether a file is one of these; one that does not exist is none of them. */
  public boolean contains(Path file) {
    if (!Files.exists(file)) {
      return false;
    }
    for (String name : names) {
      try {
        if (!name.equals(STANDARD_INPUT) && Files.isSameFile(Octets.path(name), file)) {
          return true;
        }
      } catch (IOException e) {
        throw Problem.with(name, e);
      }
    }
    return false;
  }

  /** Opens the input for reading block by block; rejected rows and warnings are as in a read. */
  public BlockReader open(Reading reading, LongConsumer progress) {
    reading.badRows().check(this);
    return new BlockReader(console, reading, new KeyStreams(console, names, progress));
  }

  /**
   * Passes all keys to {@code sink}, and the number of bytes read to {@code progress}. On several
   * cores, reading, splitting and hashing run concurrently with the sink.
   */
  public void read(Reading reading, BlockSink sink, LongConsumer progress) {
    BadRows badRows = reading.badRows();
    badRows.check(this);
    long known = badRows.count();
    KeyStreams streams = new KeyStreams(console, names, progress);
    try (streams) {
      new Pipeline(reading, new BlockSource(streams, reading.splitter()), sink).run();
    } catch (IOException e) {
      throw streams.problem(e);
    }
    if (badRows.count() > known) {
      console.warn(badRows.text());
    }
  }
}
