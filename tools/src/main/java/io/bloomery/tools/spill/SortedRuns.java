package io.bloomery.tools.spill;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Counted keys in a temporary file, in runs that are each sorted by the keys' bytes. They are read
 * as one run that has each key once, with the sum of its counts.
 */
final class SortedRuns implements AutoCloseable {

  /** Receives keys in the order of their bytes. */
  @FunctionalInterface
  interface Visitor {
    /** A key, its count, and a number that is lower the earlier the key first occurred. */
    void visit(byte[] bytes, int offset, int length, long count, long first) throws IOException;
  }

  // A record is length (4 bytes), count and first (8 each), big-endian, and the key.

  private static final int HEADER = Integer.BYTES + 2 * Long.BYTES;
  private static final int MOST_RUNS = 128; // in a file
  private static final int LEAST_BUFFER = 1 << 13;
  private static final int MOST_BUFFER = 1 << 20;

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private final Path directory;
  private final long memory;
  private @Nullable FileChannel file;
  private long end;
  private long written;
  private final List<Long> starts = new ArrayList<>();
  private @Nullable SortedRuns merged; // runs of runs, in a file of their own
  private ByteBuffer buffer = NONE; // of the run that is written

  /** Starts without runs; {@code memory} is for reading and writing, in bytes. */
  SortedRuns(Path directory, long memory) {
    this.directory = directory;
    this.memory = memory;
  }

  /** The number of runs. */
  int count() {
    return starts.size() + (merged == null ? 0 : merged.count());
  }

  /** The number of bytes written to temporary files. */
  long writtenBytes() {
    return written + (merged == null ? 0 : merged.writtenBytes());
  }

  /** Starts a run; its keys must be added in the order of their bytes. */
  void begin() {
    try {
      if (starts.size() == MOST_RUNS) {
        mergeAll();
      }
      if (file == null) {
        file = SpillFile.open(directory);
      }
      buffer = ByteBuffer.allocate(bufferBytes(1));
      starts.add(end);
    } catch (IOException e) {
      throw SpillFile.problem(directory, e);
    }
  }

  /** Adds a key to the run. */
  void add(byte[] bytes, int offset, int length, long count, long first) {
    try {
      if (buffer.remaining() < HEADER) {
        write();
      }
      buffer.putInt(length).putLong(count).putLong(first);
      for (int done = 0; done < length; ) {
        if (!buffer.hasRemaining()) {
          write();
        }
        int some = Math.min(length - done, buffer.remaining());
        buffer.put(bytes, offset + done, some);
        done += some;
      }
    } catch (IOException e) {
      throw SpillFile.problem(directory, e);
    }
  }

  /** Ends the run. */
  void finish() {
    try {
      write();
      buffer = NONE;
    } catch (IOException e) {
      throw SpillFile.problem(directory, e);
    }
  }

  private void write() throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      int count = Objects.requireNonNull(file).write(buffer, end);
      end += count;
      written += count;
    }
    buffer.clear();
  }

  private int bufferBytes(int buffers) {
    return (int) Math.max(LEAST_BUFFER, Math.min(MOST_BUFFER, memory / buffers));
  }

  /**
   * Merges all runs of this file into one of another file, whose runs are merged in turn: so a key
   * is written once for each power of the number of runs in a file, not once for each merge.
   */
  private void mergeAll() {
    SortedRuns next = merged == null ? new SortedRuns(directory, memory / 2) : merged;
    merged = next;
    next.begin();
    merge(next::add);
    next.finish();
    SpillFile.close(file, directory);
    file = null;
    end = 0;
    starts.clear();
  }

  /** Visits each key once, in the order of their bytes. */
  void forEach(Visitor visitor) {
    if (merged == null) {
      merge(visitor);
      return;
    }
    if (!starts.isEmpty()) {
      mergeAll();
    }
    merged.forEach(visitor);
  }

  /** Visits the keys of this file. */
  private void merge(Visitor visitor) {
    try {
      PriorityQueue<Reader> readers = new PriorityQueue<>();
      for (int i = 0; i < starts.size(); i++) {
        Reader reader =
            new Reader(i, starts.get(i), i + 1 < starts.size() ? starts.get(i + 1) : end);
        if (reader.next()) {
          readers.add(reader);
        }
      }
      byte[] key = new byte[256];
      while (!readers.isEmpty()) {
        Reader reader = readers.poll();
        int length = reader.length;
        long count = reader.count;
        long first = reader.first;
        if (key.length < length) {
          key = new byte[Math.max(length, 2 * key.length)];
        }
        System.arraycopy(reader.bytes, reader.at, key, 0, length);
        again(readers, reader);
        while (!readers.isEmpty() && readers.peek().has(key, length)) {
          Reader same = readers.poll();
          count += same.count;
          first = Math.min(first, same.first);
          again(readers, same);
        }
        visitor.visit(key, 0, length, count, first);
      }
    } catch (IOException e) {
      throw SpillFile.problem(directory, e);
    }
  }

  private static void again(PriorityQueue<Reader> readers, Reader reader) throws IOException {
    if (reader.next()) {
      readers.add(reader);
    }
  }

  /** Reads a run record by record. */
  private final class Reader implements Comparable<Reader> {
    private final int number;
    private final long limit;
    private long place; // file offset of what follows the buffer
    private byte[] bytes;
    private int next; // offset of the next record in the buffer
    private int filled;
    private int at; // offset of the key
    private int length;
    private long count;
    private long first;

    Reader(int number, long start, long limit) {
      this.number = number;
      this.place = start;
      this.limit = limit;
      this.bytes = new byte[bufferBytes(starts.size())];
    }

    boolean next() throws IOException {
      if (next == filled && place == limit) {
        return false;
      }
      need(HEADER);
      ByteBuffer header = ByteBuffer.wrap(bytes, next, HEADER);
      length = header.getInt();
      count = header.getLong();
      first = header.getLong();
      need(HEADER + length);
      at = next + HEADER;
      next = at + length;
      return true;
    }

    /** Ensures that {@code wanted} bytes of the next record are in the buffer. */
    private void need(int wanted) throws IOException {
      if (filled - next >= wanted) {
        return;
      }
      byte[] target = wanted > bytes.length ? new byte[Math.max(wanted, 2 * bytes.length)] : bytes;
      System.arraycopy(bytes, next, target, 0, filled - next);
      bytes = target;
      filled -= next;
      next = 0;
      ByteBuffer rest =
          ByteBuffer.wrap(bytes, filled, (int) Math.min(bytes.length - filled, limit - place));
      while (rest.hasRemaining()) {
        int read = Objects.requireNonNull(file).read(rest, place);
        if (read < 0) {
          throw new IOException("cut off at byte " + place);
        }
        place += read;
        filled += read;
      }
    }

    boolean has(byte[] key, int keyLength) {
      return length == keyLength && Arrays.equals(bytes, at, at + length, key, 0, keyLength);
    }

    @Override
    public int compareTo(Reader other) {
      int order =
          Arrays.compareUnsigned(
              bytes, at, at + length, other.bytes, other.at, other.at + other.length);
      return order != 0 ? order : Integer.compare(number, other.number);
    }
  }

  @Override
  public void close() {
    try {
      if (merged != null) {
        merged.close();
      }
    } finally {
      SpillFile.close(file, directory);
    }
  }
}
