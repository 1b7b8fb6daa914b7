package io.bloomery.find;

import io.bloomery.find.Candidates.Part;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * The records that start in a part of an uncompressed file, in chunks that stay in the processor's
 * cache. The last record may end beyond the part. Not thread-safe.
 */
final class Chunks {

  private static final int CHUNK = 1 << 17;
  private static final int BEYOND = 1 << 14; // read at a time for the end of the last record

  /** An array that one part after another can use; it grows with the longest record. */
  static final class Buffer {
    private byte[] bytes = new byte[2 * CHUNK];
  }

  private final Buffer buffer;
  private final FileChannel channel;
  private final Records records;
  private final long to; // where the part ends
  private long base; // where in the file the array starts
  private int end; // of the chunk, which the array starts with
  private int length; // of what was read
  private boolean ended; // whether the file has no more bytes

  /** Starts with a part of a file, whose records have begun. */
  Chunks(Buffer buffer, FileChannel channel, Part part, Records records) throws IOException {
    this.buffer = buffer;
    this.channel = channel;
    this.records = records;
    this.base = part.from();
    this.to = part.to();
    if (base > 0 && !records.areRows()) {
      base--; // a part starts with a line if the byte before it ends one
      skipLine();
    }
  }

  private void skipLine() throws IOException {
    do {
      base += length;
      length = 0;
      fill();
      end = KeyRule.lineEnd(buffer.bytes, 0, length);
    } while (end == length && !ended);
    end = Math.min(length, end + 1);
  }

  /** Moves to the next chunk; false if there is none. */
  boolean next() throws IOException {
    System.arraycopy(buffer.bytes, end, buffer.bytes, 0, length - end);
    base += end;
    length -= end;
    end = 0;
    int looked = 0;
    while (end == 0 && base < to && !(ended && length == 0)) {
      if (!ended) {
        fill();
      }
      end = recordEnd(looked);
      if (end == 0 && ended) {
        end = length;
      }
      looked = length;
    }
    return end > 0;
  }

  private void fill() throws IOException {
    if (buffer.bytes.length - length < CHUNK) {
      Pieces.checkLine(length);
      buffer.bytes = Arrays.copyOf(buffer.bytes, 2 * buffer.bytes.length);
    }
    long left = to - base - length;
    int wanted = left > 0 ? (int) Math.min(CHUNK, left) : BEYOND;
    int read = Pieces.read(channel, base + length, buffer.bytes, length, wanted);
    length += read;
    ended = read < wanted;
  }

  /** One past the last record that starts in the part, as far as it was read; 0 if none ends. */
  private int recordEnd(int looked) {
    if (base + length <= to || records.areRows()) {
      return records.lastEnd(buffer.bytes, looked, length);
    }
    int place = KeyRule.lineEnd(buffer.bytes, Math.max(looked, (int) (to - 1 - base)), length);
    return place < length ? place + 1 : 0;
  }

  /** The array that starts with the chunk. */
  byte[] bytes() {
    return buffer.bytes;
  }

  /** The length of the chunk in bytes. */
  int length() {
    return end;
  }

  /** The offset of the chunk in the file. */
  long from() {
    return base;
  }
}
