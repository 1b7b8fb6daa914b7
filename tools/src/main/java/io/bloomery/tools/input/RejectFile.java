package io.bloomery.tools.input;

import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that rows are appended to as they are in the input, those of a block at once. Its contents
 * are never overwritten, and nothing is buffered, so that rows left out of a result are in it even
 * if the command is killed afterwards.
 */
public final class RejectFile {

  private final Path path;
  private final String name;
  private final OutputStream out; // open as long as the command runs: it may be a pipe
  private final Bytes rows = new Bytes();

  /** Opens a file, which is made if there is none. */
  public RejectFile(String name) {
    this.path = Octets.path(name);
    this.name = name;
    if (Files.isDirectory(path)) {
      throw new Problem(name + ": is a directory");
    }
    try {
      this.out = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new Problem("%s: cannot be written; --on-error reject=FILE needs it".formatted(name));
    }
  }

  /** Fails if it is one of the inputs. */
  void check(KeyInput input) {
    if (input.contains(path)) {
      throw readToo();
    }
  }

  /** Fails if it is this input. */
  void check(Path input) {
    try {
      if (Files.isSameFile(input, path)) {
        throw readToo();
      }
    } catch (IOException e) {
      throw Problem.with(input, e);
    }
  }

  private Problem readToo() {
    return new Problem(name + ": cannot be read and get the rejected rows, too");
  }

  /** Adds a row, with an end if it is the last of its input and lacks one. */
  void add(byte[] bytes, int offset, int length, byte[] recordEnd) {
    rows.key(bytes, offset, length);
    if (recordEnd.length > 0 && bytes[offset + length - 1] != recordEnd[recordEnd.length - 1]) {
      rows.key(recordEnd, 0, recordEnd.length);
    }
  }

  /** Writes what was added. */
  void flush() {
    if (rows.length() > 0) {
      try {
        out.write(rows.array(), 0, rows.length());
      } catch (IOException e) {
        throw Problem.with(name, e);
      }
      rows.clear();
    }
  }
}
