package io.bloomery.tools.spill;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * Sorted runs of hashes in a temporary file, and their merge. Its memory does not depend on the
 * hashes: the merge works in a given array, or in one of half a megabyte if that is too short.
 */
final class HashRuns implements AutoCloseable {

  /** Receives hashes in ascending order. */
  @FunctionalInterface
  interface Sink {
    /** The hashes {@code from…to-1}; the array is reused afterwards. */
    void add(long[] hashes, int from, int to) throws IOException;
  }

  private static final int MOST_RUNS = 128;
  private static final int LEAST_WINDOW = 1 << 9;

  private final Path directory;
  private final boolean repeated;
  private final ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 16);
  private final long[] ends = new long[MOST_RUNS]; // one past the last byte of each run
  private int runs;
  private FileChannel file;
  private long end;

  /** A file in {@code directory}; the merge drops repetitions unless they are {@code repeated}. */
  HashRuns(Path directory, boolean repeated) throws IOException {
    this.directory = directory;
    this.repeated = repeated;
    this.file = SpillFile.open(directory);
  }

  /** Adds the first {@code size} hashes of an array, which are in ascending order. */
  void add(long[] sorted, int size) throws IOException {
    if (size == 0) {
      return;
    }
    if (runs == MOST_RUNS) {
      mergeAll();
    }
    write(sorted, 0, size);
    ends[runs++] = end;
  }

  private void write(long[] hashes, int from, int to) throws IOException {
    for (int at = from; at < to; ) {
      int count = Math.min(to - at, bytes.capacity() / Long.BYTES);
      bytes.clear();
      bytes.asLongBuffer().put(hashes, at, count);
      bytes.limit(count * Long.BYTES);
      while (bytes.hasRemaining()) {
        end += file.write(bytes, end);
      }
      at += count;
    }
  }

  /** Replaces all runs by one, in a new file. */
  private void mergeAll() throws IOException {
    try (HashRuns merged = new HashRuns(directory, repeated)) {
      merge(new long[0], merged::write);
      FileChannel old = file;
      file = merged.file;
      merged.file = old; // which is closed
      end = merged.end;
      ends[0] = end;
      runs = 1;
    }
  }

  /** Passes all hashes to the sink in ascending order; overwrites {@code room}. */
  void merge(long[] room, Sink sink) throws IOException {
    new Merge(room).run(sink);
  }

  /** The runs while they are read: a window of each in one array, and a heap of the runs. */
  private final class Merge {
    private final long[] room; // a window for each run, then one for the output
    private final int window;
    private final int[] heap = new int[MOST_RUNS]; // runs, the one with the lowest hash first
    private int heapSize;
    private final int[] at = new int[MOST_RUNS]; // index in the room of a run's next hash
    private final int[] limits = new int[MOST_RUNS];
    private final long[] nexts = new long[MOST_RUNS]; // file offset of what follows the window

    Merge(long[] lent) {
      int windows = runs + 1;
      room = lent.length >= windows * LEAST_WINDOW ? lent : new long[windows * LEAST_WINDOW];
      window = room.length / windows;
    }

    void run(Sink sink) throws IOException {
      for (int run = 0; run < runs; run++) {
        nexts[run] = run == 0 ? 0 : ends[run - 1];
        fill(run);
        swim(run);
      }
      int start = runs * window;
      int used = start;
      boolean any = false;
      long last = 0;
      while (heapSize > 0) {
        long hash = room[at[heap[0]]];
        advance();
        if (repeated || !any || hash != last) {
          if (used == start + window) {
            sink.add(room, start, used);
            used = start;
          }
          room[used++] = hash;
          last = hash;
          any = true;
        }
      }
      if (used > start) {
        sink.add(room, start, used);
      }
    }

    private void advance() throws IOException {
      int run = heap[0];
      at[run]++;
      if (at[run] == limits[run] && !fill(run)) {
        run = heap[--heapSize];
      }
      replaceFirst(run);
    }

    /** Reads the next window of a run; false if there is none. */
    private boolean fill(int run) throws IOException {
      int start = run * window;
      int count = (int) Math.min(window, (ends[run] - nexts[run]) / Long.BYTES);
      at[run] = start;
      limits[run] = start + count;
      for (int done = 0; done < count; ) {
        int some = Math.min(count - done, bytes.capacity() / Long.BYTES);
        bytes.clear().limit(some * Long.BYTES);
        while (bytes.hasRemaining()) {
          if (file.read(bytes, nexts[run] + bytes.position()) < 0) {
            throw new EOFException("cut off at byte " + nexts[run]);
          }
        }
        bytes.flip().asLongBuffer().get(room, start + done, some);
        nexts[run] += (long) some * Long.BYTES;
        done += some;
      }
      return count > 0;
    }

    private boolean isBefore(int run, int other) {
      return room[at[run]] < room[at[other]];
    }

    private void swim(int run) {
      int place = heapSize++;
      while (place > 0 && isBefore(run, heap[(place - 1) / 2])) {
        heap[place] = heap[(place - 1) / 2];
        place = (place - 1) / 2;
      }
      heap[place] = run;
    }

    /** Replaces the first run by another and restores the order. */
    private void replaceFirst(int run) {
      int place = 0;
      while (2 * place + 1 < heapSize) {
        int child = 2 * place + 1;
        if (child + 1 < heapSize && isBefore(heap[child + 1], heap[child])) {
          child++;
        }
        if (!isBefore(heap[child], run)) {
          break;
        }
        heap[place] = heap[child];
        place = child;
      }
      heap[place] = run;
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
