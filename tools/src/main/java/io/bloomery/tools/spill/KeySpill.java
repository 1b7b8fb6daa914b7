package io.bloomery.tools.spill;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keys with their hashes in a temporary file, accessed by position. Written keys are read through a
 * memory mapping, so a key in the page cache costs no system call.
 */
public final class KeySpill implements AutoCloseable {

  /** Receives the keys of {@link #forEach}. */
  @FunctionalInterface
  public interface Visitor {
    /** A key's hash and position. */
    void visit(long hash, long place);
  }

  // A record is hash, length and bytes, padded to a multiple of 8. It is either in the file
  // or in the tail that is not written yet. Segments are mapped when they are first read.

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int HEADER = 2 * Long.BYTES;

  private final Path directory;
  private final int segmentBytes;
  private final List<ByteBuffer> segments = new ArrayList<>();
  private final byte[] tail;
  private int tailLength;
  private long written;
  private @Nullable FileChannel file;

  /** A file in {@code directory}. */
  public KeySpill(Path directory) {
    this(directory, 1 << 18, 1 << 28);
  }

  /** For tests: sets the sizes of the tail and of a segment, multiples of 8. */
  public KeySpill(Path directory, int tailBytes, int segmentBytes) {
    this.directory = directory;
    this.segmentBytes = segmentBytes;
    this.tail = new byte[tailBytes];
  }

  /** The size of the file in bytes, including the unwritten tail. */
  public long bytes() {
    return written + tailLength;
  }

  /** Adds a key and returns its position, a multiple of 8. */
  public long append(long hash, byte[] bytes, int start, int length) {
    try {
      if (recordBytes(length) > tail.length - tailLength) {
        write(tail, 0, tailLength);
        tailLength = 0;
      }
      long place = bytes();
      if (recordBytes(length) <= tail.length) {
        putHeader(hash, length);
        System.arraycopy(bytes, start, tail, tailLength + HEADER, length);
        tailLength += (int) recordBytes(length);
      } else {
        putHeader(hash, length);
        write(tail, 0, HEADER);
        write(bytes, start, length);
        write(tail, 0, (int) (recordBytes(length) - HEADER - length));
      }
      return place;
    } catch (IOException e) {
      throw SpillFile.problem(directory, e);
    }
  }

  private static long recordBytes(long length) {
    return HEADER + ((length + Long.BYTES - 1) & -Long.BYTES);
  }

  private void putHeader(long hash, long length) {
    LONGS.set(tail, tailLength, hash);
    LONGS.set(tail, tailLength + Long.BYTES, length);
  }

  private void write(byte[] bytes, int offset, int length) throws IOException {
    if (file == null) {
      file = SpillFile.open(directory);
    }
    for (int done = 0; done < length; ) {
      int some = Math.min(length - done, 1 << 18); // limits the channel's temporary buffer
      ByteBuffer buffer = ByteBuffer.wrap(bytes, offset + done, some);
      while (buffer.hasRemaining()) {
        written += file.write(buffer, written);
      }
      done += some;
    }
  }

  /** Whether the key at a position equals this one. */
  public boolean isAt(long place, byte[] bytes, int start, int length) {
    try {
      if (number(place + Long.BYTES) != length) {
        return false;
      }
      long at = place + HEADER;
      if (place >= written) {
        int from = (int) (at - written);
        return Arrays.equals(tail, from, from + length, bytes, start, start + length);
      }
      return isWritten(at, bytes, start, length);
    } catch (IOException e) {
      throw SpillFile.problem(directory, e);
    }
  }

  private boolean isWritten(long place, byte[] bytes, int start, int length) throws IOException {
    long at = place;
    for (int done = 0; done < length; ) {
      int offset = (int) (at % segmentBytes);
      int some = Math.min(length - done, segmentBytes - offset);
      ByteBuffer there = segment(at).slice(offset, some);
      if (!there.equals(ByteBuffer.wrap(bytes, start + done, some))) {
        return false;
      }
      done += some;
      at += some;
    }
    return true;
  }

  private long number(long place) throws IOException {
    return place >= written
        ? (long) LONGS.get(tail, (int) (place - written))
        : segment(place).getLong((int) (place % segmentBytes));
  }

  private ByteBuffer segment(long place) throws IOException {
    int number = (int) (place / segmentBytes);
    while (segments.size() <= number) {
      long start = (long) segments.size() * segmentBytes;
      segments.add(
          Objects.requireNonNull(file)
              .map(FileChannel.MapMode.READ_ONLY, start, segmentBytes)
              .order(ByteOrder.LITTLE_ENDIAN));
    }
    return segments.get(number);
  }

  /** Visits all keys in insertion order. */
  public void forEach(Visitor visitor) {
    try {
      for (long place = 0; place < bytes(); ) {
        visitor.visit(number(place), place);
        place += recordBytes(number(place + Long.BYTES));
      }
    } catch (IOException e) {
      throw SpillFile.problem(directory, e);
    }
  }

  @Override
  public void close() {
    SpillFile.close(file, directory);
  }
}
