package io.bloomery.cli.file;

import io.bloomery.cli.console.Problem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * Keeps others from changing a filter's file at the same time, whose keys would be lost. It is the
 * system's lock, so that it ends with the process, however that ends.
 */
public final class FilterLock implements AutoCloseable {

  private final Path path;
  private final FileChannel channel;

  private FilterLock(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** Takes the lock, or says who has it. */
  public static FilterLock on(Path file) {
    if (Files.isDirectory(file)) {
      throw new Problem(file + ": is a directory, not a filter");
    }
    try {
      Path real = file.toRealPath();
      FileChannel channel =
          FileChannel.open(real, StandardOpenOption.READ, StandardOpenOption.WRITE);
      Object before = key(real);
      if (!lock(channel) || !Objects.equals(before, key(real))) {
        channel.close();
        throw new Problem(file + ": is being changed by another command; try again");
      }
      return new FilterLock(real, channel);
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }

  /** Which file it is that has this name now: who replaces it makes another. */
  private static Object key(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  private static boolean lock(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  /** The file, after links. */
  public Path path() {
    return path;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw Problem.with(path, e);
    }
  }
}
