package io.bloomery.security.known;

import io.bloomery.security.known.KnownFiles.Found;
import io.bloomery.security.known.KnownOptions.Digest;
import io.bloomery.tools.file.KernelFiles;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The regular files below directories, ordered by name. Links are not followed, except where a
 * directory that was named is one; what the kernel makes up, such as {@code /proc}, is left out.
 */
final class HashedTree {

  private static final int BUFFER = 1 << 17;
  private static final int AHEAD = 16; // files per thread
  private static final long REPORT_MILLIS = 100;

  /** Takes a file whose content was read, or not. */
  @FunctionalInterface
  interface Taker {
    /**
     * Takes a file.
     *
     * @param file its digest is null if it cannot be read
     */
    void take(Content file) throws IOException;
  }

  /**
   * What was read of a file.
   *
   * @param path its name, below the directory as named
   * @param name its name below the directory, with slashes
   * @param size the bytes that were read
   * @param digest their digest, empty if it cannot be read
   * @param problem why not; null if it can
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Content(Path path, String name, long size, byte[] digest, @Nullable String problem) {

    static Content unread(Path path, IOException e) {
      return new Content(path, "", 0, new byte[0], Problem.with(path, e).getMessage());
    }

    Found found(boolean isKnown) {
      return problem == null
          ? new Found(
              path,
              isKnown ? KnownFiles.Status.KNOWN : KnownFiles.Status.UNKNOWN,
              HexFormat.of().formatHex(digest),
              null)
          : new Found(path, KnownFiles.Status.UNREAD, "", problem);
    }
  }

  private record Listed(Path path, String name, long size) {}

  private final List<Listed> files = new ArrayList<>();
  private final List<Content> unread = new ArrayList<>();
  private final KernelFiles kernel = new KernelFiles();
  private long links;
  private long bytes;

  /**
   * Finds the files.
   *
   * @param roots directories
   * @param without files that are left out
   * @throws IOException if a root is not a directory or cannot be opened
   */
  HashedTree(List<Path> roots, Set<Path> without) throws IOException {
    for (Path root : roots) {
      if (!Files.isDirectory(root)) {
        throw new IOException(
            Octets.name(root) + (Files.exists(root) ? ": is not a directory" : ": no such file"));
      }
      int first = files.size();
      walk(root, without);
      files.subList(first, files.size()).sort(Comparator.comparing(Listed::name));
    }
  }

  private void walk(Path root, Set<Path> without) throws IOException {
    Path top = Files.isSymbolicLink(root) ? root.toRealPath() : root;
    Files.walkFileTree(
        top,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            try {
              return kernel.contains(directory)
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            } catch (IOException e) {
              return visitFileFailed(directory, e);
            }
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            links += attributes.isSymbolicLink() ? 1 : 0;
            if (attributes.isRegularFile() && !isAmong(file, without)) {
              Path below = top.relativize(file);
              bytes += attributes.size();
              files.add(new Listed(root.resolve(below), name(below), attributes.size()));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            unread.add(Content.unread(file, e));
            return FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) {
            if (e != null) {
              unread.add(Content.unread(directory, e));
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static boolean isAmong(Path file, Set<Path> without) {
    try {
      for (Path each : without) {
        boolean named = file.getFileName().equals(each.getFileName());
        if (named && Files.exists(each) && Files.isSameFile(each, file)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      return false; // reading it will say why
    }
  }

  /** A name below a directory, the same on every system. */
  private static String name(Path below) {
    String separator = below.getFileSystem().getSeparator();
    String name = Octets.name(below);
    return separator.equals("/") ? name : name.replace(separator, "/");
  }

  /** How many files there are. */
  int files() {
    return files.size();
  }

  /** How many directories could not be listed. */
  int unlisted() {
    return unread.size();
  }

  /** How many symbolic links there are, which are not followed. */
  long links() {
    return links;
  }

  /** How many bytes the files have. */
  long bytes() {
    return bytes;
  }

  /**
   * Reads all files, on several threads, and passes them to one taker, in order; before them, what
   * could not be listed.
   *
   * @param progress gets the number of bytes read since it was last called, in this thread
   */
  void read(Digest digest, int threads, Taker taker, LongConsumer progress) throws IOException {
    for (Content each : unread) {
      taker.take(each);
    }
    AtomicLong done = new AtomicLong();
    ExecutorService readers =
        Executors.newFixedThreadPool(
            threads,
            work -> {
              Thread thread = new Thread(work, "bloom-known");
              thread.setDaemon(true);
              return thread;
            });
    try {
      Queue<Future<Content>> running = new ArrayDeque<>();
      for (Listed file : files) {
        running.add(readers.submit(() -> content(file, digest, done)));
        if (running.size() >= AHEAD * threads) {
          taker.take(result(running.remove(), done, progress));
        }
      }
      while (!running.isEmpty()) {
        taker.take(result(running.remove(), done, progress));
      }
    } finally {
      readers.shutdownNow();
    }
  }

  private static Content result(Future<Content> file, AtomicLong done, LongConsumer progress)
      throws IOException {
    while (true) {
      try {
        Content content = file.get(REPORT_MILLIS, TimeUnit.MILLISECONDS);
        progress.accept(done.getAndSet(0));
        return content;
      } catch (TimeoutException e) {
        progress.accept(done.getAndSet(0));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted");
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }
  }

  private static Content content(Listed file, Digest digest, AtomicLong done) {
    MessageDigest state = digest.start();
    byte[] buffer = new byte[(int) Math.max(1, Math.min(BUFFER, file.size + 1))];
    long size = 0;
    try (SeekableByteChannel channel =
            Files.newByteChannel(
                file.path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        InputStream in = Channels.newInputStream(channel)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        state.update(buffer, 0, read);
        done.addAndGet(read);
        size += read;
      }
      return new Content(file.path, file.name, size, state.digest(), null);
    } catch (IOException e) {
      return Content.unread(file.path, e);
    }
  }
}
