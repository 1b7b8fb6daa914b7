package io.bloomery.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A temporary file next to its target, locked while its process writes it. Its name is derived from
 * the target's, so that the next writer finds the leftovers of a killed process, which are not
 * locked.
 */
final class Temporary implements Closeable {

  /** The prefix of every temporary file's name. */
  static final String PREFIX = ".bloomery-";

  private static final int MOST_WRITERS = 10_000;

  /** Opened to read, too: opening a pipe only to write would wait for its reader. */
  private static final Set<OpenOption> AGAIN =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  /**
   * The files of this process. They must not be opened again: closing any channel of a file
   * releases all locks that the process holds on it.
   */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;
  private @Nullable FileChannel again; // null until the lock has been tried a second time
  private boolean renamed;

  private Temporary(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * A new empty file in the directory of {@code target}.
   *
   * @param parent that directory
   * @param permissions of the file, or null for those of the process
   */
  static Temporary beside(Path target, Path parent, @Nullable Set<PosixFilePermission> permissions)
      throws IOException {
    Path directory = parent.toRealPath();
    int name = target.getFileName().toString().hashCode();
    for (int writer = 0; writer < MOST_WRITERS; writer++) {
      Path file = directory.resolve("%s%08x-%d.tmp".formatted(PREFIX, name, writer));
      Temporary temporary = OWN.add(file) ? claim(file, permissions) : null;
      if (temporary != null) {
        return temporary;
      }
    }
    throw new FileSystemException(target.toString(), null, "too many processes write it");
  }

  /** The file itself. */
  Path file() {
    return file;
  }

  /**
   * Creates and locks a file listed in {@link #OWN}; if another process has it, unlists it and
   * returns null.
   */
  private static @Nullable Temporary claim(
      Path file, @Nullable Set<PosixFilePermission> permissions) throws IOException {
    Temporary claimed = null;
    try {
      do {
        try {
          claimed = new Temporary(file, create(file, permissions)).locked();
        } catch (FileAlreadyExistsException e) {
          if (!removeAbandoned(file)) {
            return null;
          }
        }
      } while (claimed == null);
      return claimed;
    } finally {
      if (claimed == null) {
        OWN.remove(file);
      }
    }
  }

  /** Opens a new file that never has more permissions than its final ones. */
  private static FileChannel create(Path file, @Nullable Set<PosixFilePermission> permissions)
      throws IOException {
    Set<StandardOpenOption> options =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    if (permissions == null) {
      return FileChannel.open(file, options);
    }
    FileChannel channel =
        FileChannel.open(file, options, PosixFilePermissions.asFileAttribute(permissions));
    try {
      PosixFileAttributeView view =
          Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      if (!view.readAttributes().permissions().equals(permissions)) {
        view.setPermissions(permissions); // the umask of the process removed some
      }
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      Files.deleteIfExists(file);
      throw e;
    }
  }

  /** This file once it is locked; null if another process has mistaken it for an abandoned one. */
  private @Nullable Temporary locked() throws IOException {
    try {
      if (tryLock()) {
        return this;
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
    channel.close();
    return null;
  }

  private boolean tryLock() throws IOException {
    boolean locked;
    try {
      locked = channel.tryLock() != null;
    } catch (IOException e) {
      if (!channel.isOpen()) {
        throw e;
      }
      // A file system without locks: no process can mistake the file for an abandoned one.
      return true;
    }
    return locked && hasItsName();
  }

  /**
   * Whether the name still refers to this locked file, and not to the file of another process that
   * had removed ours. Only the lock can tell: this process cannot lock the same file twice. The
   * second channel stays open with the first, since closing it would release the lock.
   */
  private boolean hasItsName() throws IOException {
    try {
      again = FileChannel.open(file, AGAIN);
      again.tryLock();
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (NoSuchFileException e) {
      return false;
    } catch (AccessDeniedException e) {
      return true; // No process mistakes a file that it cannot open for an abandoned one.
    }
    again.close();
    return false;
  }

  /**
   * Removes a file whose writer is gone; returns false if it has a writer, if that is unknown, or
   * if something else than a file has the name: a link, a pipe. If another process has replaced the
   * file in the meantime, the new file stays: it is not the one that was locked.
   */
  private static boolean removeAbandoned(Path file) {
    try {
      AtomicFile.Identity before = AtomicFile.Identity.of(file);
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        return false;
      }
      try (FileChannel other = FileChannel.open(file, AGAIN)) {
        if (other.tryLock() == null || !before.equals(AtomicFile.Identity.of(file))) {
          return false;
        }
        Files.deleteIfExists(file);
        return true;
      }
    } catch (IOException | OverlappingFileLockException e) {
      return false;
    }
  }

  /** Takes the bytes. */
  FileChannel channel() {
    return channel;
  }

  /** Replaces another file by this one. */
  void renameTo(Path target) throws IOException {
    try {
      Files.move(file, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(file, target, StandardCopyOption.REPLACE_EXISTING);
    }
    renamed = true;
  }

  /** Removes the file unless it has been renamed. */
  @Override
  public void close() throws IOException {
    try (channel) {
      if (!renamed) {
        Files.deleteIfExists(file);
      }
    } finally {
      OWN.remove(file);
      if (again != null) {
        again.close();
      }
    }
  }
}
