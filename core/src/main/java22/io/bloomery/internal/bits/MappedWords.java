package io.bloomery.internal.bits;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * Read-only words of a mapped file or of a buffer: the version of Java 22 and later, whose contract
 * is that of the one in {@code src/main/java}. It reads one segment of any size, and closing unmaps
 * the file before it returns.
 */
final class MappedWords {

  // Views of bytes may begin at any address; on current processors this costs nothing for aligned
  // ones.
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment segment;

  /** The arena to close, or null. */
  private final Arena arena;

  private MappedWords(MemorySegment segment, Arena arena) {
    this.segment = segment;
    this.arena = arena;
  }

  static MappedWords[] map(FileChannel channel, long offset, long[] lengths, boolean closeable)
      throws IOException {
    long words = 0;
    for (long length : lengths) {
      words += length;
    }
    Arena arena = closeable ? Arena.ofShared() : null;
    MemorySegment all =
        channel.map(
            MapMode.READ_ONLY, offset, words * Long.BYTES, closeable ? arena : Arena.ofAuto());
    MappedWords[] stores = new MappedWords[lengths.length];
    long at = 0;
    for (int i = 0; i < stores.length; i++) {
      stores[i] = new MappedWords(all.asSlice(at, lengths[i] * Long.BYTES), arena);
      at += lengths[i] * Long.BYTES;
    }
    return stores;
  }

  static MappedWords view(LongBuffer words) {
    MemorySegment segment = MemorySegment.ofBuffer(words);
    if (words.order() == ByteOrder.LITTLE_ENDIAN) {
      return new MappedWords(segment, null);
    }
    MemorySegment copy = Arena.ofAuto().allocate(segment.byteSize(), Long.BYTES);
    MemorySegment.copy(segment, WORD.withOrder(words.order()), 0, copy, WORD, 0, words.remaining());
    return new MappedWords(copy, null);
  }

  long get(long i) {
    try {
      return segment.getAtIndex(WORD, i);
    } catch (IllegalStateException e) {
      throw closed(e);
    }
  }

  void copyTo(long from, LongBuffer target) {
    MemorySegment to = MemorySegment.ofBuffer(target);
    try {
      MemorySegment.copy(
          segment,
          WORD,
          from * Long.BYTES,
          to,
          WORD.withOrder(target.order()),
          0,
          target.remaining());
    } catch (IllegalStateException e) {
      throw closed(e);
    }
    target.position(target.limit());
  }

  private static IllegalStateException closed(IllegalStateException cause) {
    return new IllegalStateException("the mapped filter is closed", cause);
  }

  /**
   * An access in another thread fails with the exception of a closed arena. It never makes closing
   * fail: only buffers and native calls keep an arena open, and the segment is passed to neither.
   */
  void close() {
    if (arena != null) {
      synchronized (arena) {
        if (arena.scope().isAlive()) {
          arena.close();
        }
      }
    }
  }
}
