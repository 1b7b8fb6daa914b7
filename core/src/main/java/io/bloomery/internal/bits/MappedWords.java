package io.bloomery.internal.bits;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.util.Arrays;

/**
 * Read-only words of a mapped file or of a buffer. There are two versions of this class with one
 * contract: this one reads buffers of up to 1 GiB each; Java 22 and later take the one in {@code
 * src/main/java22} from the jar, which reads one memory segment.
 *
 * <p>Threads: any number may read. Any thread may close at any time; an access that finds the words
 * closed throws an {@link IllegalStateException}, and one in progress never reads unmapped memory.
 * Here the garbage collector unmaps the memory once it is unreachable.
 */
final class MappedWords {

  private static final int SHIFT = 27;

  private final LongBuffer[] segments;

  private MappedWords(LongBuffer[] segments) {
    this.segments = segments;
  }

  /**
   * Maps consecutive stores of a file.
   *
   * @param lengths how many words each has
   * @param closeable whether the caller closes them; closing one closes all. Otherwise the garbage
   *     collector unmaps them
   */
  static MappedWords[] map(FileChannel channel, long offset, long[] lengths, boolean closeable)
      throws IOException {
    MappedWords[] stores = new MappedWords[lengths.length];
    long at = offset;
    for (int i = 0; i < stores.length; i++) {
      LongBuffer[] segments = new LongBuffer[segments(lengths[i])];
      long left = lengths[i];
      for (int j = 0; j < segments.length; j++) {
        long bytes = Math.min(left, 1L << SHIFT) * Long.BYTES;
        segments[j] =
            channel.map(MapMode.READ_ONLY, at, bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
        at += bytes;
        left -= 1L << SHIFT;
      }
      stores[i] = new MappedWords(segments);
    }
    return stores;
  }

  /** The remaining words of a buffer, which is not copied. */
  static MappedWords view(LongBuffer words) {
    LongBuffer[] segments = new LongBuffer[segments(words.remaining())];
    for (int i = 0; i < segments.length; i++) {
      int from = i << SHIFT;
      int count = Math.min(words.remaining() - from, 1 << SHIFT);
      segments[i] = words.slice(words.position() + from, count);
    }
    return new MappedWords(segments);
  }

  private static int segments(long words) {
    return (int) ((words + (1 << SHIFT) - 1) >>> SHIFT);
  }

  /** Word {@code i}. */
  long get(long i) {
    return segment(i).get((int) i & ((1 << SHIFT) - 1));
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
  }

  /** Ends all access. Closing again does nothing. */
  void close() {
    Arrays.fill(segments, null);
  }
}
