package io.bloomery.cli.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/** Writes files that are no filters so that they appear as a whole or not at all. */
public final class WholeFile {

  /** Writes the content of a file. */
  @FunctionalInterface
  public interface Content {
    /** Writes to a stream, which is closed afterwards. */
    void writeTo(OutputStream out) throws IOException;
  }

  private WholeFile() {}

  /** Writes beside the file and renames; to a device it writes directly. */
  public static void write(Path file, byte[] bytes) throws IOException {
    write(file, out -> out.write(bytes));
  }

  /** The same with content that is made on the way; if that fails there is no file. */
  public static void write(Path file, Content content) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
        content.writeTo(out);
      }
      return;
    }
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path temporary =
        target.resolveSibling(".bloom-%016x.tmp".formatted(ThreadLocalRandom.current().nextLong()));
    try {
      try (FileChannel channel =
          FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        content.writeTo(Channels.newOutputStream(channel));
        channel.force(true);
      }
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
