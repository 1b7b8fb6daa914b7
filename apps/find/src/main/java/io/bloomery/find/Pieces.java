package io.bloomery.find;

import io.bloomery.find.walk.FoundFile;
import io.bloomery.tools.input.KeyStreams;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongConsumer;

/** The decompressed content of a file, in pieces of whole records. Not thread-safe. */
final class Pieces implements AutoCloseable {

  /** The longest record: its keys take up to 20 times its length while a filter is built. */
  private static final int LONGEST = (int) Math.min(1 << 30, Runtime.getRuntime().maxMemory() / 24);

  private static final int STEP = 1 << 18;
  private static final int PROBE = 1 << 13;

  private final KeyStreams streams;
  private final InputStream in;
  private final Records records;
  private final int size;
  private byte[] bytes;
  private int length; // bytes in the array; the piece comes first
  private int end; // of the piece
  private long from;
  private long stop = Long.MAX_VALUE; // a piece ends here
  private boolean ended;

  /** Opens a file, for pieces of about {@code size} bytes. */
  Pieces(FoundFile file, Records records, int size, LongConsumer progress) throws IOException {
    this(file, records, size, size, progress);
  }

  /** Opens a file, for pieces of about {@code size} or, if it is packed, {@code packedSize}. */
  Pieces(FoundFile file, Records records, int size, int packedSize, LongConsumer progress)
      throws IOException {
    if (!Files.isReadable(file.path())) {
      throw new AccessDeniedException(file.path().toString());
    }
    this.streams = new KeyStreams(file.path(), progress);
    this.in = open(streams);
    this.records = records;
    this.size = isPacked() ? packedSize : size;
    this.bytes = new byte[(int) Math.min(this.size, file.size() + 1)];
  }

  private static InputStream open(KeyStreams streams) throws IOException {
    try {
      return Objects.requireNonNull(streams.nextText(), "one input");
    } catch (IOException e) {
      streams.close();
      throw e;
    }
  }

  /** Moves to the next piece, if there is one. */
  boolean next() throws IOException {
    from += end;
    System.arraycopy(bytes, end, bytes, 0, length - end);
    length -= end;
    int looked = 0;
    end = 0;
    while (end == 0 && !(ended && length == 0)) {
      fill();
      end = ended ? length : records.lastEnd(bytes, looked, length);
      looked = length;
    }
    return end > 0;
  }

  private void fill() throws IOException {
    checkLine(length);
    int wanted = length < size ? size : 2 * length;
    if (from + length < stop && from + wanted > stop) {
      wanted = (int) (stop - from);
    }
    while (!ended && length < wanted) {
      if (length == bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.min(wanted, 2 * length + 1));
      }
      int read = in.read(bytes, length, Math.min(STEP, bytes.length - length));
      ended = read < 0;
      length += Math.max(0, read);
    }
  }

  /** Throws if a line is too long for the memory of this process. */
  static void checkLine(int length) throws IOException {
    if (length >= LONGEST) {
      throw new IOException(
          "a line is longer than %s; BLOOM_JAVA_OPTS=-Xmx… with more than %d MiB allows longer ones"
              .formatted(Text.size(LONGEST), Runtime.getRuntime().maxMemory() >> 20));
    }
  }

  /** Reads up to this offset, where a record ends, before it reads further. */
  void stopAt(long offset) {
    stop = offset;
  }

  /** Skips content, before the first piece. */
  void skip(long count) throws IOException {
    in.skipNBytes(count);
    from = count;
  }

  /** The array that starts with the piece. */
  byte[] bytes() {
    return bytes;
  }

  /** The length of the piece in bytes. */
  int length() {
    return end;
  }

  /** The offset of the piece in the content. */
  long from() {
    return from;
  }

  /** Whether this is the last piece. */
  boolean isLast() {
    return ended && end == length;
  }

  /** Returns the array, which the next piece will not use. */
  byte[] take() {
    byte[] taken = bytes;
    bytes = new byte[ended ? length - end : Math.max(size, length - end)];
    System.arraycopy(taken, end, bytes, 0, length - end);
    length -= end;
    from += end;
    end = 0;
    return taken;
  }

  /** Whether the content differs from the bytes of the file. */
  boolean isPacked() {
    return streams.isPacked();
  }

  /** Whether a piece looks binary: it has a zero byte near its start. */
  static boolean isBinary(byte[] bytes, int length) {
    for (int i = 0; i < Math.min(length, PROBE); i++) {
      if (bytes[i] == 0) {
        return true;
      }
    }
    return false;
  }

  /** Describes a read error of this file. */
  Problem problem(IOException e) {
    return streams.problem(e);
  }

  @Override
  public void close() throws IOException {
    streams.close();
  }

  /** Opens an uncompressed file, which must not be a link by now. */
  static FileChannel open(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  }

  /** Reads a range of an uncompressed file; shorter if the file ends before. */
  static byte[] read(Path file, long from, int length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return read(channel, from, length);
    }
  }

  /** Reads a range of an open file. */
  static byte[] read(FileChannel channel, long from, int length) throws IOException {
    byte[] bytes = new byte[length];
    int read = read(channel, from, bytes, 0, length);
    return read == length ? bytes : Arrays.copyOf(bytes, read);
  }

  /** Reads into an array and returns the number of bytes read. */
  static int read(FileChannel channel, long from, byte[] bytes, int offset, int length)
      throws IOException {
    int done = 0;
    while (done < length) {
      int step = Math.min(STEP, length - done);
      int read = channel.read(ByteBuffer.wrap(bytes, offset + done, step), from + done);
      if (read < 0) {
        return done;
      }
      done += read;
    }
    return done;
  }
}
