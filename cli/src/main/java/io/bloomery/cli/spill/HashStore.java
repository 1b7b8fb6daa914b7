package io.bloomery.cli.spill;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Holds the hashes of all keys until their number is known, and finds the different ones exactly.
 * Memory is bounded: beyond {@code capacity} hashes, sorted runs of them go to a temporary file,
 * which the system deletes when the process ends, however it ends.
 */
public final class HashStore implements AutoCloseable {

  /** Takes hashes. */
  @FunctionalInterface
  public interface Target {
    /** The hashes {@code from…to-1}; the array changes afterwards. */
    public void add(long[] hashes, int from, int to);
  }

  private static final int FIRST = 1 << 16;
  private static final int BUFFER_BYTES = 1 << 16;

  private final int capacity;
  private final Path directory;
  private final boolean repeated;
  private final List<Run> runs = new ArrayList<>();
  private long[] hashes;
  private int size;
  private FileChannel spill;

  /** Keeps up to {@code capacity} hashes in memory, the rest in a file of {@code directory}. */
  public HashStore(int capacity, Path directory) {
    this(capacity, directory, false);
  }

  /** Keeps up to {@code capacity} hashes in memory, and repetitions if {@code repeated}. */
  public HashStore(int capacity, Path directory, boolean repeated) {
    this.capacity = capacity;
    this.directory = directory;
    this.repeated = repeated;
    this.hashes = new long[Math.min(FIRST, capacity)];
  }

  /** A store in the usual directory for temporary files. */
  public static HashStore temporary(boolean repeated) {
    Path directory = Path.of(System.getProperty("java.io.tmpdir"));
    return new HashStore(defaultCapacity(), directory, repeated);
  }

  /** As many hashes as a small part of the heap holds, at most 2^24 (128 MiB). */
  public static int defaultCapacity() {
    return (int) Math.max(1 << 18, Math.min(1 << 24, Runtime.getRuntime().maxMemory() / 32));
  }

  /** Keeps the hashes {@code from…to-1}. */
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
    // Mostly repetitions: what is left after sorting leaves room enough.
    if (size > capacity / 2) {
      writeRun();
    }
  }

  /** Sorts what is in memory and leaves out repetitions, unless they are kept. */
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

  private void writeRun() {
    try {
      if (spill == null) {
        spill = TemporaryFile.open(directory);
      }
      long start = spill.position();
      ByteBuffer bytes = ByteBuffer.allocate(BUFFER_BYTES);
      for (int at = 0; at < size; ) {
        int count = Math.min(size - at, BUFFER_BYTES / Long.BYTES);
        bytes.clear().asLongBuffer().put(hashes, at, count);
        bytes.limit(count * Long.BYTES);
        while (bytes.hasRemaining()) {
          spill.write(bytes);
        }
        at += count;
      }
      runs.add(new Run(spill, start, spill.position()));
      size = 0;
    } catch (IOException e) {
      throw TemporaryFile.problem(directory, e);
    }
  }

  /**
   * Hands all different hashes to {@code target} in order, each once or as often as it came; may be
   * called again.
   */
  public void forEach(Target target) {
    if (runs.isEmpty()) {
      sort();
      target.add(hashes, 0, size);
      return;
    }
    if (size > 0) {
      sort();
      writeRun();
    }
    try {
      mergeRuns(target);
    } catch (IOException e) {
      throw TemporaryFile.problem(directory, e);
    }
  }

  /** Takes one range of values after another, so wide that all runs' shares fit in memory. */
  private void mergeRuns(Target target) throws IOException {
    int rangeBits = 1;
    while (((long) runs.size() * capacity) >> rangeBits > capacity / 2) {
      rangeBits++;
    }
    for (Run run : runs) {
      run.rewind();
    }
    long width = 1L << (Long.SIZE - rangeBits);
    for (long range = 0; range < 1L << rangeBits; range++) {
      long last = Long.MIN_VALUE + (range + 1) * width - 1;
      for (Run run : runs) {
        while (run.hasNext() && run.next() <= last) {
          if (size == hashes.length) {
            hashes = Arrays.copyOf(hashes, 2 * hashes.length);
          }
          hashes[size++] = run.take();
        }
      }
      sort();
      target.add(hashes, 0, size);
      size = 0;
    }
  }

  /** How many different hashes there are. */
  public long distinct() {
    long[] count = new long[1];
    forEach((some, from, to) -> count[0] += repeated ? different(some, from, to) : to - from);
    return count[0];
  }

  /** How many different numbers there are in order; equal ones are never handed on apart. */
  private static long different(long[] sorted, int from, int to) {
    long count = to > from ? 1 : 0;
    for (int i = from + 1; i < to; i++) {
      count += sorted[i] == sorted[i - 1] ? 0 : 1;
    }
    return count;
  }

  @Override
  public void close() {
    TemporaryFile.close(spill, directory);
  }

  /** A sorted stretch of the file, read through a small buffer. */
  private static final class Run {
    private final FileChannel channel;
    private final long start;
    private final long end;
    private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER_BYTES);
    private LongBuffer buffered = LongBuffer.allocate(0);
    private long position;

    Run(FileChannel channel, long start, long end) {
      this.channel = channel;
      this.start = start;
      this.end = end;
    }

    void rewind() {
      position = start;
      buffered = LongBuffer.allocate(0);
    }

    boolean hasNext() throws IOException {
      if (buffered.hasRemaining()) {
        return true;
      }
      if (position == end) {
        return false;
      }
      bytes.clear().limit((int) Math.min(BUFFER_BYTES, end - position));
      while (bytes.hasRemaining()) {
        if (channel.read(bytes, position + bytes.position()) < 0) {
          throw new IOException("cut off at byte " + position);
        }
      }
      position += bytes.position();
      buffered = bytes.flip().asLongBuffer();
      return true;
    }

    long next() {
      return buffered.get(buffered.position());
    }

    long take() {
      return buffered.get();
    }
  }
}
