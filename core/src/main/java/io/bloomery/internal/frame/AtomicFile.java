package io.bloomery.internal.frame;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Replaces a file as a whole: the bytes go to a temporary file in the same directory, are synced,
 * and the temporary file is renamed over the target, whose directory is synced then. Whatever fails
 * before the rename leaves the target as it was and no temporary file behind.
 *
 * <p>A symbolic link stays and the file it names is replaced. A file that is replaced keeps its
 * permissions, not its owner; a new one gets those of the process. What is neither a file nor a
 * directory (a pipe, a device) cannot be renamed over and is written directly.
 */
public final class AtomicFile {

  /** Writes the contents. */
  @FunctionalInterface
  public interface Contents {

    /** Writes everything; the stream is closed by the caller. */
    void writeTo(OutputStream out) throws IOException;
  }

  private static final int MAX_LINKS = 40;

  private AtomicFile() {}

  /** Replaces {@code file}, or makes it. */
  public static void write(Path file, Contents contents) throws IOException {
    BasicFileAttributes existing = attributes(file);
    if (existing == null) {
      replace(afterLinks(file), contents, null);
    } else if (existing.isRegularFile()) {
      Path real = file.toRealPath();
      replace(real, contents, permissions(real));
    } else if (existing.isDirectory()) {
      throw new FileSystemException(file.toString(), null, "is a directory");
    } else {
      try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
        contents.writeTo(out);
      }
    }
  }

  /** What a path leads to, or null if it leads to nothing. */
  private static BasicFileAttributes attributes(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** The file that a chain of links to nothing would have. */
  private static Path afterLinks(Path file) throws IOException {
    Path at = file.toAbsolutePath();
    for (int links = 0; Files.isSymbolicLink(at); links++) {
      if (links == MAX_LINKS) {
        throw new FileSystemLoopException(file.toString());
      }
      at = at.resolveSibling(Files.readSymbolicLink(at));
    }
    return at;
  }

  /** The permissions of a file, or null where files have none. */
  private static Set<PosixFilePermission> permissions(Path file) throws IOException {
    return Files.getFileStore(file).supportsFileAttributeView("posix")
        ? Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS)
        : null;
  }

  private static void replace(Path target, Contents contents, Set<PosixFilePermission> permissions)
      throws IOException {
    Path directory = target.getParent();
    Path temporary =
        directory.resolve(".bloomery-%016x.tmp".formatted(ThreadLocalRandom.current().nextLong()));
    boolean done = false;
    try {
      try (FileChannel channel = create(temporary, permissions)) {
        contents.writeTo(Channels.newOutputStream(channel));
        channel.force(true);
      }
      move(temporary, target);
      done = true;
    } finally {
      if (!done) {
        Files.deleteIfExists(temporary);
      }
    }
    syncDirectory(directory);
  }

  /** Opens a new file that at no time has more permissions than it will have in the end. */
  private static FileChannel create(Path file, Set<PosixFilePermission> permissions)
      throws IOException {
    Set<StandardOpenOption> options =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    if (permissions == null) {
      return FileChannel.open(file, options);
    }
    FileAttribute<Set<PosixFilePermission>> attribute =
        PosixFilePermissions.asFileAttribute(permissions);
    FileChannel channel = FileChannel.open(file, options, attribute);
    try {
      // The process's mask may have taken away some.
      Files.setPosixFilePermissions(file, permissions);
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Makes the rename itself durable, where the system lets a directory be opened and synced. */
  private static void syncDirectory(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Not every system can; the file itself is synced and the rename is done.
      return;
    }
  }
}
