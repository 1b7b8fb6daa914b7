package io.bloomery.cli.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/** Writes files that are no filters so that they appear as a whole or not at all. */
public final class WholeFile {

  private WholeFile() {}

  /** Writes beside the file and renames; to a device it writes directly. */
  public static void write(Path file, byte[] bytes) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      Files.write(file, bytes, StandardOpenOption.WRITE);
      return;
    }
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path temporary =
        target.resolveSibling(".bloom-%016x.tmp".formatted(ThreadLocalRandom.current().nextLong()));
    try {
      try (FileChannel channel =
          FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) {
          channel.write(rest);
        }
        channel.force(true);
      }
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
