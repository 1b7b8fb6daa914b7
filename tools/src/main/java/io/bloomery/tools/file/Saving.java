package io.bloomery.tools.file;

import static java.util.Objects.requireNonNull;

import io.bloomery.Storable;
import io.bloomery.tools.console.Shutdown;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Writes a filter to its file, or leaves nothing behind. */
public final class Saving {

  /** Writes a file as a whole, or not at all. */
  @FunctionalInterface
  public interface Writer {
    /** Writes to a file. */
    void writeTo(Path target) throws IOException;
  }

  private Saving() {}

  /** Throws, before anything is read, if a file cannot be written here. */
  public static void check(Path target, boolean force) {
    if (target.toString().equals("-")) {
      throw new Problem("-o needs the name of a file; ./- for one that is named -");
    }
    if (Files.isDirectory(target)) {
      throw new Problem(target, "is a directory");
    }
    if (Files.isRegularFile(target) && !force) {
      throw new Problem(target, "exists; --force overwrites it");
    }
    Path directory = requireNonNull(target.toAbsolutePath().getParent(), "directory of a file");
    if (!Files.isDirectory(directory)) {
      throw new Problem(target, "there is no directory " + Octets.name(directory));
    }
    if (!Files.exists(target) && !Files.isWritable(directory)) {
      throw new Problem(target, "permission denied");
    }
  }

  /** Saves. A shutdown in between interrupts the writing, which deletes the temporary file. */
  public static void save(Storable filter, Path target) {
    save(filter::writeTo, target);
  }

  /** Saves anything that writes itself to a file, in the same way. */
  public static void save(Writer filter, Path target) {
    CountDownLatch done = new CountDownLatch(1);
    Thread thread = Thread.currentThread();
    Thread hook = new Thread(() -> interrupt(thread, done), "bloom-cleanup");
    Shutdown.add(hook);
    try {
      filter.writeTo(target);
    } catch (IOException e) {
      throw Problem.with(target, e);
    } finally {
      done.countDown();
      Shutdown.remove(hook);
    }
  }

  private static void interrupt(Thread writer, CountDownLatch done) {
    writer.interrupt();
    try {
      if (!done.await(5, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
