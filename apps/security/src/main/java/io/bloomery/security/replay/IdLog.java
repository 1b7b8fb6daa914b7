package io.bloomery.security.replay;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of accepted ids on disk, a file per epoch. Files of epochs that are over are deleted;
 * nothing else in the directory is touched.
 *
 * <p>After a failed write or sync nothing more is recorded: what the file holds then is unknown. A
 * thread that is interrupted records its id nevertheless.
 */
final class IdLog implements Closeable {

  private static final String PREFIX = "epoch-";
  private static final String SUFFIX = ".ids";
  private static final String LOCK = "guard.lock";

  private final Path directory;
  private final ReplayOptions options;
  private final FileChannel lock;
  private final @Nullable ScheduledExecutorService clock;
  private final TreeMap<Long, IdFile> files = new TreeMap<>();
  private final ReentrantLock syncing = new ReentrantLock();
  private long appended;
  private volatile long synced;
  private @Nullable IOException failure;

  private IdLog(Path directory, ReplayOptions options, FileChannel lock) {
    this.directory = directory;
    this.options = options;
    this.lock = lock;
    this.clock = options.syncEvery().isZero() ? null : timer(options.syncEvery());
  }

  private ScheduledExecutorService timer(Duration every) {
    ScheduledExecutorService service =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "bloomery-replay-sync");
              thread.setDaemon(true);
              return thread;
            });
    ScheduledFuture<?> unused =
        service.scheduleWithFixedDelay(
            this::syncQuietly, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
    return service;
  }

  /** Locks a directory and restores the ids of the epochs that are kept. */
  static IdLog open(Path directory, ReplayOptions options, Epochs epochs) throws IOException {
    Files.createDirectories(directory);
    FileChannel lock =
        FileChannel.open(
            directory.resolve(LOCK),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.READ,
            LinkOption.NOFOLLOW_LINKS);
    try {
      requireAlone(lock, directory);
      IdLog log = new IdLog(directory, options, lock);
      log.restore(epochs);
      return log;
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static void requireAlone(FileChannel lock, Path directory) throws IOException {
    try {
      if (lock.tryLock() != null) {
        return;
      }
    } catch (OverlappingFileLockException e) {
      throw new IOException(directory + ": another guard of this process uses it", e);
    }
    throw new IOException(directory + ": another process uses it");
  }

  private void restore(Epochs epochs) throws IOException {
    List<Path> found;
    try (Stream<Path> all = Files.list(directory)) {
      found = all.filter(IdLog::isLog).sorted().toList();
    }
    long last = Long.MIN_VALUE;
    for (Path path : found) {
      last = Math.max(last, epochOf(path));
    }
    if (last != Long.MIN_VALUE) {
      // A clock that was set back since then counts as where it was.
      epochs.turn(epochs.advance(epochs.firstMilli(last)));
    }
    for (Path path : found) {
      long epoch = epochOf(path);
      if (epoch < epochs.oldest()) {
        Files.delete(path);
      } else {
        IdFile file = IdFile.open(path, epoch, options);
        files.put(epoch, file);
        file.readInto(epochs);
      }
    }
  }

  private static boolean isLog(Path path) {
    return path.getFileName().toString().matches("epoch--?[0-9]{1,18}\\.ids");
  }

  private static long epochOf(Path path) {
    String name = path.getFileName().toString();
    return Long.parseLong(name.substring(PREFIX.length(), name.length() - SUFFIX.length()));
  }

  /** Records an id and returns the number for {@link #awaitSync}. */
  synchronized long append(long epoch, long hash) throws IOException {
    requireSound();
    IdFile file = files.get(epoch);
    try {
      if (file == null) {
        Path path = directory.resolve(String.format(Locale.ROOT, "%s%d%s", PREFIX, epoch, SUFFIX));
        file = IdFile.open(path, epoch, options);
        files.put(epoch, file);
        syncDirectory();
      }
      file.append(hash);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
    return ++appended;
  }

  private void requireSound() throws IOException {
    if (failure != null) {
      throw new IOException(directory + ": ids can no longer be recorded", failure);
    }
  }

  private void syncDirectory() throws IOException {
    if (!directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return;
    }
    boolean wasInterrupted = false;
    for (boolean isSynced = false; !isSynced; ) {
      try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
        entries.force(true);
        isSynced = true;
      } catch (ClosedByInterruptException e) {
        wasInterrupted |= Thread.interrupted();
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns once an id is as durable as the options demand. */
  void awaitSync(long number) {
    if (clock != null || synced >= number) {
      return;
    }
    syncing.lock();
    try {
      if (synced < number) { // otherwise another thread's sync included it
        sync();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      syncing.unlock();
    }
  }

  private void syncQuietly() {
    syncing.lock();
    try {
      sync();
    } catch (IOException e) {
      // It is kept, and the next append reports it.
    } finally {
      syncing.unlock();
    }
  }

  /** Writes and syncs everything; the caller holds {@link #syncing}. */
  private void sync() throws IOException {
    long reached;
    List<IdFile> written;
    try {
      synchronized (this) {
        requireSound();
        reached = appended;
        written = List.copyOf(files.values());
        for (IdFile file : written) {
          file.flush();
        }
      }
      for (IdFile file : written) {
        file.force();
      }
    } catch (IOException e) {
      synchronized (this) {
        failure = e;
      }
      throw e;
    }
    synced = reached;
  }

  /** Deletes the files of epochs that are over. */
  void dropBefore(long oldest) {
    syncing.lock();
    try {
      synchronized (this) {
        while (!files.isEmpty() && files.firstKey() < oldest) {
          files.pollFirstEntry().getValue().delete();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      syncing.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    if (clock != null) {
      clock.shutdown();
    }
    syncing.lock();
    try (lock) {
      if (failure == null) {
        sync();
      }
    } finally {
      synchronized (this) {
        for (IdFile file : files.values()) {
          file.close();
        }
        files.clear();
        failure = new IOException("the guard is closed");
      }
      syncing.unlock();
    }
  }
}
