package io.bloomery.cli.partition;

import io.bloomery.tools.console.Shutdown;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.input.Bytes;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of all parts, which get their names when all of them are complete. Until then they are
 * in a hidden directory beside their final place. Only one of them is open at a time; writes are
 * buffered in memory.
 */
final class PartFiles implements AutoCloseable {

  private static final long MOST_MEMORY = 64L << 20;
  private static final int LEAST_BUFFER = 512;
  private static final int MOST_BUFFER = 1 << 18;

  private final PartNames names;
  private final boolean force;
  private final Bytes[] buffers;
  private final int bufferBytes;
  private final Path directory;
  private final Thread hook;

  /** Checks that all files can be written, and creates the hidden directory. */
  PartFiles(PartNames names, int parts, boolean force) {
    this.names = names;
    this.force = force;
    this.buffers = new Bytes[parts];
    for (int i = 0; i < parts; i++) {
      buffers[i] = new Bytes();
    }
    long memory = Math.min(MOST_MEMORY, Runtime.getRuntime().maxMemory() / 8);
    this.bufferBytes = (int) Math.max(LEAST_BUFFER, Math.min(MOST_BUFFER, memory / 2 / parts));
    checkNames();
    try {
      directory = Files.createTempDirectory(names.directory(), ".bloomery-");
    } catch (IOException e) {
      throw Problem.with(names.directory(), e);
    }
    hook = new Thread(this::delete, "bloom-cleanup");
    Shutdown.add(hook);
  }

  private void checkNames() {
    for (int i = 0; i < buffers.length; i++) {
      Saving.check(names.file(i), force);
    }
  }

  private Path temporary(int part) {
    return directory.resolve(Integer.toString(part));
  }

  /** Appends to a part. */
  void write(int part, byte[] bytes, int offset, int length) {
    Bytes buffer = buffers[part];
    if (buffer.length() + length > bufferBytes) {
      append(part, buffer.array(), 0, buffer.length());
      buffer.clear();
    }
    if (length > bufferBytes) {
      append(part, bytes, offset, length);
    } else {
      buffer.key(bytes, offset, length);
    }
  }

  private void append(int part, byte[] bytes, int offset, int length) {
    try (OutputStream out =
        Files.newOutputStream(
            temporary(part), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw Problem.with(names.name(part), e);
    }
  }

  /** Writes what is still buffered and gives all files their names. */
  void finish() {
    for (int i = 0; i < buffers.length; i++) {
      append(i, buffers[i].array(), 0, buffers[i].length());
      try (FileChannel file = FileChannel.open(temporary(i), StandardOpenOption.WRITE)) {
        file.force(true);
      } catch (IOException e) {
        throw Problem.with(names.name(i), e);
      }
    }
    checkNames(); // another process may have created one since
    rename();
  }

  /** Gives all files their names; if that fails for one, those that are new are deleted again. */
  private void rename() {
    List<Path> made = new ArrayList<>();
    for (int i = 0; i < buffers.length; i++) {
      Path file = names.file(i);
      boolean isNew = !Files.exists(file);
      try {
        Files.move(temporary(i), file, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        for (Path other : made) {
          remove(other);
        }
        throw Problem.with(names.name(i), e);
      }
      if (isNew) {
        made.add(file);
      }
    }
  }

  @Override
  public void close() {
    delete();
    Shutdown.remove(hook);
  }

  private void delete() {
    try (Stream<Path> files = Files.list(directory)) {
      files.forEach(PartFiles::remove);
    } catch (IOException e) {
      return; // already deleted
    }
    remove(directory);
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      return; // the first error is the one to report
    }
  }
}
