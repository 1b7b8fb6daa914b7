package io.bloomery.find.context;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/** The lines of an uncompressed file, which is read where they are needed. Not thread-safe. */
public final class FileLines implements Lines, AutoCloseable {

  private static final int STEP = 1 << 13;

  /** Is told what was read. */
  @FunctionalInterface
  public interface Reads {
    /** Bytes {@code from…to-1} were read, perhaps again. */
    void read(long from, long to);
  }

  private final FileChannel file;
  private final Reads reads;
  private final byte[] buffer = new byte[STEP];
  private long base; // where in the file the buffer starts
  private int length;

  /** Reads an open file, which is closed with this object. */
  public FileLines(FileChannel file, Reads reads) {
    this.file = file;
    this.reads = reads;
  }

  /** Reads some bytes from an offset on; fewer than a step only at the end of the file. */
  private void load(long from, int wanted) throws IOException {
    base = from;
    length = 0;
    int read = 0;
    while (length < wanted && read >= 0) {
      read = file.read(ByteBuffer.wrap(buffer, length, wanted - length), from + length);
      length += Math.max(0, read);
    }
    reads.read(from, from + length);
  }

  private boolean isLoaded(long at) {
    return at >= base && at < base + length;
  }

  @Override
  public byte[] line(long start) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    long at = start;
    while (true) {
      if (!isLoaded(at)) {
        load(at, STEP);
        if (length == 0) {
          return line.toByteArray();
        }
      }
      int from = (int) (at - base);
      int to = from;
      while (to < length && buffer[to] != '\n') {
        to++;
      }
      boolean ends = to < length;
      line.write(buffer, from, to - from + (ends ? 1 : 0));
      if (ends) {
        return line.toByteArray();
      }
      at = base + to;
    }
  }

  @Override
  public long back(long start, int count, long floor) throws IOException {
    long at = start;
    for (int left = count; left > 0 && at > floor; left--) {
      at--; // the end of the line before
      while (at > floor && byteAt(at - 1, floor) != '\n') {
        at--;
      }
    }
    return at;
  }

  private byte byteAt(long at, long floor) throws IOException {
    if (!isLoaded(at)) {
      long from = Math.max(floor, at + 1 - STEP);
      load(from, (int) (at + 1 - from));
      if (!isLoaded(at)) {
        throw changed();
      }
    }
    return buffer[(int) (at - base)];
  }

  /** Throws if some bytes are not at an offset, since the file was changed. */
  public void check(long start, byte[] expected) throws IOException {
    byte[] bytes = new byte[expected.length];
    int done = 0;
    int read = 0;
    while (done < bytes.length && read >= 0) {
      read = file.read(ByteBuffer.wrap(bytes, done, bytes.length - done), start + done);
      done += Math.max(0, read);
    }
    if (!Arrays.equals(bytes, expected)) {
      throw changed();
    }
  }

  private static IOException changed() {
    return new IOException("was changed while it was read; lines around matches are left out");
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
