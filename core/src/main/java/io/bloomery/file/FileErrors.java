package io.bloomery.file;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Errors of writing that name the file the caller knows, not its replacement. */
final class FileErrors {

  private FileErrors() {}

  /** An error of writing a file, which names it: those of channels name nothing. */
  static IOException named(Path file, IOException error) {
    return error.getClass() == IOException.class
        ? caused(new FileSystemException(file.toString(), null, error.getMessage()), error)
        : error;
  }

  /** An error of a file or directory used on behalf of another file, which names that one. */
  static IOException inPlaceOf(Path file, FileSystemException error) {
    String name = file.toString();
    String reason = error.getReason() == null ? error.getFile() : error.getReason();
    if (error instanceof NoSuchFileException) {
      return caused(new NoSuchFileException(name, null, "no such directory"), error);
    }
    if (error instanceof AccessDeniedException) {
      return caused(new AccessDeniedException(name, null, "no access to its directory"), error);
    }
    return caused(new FileSystemException(name, null, reason), error);
  }

  /** A stream into a file or its replacement, whose errors name the file. */
  static OutputStream naming(Path file, OutputStream out) {
    return new Naming(file, out);
  }

  private static IOException caused(IOException error, IOException cause) {
    error.initCause(cause);
    return error;
  }

  private static final class Naming extends FilterOutputStream {

    private final Path file;

    Naming(Path file, OutputStream out) {
      super(out);
      this.file = file;
    }

    @Override
    public void write(int b) throws IOException {
      try {
        out.write(b);
      } catch (IOException e) {
        throw named(file, e);
      }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        throw named(file, e);
      }
    }
  }
}
