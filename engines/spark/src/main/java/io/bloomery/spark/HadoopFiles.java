package io.bloomery.spark;

import io.bloomery.FilterFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.UnsupportedFileSystemException;

/** Whole files on any file system that Hadoop knows. */
final class HadoopFiles {

  private HadoopFiles() {}

  /** What a file holds. */
  @FunctionalInterface
  interface Content {
    /** Writes all of it, and does not close the stream. */
    void writeTo(OutputStream out) throws IOException;
  }

  /** What is read from a file. */
  @FunctionalInterface
  interface Reader<T> {
    /** Reads it, and does not close the stream. */
    T read(InputStream in) throws IOException;
  }

  /** Reads a file; errors name it. */
  static <T> T read(Configuration hadoop, Path file, Reader<T> reader) throws IOException {
    try (InputStream in = file.getFileSystem(hadoop).open(file)) {
      return reader.read(in);
    } catch (IOException e) {
      throw named(file, e);
    } catch (OutOfMemoryError e) { // of a large array, which leaves the rest as it was
      throw named(file, new IOException("the heap has no room for it", e));
    }
  }

  /** An error of a file that names it as the caller did. */
  private static IOException named(Path file, IOException error) {
    if (error instanceof FilterFormatException problem) {
      return caused(
          new FilterFormatException(
              file.toString(), problem.offset(), SharedFilter.withoutSource(problem)),
          error);
    }
    String message = String.valueOf(error.getMessage());
    return message.contains(file.toString())
        ? error
        : caused(new PathIOException(file.toString(), message), error);
  }

  private static IOException caused(IOException error, IOException cause) {
    return error.getCause() == null ? (IOException) error.initCause(cause) : error;
  }

  /**
   * Writes a temporary file beside the target and renames it, so that no reader sees a partial
   * file, and makes missing directories. A file that exists is replaced in one step where the file
   * system can: HDFS and local files. Object stores copy, and file systems without a {@link
   * FileContext} delete the old file first.
   */
  static void replace(Configuration hadoop, Path file, Content content) throws IOException {
    try {
      replaceUnnamed(hadoop, file, content);
    } catch (IOException e) {
      throw named(file, e);
    }
  }

  private static void replaceUnnamed(Configuration hadoop, Path file, Content content)
      throws IOException {
    FileSystem system = file.getFileSystem(hadoop);
    Path target = system.makeQualified(file);
    Path temporary =
        new Path(target.getParent(), "." + target.getName() + "." + UUID.randomUUID() + ".tmp");
    FileContext files;
    try {
      files = FileContext.getFileContext(target.toUri(), hadoop);
    } catch (UnsupportedFileSystemException e) {
      replaceInSteps(system, temporary, target, content);
      return;
    }
    try {
      try (OutputStream out =
          files.create(
              temporary, EnumSet.of(CreateFlag.CREATE), Options.CreateOpts.createParent())) {
        content.writeTo(out);
      }
      files.rename(temporary, target, Options.Rename.OVERWRITE);
    } catch (IOException | RuntimeException e) {
      files.delete(temporary, false);
      throw e;
    }
  }

  private static void replaceInSteps(
      FileSystem system, Path temporary, Path target, Content content) throws IOException {
    try {
      try (OutputStream out = system.create(temporary, false)) {
        content.writeTo(out);
      }
      system.delete(target, false);
      if (!system.rename(temporary, target)) {
        throw new IOException(temporary + " cannot be renamed to " + target);
      }
    } catch (IOException | RuntimeException e) {
      system.delete(temporary, false);
      throw e;
    }
  }
}
