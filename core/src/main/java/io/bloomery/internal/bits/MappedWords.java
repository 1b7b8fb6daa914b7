package io.bloomery.internal.bits;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Read-only words of a mapped file or of a buffer. There are two versions of this class with one
 * contract: this one reads buffers of up to 1 GiB each; Java 22 and later take the one in {@code
 * src/main/java22} from the jar, which reads one memory segment.
 *
 * <p>A file that is truncated while it is mapped has zeros up to the end of its last page of memory
 * and nothing behind. So a zero counts only if the last bytes of the file are those that were there
 * when it was mapped; otherwise an {@link UncheckedIOException} is thrown. Behind that page an
 * access faults. Before Java 22 a fault is an {@link InternalError} at some later point of the
 * thread, and a word that was loaded is whatever the register held before. A copy into an array
 * that faults leaves the array as it was, so here words are copied over a zero, and the last bytes
 * over other ones. Decision 048 has the costs.
 *
 * <p>Threads: any number may read. Any thread may close at any time; an access that finds the words
 * closed throws an {@link IllegalStateException}, and one in progress never reads unmapped memory.
 * Here the garbage collector unmaps the memory once it is unreachable.
 */
final class MappedWords {

  /** How many of the last bytes of a file are compared. */
  private static final int END_BYTES = Long.BYTES;

  private static final int SHIFT = 27;

  private final LongBuffer[] segments;

  /** The last bytes of the file, or null if they are not known or the words are closed. */
  private @Nullable LongBuffer end;

  private final long expectedEnd;
  private final @Nullable String file; // null: a buffer

  private MappedWords(LongBuffer[] segments, @Nullable LongBuffer end, @Nullable String file) {
    this.segments = segments;
    this.end = end;
    this.file = file;
    this.expectedEnd = end == null ? 0 : end.get(0);
  }

  /**
   * Maps consecutive stores of a file.
   *
   * @param file its name, for messages
   * @param lengths how many words each has
   * @param tail how many bytes the file has behind them, if any, they show whether it is whole
   * @param closeable whether the caller closes them; closing one closes all. Otherwise the garbage
   *     collector unmaps them
   */
  static MappedWords[] map(
      FileChannel channel, String file, long offset, long[] lengths, long tail, boolean closeable)
      throws IOException {
    LongBuffer[][] stores = new LongBuffer[lengths.length][];
    LongBuffer end = null;
    long at = offset;
    long tailAt = offset + LongStream.of(lengths).sum() * Long.BYTES;
    for (int i = 0; i < stores.length; i++) {
      stores[i] = new LongBuffer[segments(lengths[i])];
      long left = lengths[i];
      for (int j = 0; j < stores[i].length; j++) {
        int bytes = (int) Math.min(left, 1L << SHIFT) * Long.BYTES;
        int more = at + bytes == tailAt ? (int) tail : 0;
        ByteBuffer mapped = channel.map(MapMode.READ_ONLY, at, (long) bytes + more);
        stores[i][j] = mapped.slice(0, bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
        if (more > 0) {
          end = mapped.slice(bytes + more - END_BYTES, END_BYTES).asLongBuffer();
        }
        at += bytes;
        left -= 1L << SHIFT;
      }
    }
    MappedWords[] words = new MappedWords[stores.length];
    for (int i = 0; i < words.length; i++) {
      words[i] = new MappedWords(stores[i], end, file);
    }
    return words;
  }

  /** The remaining words of a buffer, which is not copied. */
  static MappedWords view(LongBuffer words) {
    LongBuffer[] segments = new LongBuffer[segments(words.remaining())];
    for (int i = 0; i < segments.length; i++) {
      int from = i << SHIFT;
      int count = Math.min(words.remaining() - from, 1 << SHIFT);
      segments[i] = words.slice(words.position() + from, count);
    }
    return new MappedWords(segments, null, null);
  }

  private static int segments(long words) {
    return (int) ((words + (1 << SHIFT) - 1) >>> SHIFT);
  }

  /** Word {@code i}. */
  long get(long i) {
    long[] word = new long[1];
    segment(i).get((int) i & ((1 << SHIFT) - 1), word);
    if (word[0] == 0) {
      requireWhole();
    }
    return word[0];
  }

  /**
   * Bit {@code bit}: a zero as sure as that of {@link #get}, and a one that a truncated file may
   * have made.
   */
  boolean getBit(long bit) {
    long i = bit >>> 6;
    long loaded = segment(i).get((int) i & ((1 << SHIFT) - 1));
    return (loaded >>> bit & 1) != 0 || (get(i) >>> bit & 1) != 0;
  }

  /** Throws if the end of the file is no longer the one that was mapped. */
  private void requireWhole() {
    VarHandle.loadLoadFence(); // the words first: a file may be truncated at any time
    LongBuffer last = end;
    if (last != null) {
      long[] found = {~expectedEnd};
      last.get(0, found);
      if (found[0] != expectedEnd) {
        throw new UncheckedIOException(
            new FileSystemException(
                file, null, "was truncated or overwritten while it was mapped"));
      }
    }
  }

  /**
   * The segment of word {@code i}. The check costs nothing, since the access would make it anyway.
   */
  private LongBuffer segment(long i) {
    LongBuffer segment = segments[(int) (i >>> SHIFT)];
    if (segment == null) {
      throw new IllegalStateException("the mapped filter is closed");
    }
    return segment;
  }

  /** Fills the rest of {@code target} with words {@code from…}. */
  void copyTo(long from, LongBuffer target) {
    for (long at = from; target.hasRemaining(); ) {
      LongBuffer segment = segment(at);
      int start = (int) at & ((1 << SHIFT) - 1);
      int count = Math.min(target.remaining(), segment.limit() - start);
      target.put(target.position(), segment, start, count);
      target.position(target.position() + count);
      at += count;
    }
    requireWhole();
  }

  /** Ends all access. Closing again does nothing. */
  void close() {
    Arrays.fill(segments, null);
    end = null;
  }
}
