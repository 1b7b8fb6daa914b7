package io.bloomery.tools.spill;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Holds the hashes of all keys until their number is known, and finds the distinct ones exactly.
 * Memory is bounded for any hashes: beyond {@code capacity} they go in sorted runs to a temporary
 * file, which the system deletes when the process ends for any reason.
 */
public final class HashStore implements AutoCloseable {

  /** Receives hashes. */
  @FunctionalInterface
  public interface Target {
    /** The hashes {@code from…to-1}; the array is reused afterwards. */
    public void add(long[] hashes, int from, int to);
  }

  private static final int FIRST = 1 << 16;

  private final int capacity;
  private final Path directory;
  private final boolean repeated;
  private long[] hashes;
  private int size;
  private @Nullable HashRuns runs; // null while everything fits in memory

  /** Keeps up to {@code capacity} hashes in memory, the rest in a file in {@code directory}. */
  public HashStore(int capacity, Path directory) {
    this(capacity, directory, false);
  }

  /** Keeps up to {@code capacity} hashes in memory; keeps repetitions if {@code repeated}. */
  public HashStore(int capacity, Path directory, boolean repeated) {
    this.capacity = capacity;
    this.directory = directory;
    this.repeated = repeated;
    this.hashes = new long[Math.min(FIRST, capacity)];
  }

  /** A store in the default directory for temporary files. */
  public static HashStore temporary(boolean repeated) {
    return new HashStore(defaultCapacity(), SpillFile.directory(), repeated);
  }

  /** The number of hashes that a small part of the heap holds, at most 2^24 (128 MiB). */
  public static int defaultCapacity() {
    return (int) Math.max(1 << 18, Math.min(1 << 24, Runtime.getRuntime().maxMemory() / 32));
  }

  /** Adds the hashes {@code from…to-1}. */
  public void add(long[] more, int from, int to) {
    for (int at = from; at < to; ) {
      if (size == hashes.length) {
        makeRoom();
      }
      int count = Math.min(to - at, hashes.length - size);
      System.arraycopy(more, at, hashes, size, count);
      size += count;
      at += count;
    }
  }

  private void makeRoom() {
    if (hashes.length < capacity) {
      hashes = Arrays.copyOf(hashes, (int) Math.min(2L * hashes.length, capacity));
      return;
    }
    sort();
    // If most hashes were repetitions, sorting has freed enough room.
    if (size > capacity / 2) {
      spillAll();
    }
  }

  /** Sorts the hashes in memory and drops repetitions, unless they are kept. */
  private void sort() {
    Arrays.parallelSort(hashes, 0, size);
    if (repeated) {
      return;
    }
    int kept = Math.min(size, 1);
    for (int i = 1; i < size; i++) {
      if (hashes[i] != hashes[i - 1]) {
        hashes[kept++] = hashes[i];
      }
    }
    size = kept;
  }

  private void spillAll() {
    try {
      if (runs == null) {
        runs = new HashRuns(directory, repeated);
      }
      runs.add(hashes, size);
      size = 0;
    } catch (IOException e) {
      throw SpillFile.problem(directory, e);
    }
  }

  /**
   * Passes all distinct hashes to {@code target} in ascending order, each once or as often as it
   * was added; may be called again.
   */
  public void forEach(Target target) {
    sort();
    if (runs == null) {
      target.add(hashes, 0, size);
      return;
    }
    spillAll();
    try {
      runs.merge(hashes, target::add);
    } catch (IOException e) {
      throw SpillFile.problem(directory, e);
    }
  }

  /** The number of distinct hashes. */
  public long distinct() {
    Distinct distinct = new Distinct();
    forEach(distinct);
    return distinct.count;
  }

  /** Counts the distinct hashes among ascending ones. */
  private static final class Distinct implements Target {
    private long count;
    private long last;

    @Override
    public void add(long[] sorted, int from, int to) {
      for (int i = from; i < to; i++) {
        count += count == 0 || sorted[i] != last ? 1 : 0;
        last = sorted[i];
      }
    }
  }

  @Override
  public void close() {
    if (runs != null) {
      try {
        runs.close();
      } catch (IOException e) {
        throw SpillFile.problem(directory, e);
      }
    }
  }
}
