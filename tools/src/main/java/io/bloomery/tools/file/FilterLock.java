package io.bloomery.tools.file;

import static java.util.Objects.requireNonNull;

import io.bloomery.file.AtomicFile;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.console.Shutdown;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The right to change a filter's file, which one process has at a time; without it the keys of the
 * other would be lost. Data read before the lock was taken may be out of date.
 *
 * <p>The system releases the lock when its process ends for any reason. It is on a separate file
 * next to the filter, {@code .bloomery-….lock}: POSIX drops all locks of a process on a file when
 * the process closes any descriptor of that file, and a filter is opened and closed several times.
 * The file is deleted with the lock; the next process uses and deletes the file of a killed one.
 */
public final class FilterLock implements AutoCloseable {

  /** Is told as long as another process has the lock. */
  @FunctionalInterface
  public interface Waiting {
    /** Goes on after so much time, 0 at first, or throws to give up. */
    void goesOn(Duration waited);
  }

  private static final long POLL_MILLIS = 20;

  /** How often a lock file that others replace is opened before this process waits a while. */
  private static final int MOST_REPLACED = 100;

  /** To read, too: opening a pipe only to write would wait for its reader. */
  private static final Set<OpenOption> OPEN =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  /** Lock files of this process, which must not open them a second time. */
  private static final Set<Path> HELD = new HashSet<>();

  private final Path path;
  private final Path lockFile;
  private final Thread cleanup = new Thread(this::abandon, "bloom-unlock");
  private @Nullable FileChannel channel; // null unless the lock is held

  /**
   * Whether the lock file is this lock's to delete, which is done once: by close or at shutdown.
   */
  private final AtomicBoolean held = new AtomicBoolean();

  /** Held while the lock file is made and locked. */
  private final ReentrantLock locking = new ReentrantLock();

  private volatile boolean ending;
  private volatile Runnable last = () -> {};

  private FilterLock(Path path) {
    this.path = path;
    long hash = Hasher.xxh3().hash(Octets.bytes(Octets.name(path.getFileName())));
    this.lockFile = path.resolveSibling(".bloomery-%016x.lock".formatted(hash));
  }

  /**
   * Takes the lock of a file that exists. As long as another process has it, tells {@code waiting},
   * which may throw.
   */
  public static FilterLock on(Path file, Waiting waiting) {
    return on(file, false, waiting);
  }

  /** The same for a file that may not exist yet. */
  public static FilterLock onNew(Path file, Waiting waiting) {
    return on(file, true, waiting);
  }

  private static FilterLock on(Path file, boolean isNew, Waiting waiting) {
    if (Files.isDirectory(file)) {
      throw new Problem(file, "is a directory, not a filter");
    }
    try {
      while (true) {
        Path real = real(file, isNew);
        if (Files.exists(real)) {
          if (!Files.isRegularFile(real)) {
            throw new Problem(file, "is not a regular file");
          }
          if (!Files.isWritable(real)) {
            throw new AccessDeniedException(file.toString());
          }
        }
        FilterLock lock = new FilterLock(real);
        lock.take(waiting);
        if (real.equals(real(file, isNew))) {
          return lock;
        }
        lock.close(); // a symbolic link that was changed in the meantime
      }
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }

  private static Path real(Path file, boolean isNew) throws IOException {
    if (!isNew || Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return file.toRealPath();
    }
    Path absolute = Octets.absolute(file);
    Path directory = absolute.getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new Problem(file, "there is no directory of this name");
    }
    return directory.toRealPath().resolve(absolute.getFileName());
  }

  private void take(Waiting waiting) throws IOException {
    boolean first = true;
    long start = System.nanoTime();
    Shutdown.add(cleanup);
    try {
      while (!tryHold() || !tryLock()) {
        waiting.goesOn(first ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - start));
        first = false;
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for another change");
    } finally {
      if (channel == null) {
        Shutdown.remove(cleanup);
      }
    }
  }

  private boolean tryHold() {
    synchronized (HELD) {
      return HELD.add(lockFile);
    }
  }

  private void release() {
    synchronized (HELD) {
      HELD.remove(lockFile);
    }
  }

  /** Locks the lock file, unless another has locked it. */
  private boolean tryLock() throws IOException {
    locking.lock();
    try {
      boolean replaced = true;
      for (int i = 0; i < MOST_REPLACED && replaced && !ending; i++) {
        create();
        replaced = !tryOnce();
      }
    } finally {
      locking.unlock();
      if (channel == null) {
        release();
      }
    }
    return channel != null;
  }

  /**
   * Tries to lock the lock file; false if it was replaced in the meantime, as {@link
   * AtomicFile.Identity} shows. In a directory that others may write to, the name may be a link or
   * a pipe: links are not followed, and only a regular file is locked.
   */
  private boolean tryOnce() throws IOException {
    FileChannel opened = null;
    try {
      AtomicFile.Identity before = AtomicFile.Identity.of(lockFile);
      if (!Files.isRegularFile(lockFile, LinkOption.NOFOLLOW_LINKS)
          && Files.exists(lockFile, LinkOption.NOFOLLOW_LINKS)) {
        throw new Problem(lockFile, "is not a regular file, and has the name of a lock; remove it");
      }
      opened = FileChannel.open(lockFile, OPEN);
      if (opened.tryLock() == null) {
        return true;
      }
      if (!before.equals(AtomicFile.Identity.of(lockFile))) {
        return false;
      }
      channel = opened;
      held.set(true);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    } finally {
      if (channel == null && opened != null) {
        opened.close();
      }
    }
  }

  /**
   * Creates the lock file with the permissions of the filter. Another process may lock and delete
   * it at any time, which shows when this one opens it.
   */
  private void create() throws IOException {
    try {
      Files.createFile(lockFile);
      PosixFileAttributeView view =
          Files.getFileAttributeView(
              lockFile, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      if (view != null && Files.exists(path)) {
        view.setPermissions(Files.getPosixFilePermissions(path));
      }
    } catch (FileAlreadyExistsException e) {
      return;
    } catch (AccessDeniedException e) {
      throw new Problem(
          "%s: cannot be replaced, for its directory %s is not writable"
              .formatted(
                  Octets.name(path),
                  Octets.name(requireNonNull(path.toAbsolutePath().getParent()))));
    } catch (NoSuchFileException e) {
      if (!e.getFile().equals(lockFile.toString())) {
        throw e;
      }
    }
  }

  /** Runs {@code work} if the process is ended while it has the lock, before the lock is gone. */
  public void atShutdown(Runnable work) {
    last = work;
  }

  /**
   * Deletes the lock file on shutdown, and prevents another attempt. An attempt that is under way
   * is waited for, but not for long: the file system may block it.
   */
  private void abandon() {
    last.run();
    ending = true;
    boolean waited = false;
    try {
      waited = locking.tryLock(1, TimeUnit.SECONDS);
      if (held.compareAndSet(true, false)) {
        delete();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (waited) {
        locking.unlock();
      }
    }
  }

  private void delete() {
    try {
      Files.deleteIfExists(lockFile);
    } catch (IOException e) {
      return; // the next one uses it
    }
  }

  /** The file, after symbolic links. */
  public Path path() {
    return path;
  }

  @Override
  public void close() {
    try {
      if (channel != null && held.compareAndSet(true, false)) {
        delete(); // before the lock ends, so that the next owner of it notices
        channel.close();
      } // otherwise the process is ending, and the lock with it
    } catch (IOException e) {
      throw Problem.with(path, e);
    } finally {
      release();
      Shutdown.remove(cleanup);
    }
  }
}
