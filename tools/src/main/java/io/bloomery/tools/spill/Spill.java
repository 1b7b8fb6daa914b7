package io.bloomery.tools.spill;

import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.KeySink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Byte strings in partitions, in one temporary file, which the system deletes when the process ends
 * for any reason. Data that fits in the buffers is never written to the file. Each partition keeps
 * its insertion order.
 */
public final class Spill implements AutoCloseable {

  private static final int BUFFER = 1 << 15;
  private static final int MOST_ROOM = 1 << 29;

  private final Path directory;
  private final int room;
  private final Partition[] partitions;
  private @Nullable FileChannel file;
  private long end;

  /** An empty store; its file, if needed, is in the directory for temporary files. */
  public Spill(int partitions) {
    this(partitions, SpillFile.directory());
  }

  /** An empty store; its file, if needed, is in {@code directory}. */
  public Spill(int partitions, Path directory) {
    this(partitions, directory, BUFFER);
  }

  /** An empty store with one partition, which keeps {@code room} bytes in memory. */
  Spill(long room) {
    this(1, SpillFile.directory(), (int) Math.max(BUFFER, Math.min(room, MOST_ROOM)));
  }

  private Spill(int partitions, Path directory, int room) {
    this.directory = directory;
    this.room = room;
    this.partitions = new Partition[partitions];
    Arrays.setAll(this.partitions, i -> new Partition());
  }

  /** The number of partitions. */
  int partitions() {
    return partitions.length;
  }

  /** The number of bytes written to the file. */
  public long fileBytes() {
    return end;
  }

  /** Adds a byte string to a partition. */
  public void add(int partition, byte[] bytes, int offset, int length) {
    Partition to = partitions[partition];
    try {
      to.addLength(length);
      to.add(bytes, offset, length);
    } catch (IOException e) {
      throw SpillFile.problem(directory, e);
    }
  }

  /** Passes all byte strings of a partition to the sink, in insertion order. */
  public void read(int partition, KeySink sink) {
    try {
      new Reader(partitions[partition]).read(sink);
    } catch (IOException e) {
      throw SpillFile.problem(directory, e);
    }
  }

  @Override
  public void close() {
    SpillFile.close(file, directory);
  }

  private void write(ByteBuffer bytes) throws IOException {
    if (file == null) {
      file = SpillFile.open(directory);
    }
    while (bytes.hasRemaining()) {
      end += file.write(bytes, end);
    }
  }

  /** Extents of the file, and the data that is not written yet. */
  private final class Partition {
    private byte[] buffer = new byte[BUFFER / 64];
    private int used;
    private long[] starts = new long[4];
    private int[] lengths = new int[4];
    private int stretches;

    void addLength(int length) throws IOException {
      int rest = length;
      while (rest > 0x7F) {
        addByte(rest | 0x80);
        rest >>>= 7;
      }
      addByte(rest);
    }

    private void addByte(int b) throws IOException {
      makeRoom();
      buffer[used++] = (byte) b;
    }

    void add(byte[] bytes, int offset, int length) throws IOException {
      for (int done = 0; done < length; ) {
        makeRoom();
        int count = Math.min(length - done, buffer.length - used);
        System.arraycopy(bytes, offset + done, buffer, used, count);
        used += count;
        done += count;
      }
    }

    private void makeRoom() throws IOException {
      if (used < buffer.length) {
        return;
      }
      if (used < (stretches == 0 ? room : BUFFER)) {
        buffer = Arrays.copyOf(buffer, 2 * used);
        return;
      }
      for (int from = 0; from < used; from += BUFFER) {
        writeStretch(from, Math.min(BUFFER, used - from));
      }
      used = 0;
      buffer = buffer.length == BUFFER ? buffer : new byte[BUFFER];
    }

    private void writeStretch(int from, int length) throws IOException {
      if (stretches == starts.length) {
        starts = Arrays.copyOf(starts, 2 * stretches);
        lengths = Arrays.copyOf(lengths, 2 * stretches);
      }
      starts[stretches] = end;
      lengths[stretches++] = length;
      write(ByteBuffer.wrap(buffer, from, length));
    }
  }

  /** Reads the extents of a partition and then its buffer as one byte sequence. */
  private final class Reader {
    private final Partition partition;
    private byte[] bytes = new byte[0];
    private int at;
    private int limit;
    private int stretch;
    private byte[] key = new byte[256];

    Reader(Partition partition) {
      this.partition = partition;
    }

    void read(KeySink sink) throws IOException {
      while (at < limit || fill()) {
        int length = readLength();
        if (length <= limit - at) {
          sink.key(bytes, at, length);
          at += length;
        } else {
          copy(length);
          sink.key(key, 0, length);
        }
      }
    }

    private int readLength() throws IOException {
      int length = 0;
      for (int shift = 0; ; shift += 7) {
        int next = readByte();
        length |= (next & 0x7F) << shift;
        if (next >= 0) {
          return length;
        }
      }
    }

    private byte readByte() throws IOException {
      if (at == limit && !fill()) {
        throw new IOException("ends within a record");
      }
      return bytes[at++];
    }

    private void copy(int length) throws IOException {
      if (key.length < length) {
        key = new byte[Math.max(length, (int) Math.min(2L * key.length, Block.LONGEST))];
      }
      for (int done = 0; done < length; ) {
        if (at == limit && !fill()) {
          throw new IOException("ends within a record");
        }
        int count = Math.min(length - done, limit - at);
        System.arraycopy(bytes, at, key, done, count);
        at += count;
        done += count;
      }
    }

    private boolean fill() throws IOException {
      at = 0;
      if (stretch == partition.stretches) {
        stretch++;
        bytes = partition.buffer;
        limit = partition.used;
        return limit > 0;
      }
      if (stretch > partition.stretches) {
        return false;
      }
      limit = partition.lengths[stretch];
      bytes = bytes.length < limit ? new byte[limit] : bytes;
      ByteBuffer target = ByteBuffer.wrap(bytes, 0, limit);
      long from = partition.starts[stretch++];
      while (target.hasRemaining()) {
        if (Objects.requireNonNull(file).read(target, from + target.position()) < 0) {
          throw new IOException("cut off at byte " + from);
        }
      }
      return true;
    }
  }
}
