package io.bloomery.internal.bits;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystemException;

/**
 * Read-only words of a mapped file or of a buffer: the version of Java 22 and later, whose contract
 * is that of the one in {@code src/main/java}. It reads one segment of any size, closing unmaps the
 * file before it returns, and a fault is an error of the access that caused it.
 */
final class MappedWords {

  // Views of bytes may begin at any address; on current processors this costs nothing for aligned
  // ones.
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment segment;

  /** How many of the last bytes of a file are compared. */
  private static final int END_BYTES = Long.BYTES;

  /** The last bytes of the file, or null if they are not known. */
  private final MemorySegment end;

  private final long expectedEnd;

  /** The arena to close, or null. */
  private final Arena arena;

  /** The name of the file, or null of a buffer. */
  private final String file;

  private MappedWords(MemorySegment segment, MemorySegment end, Arena arena, String file) {
    this.segment = segment;
    this.file = file;
    this.end = end;
    this.expectedEnd = end == null ? 0 : end.getAtIndex(WORD, 0);
    this.arena = arena;
  }

  static MappedWords[] map(
      FileChannel channel, String file, long offset, long[] lengths, long tail, boolean closeable)
      throws IOException {
    long words = 0;
    for (long length : lengths) {
      words += length;
    }
    Arena arena = closeable ? Arena.ofShared() : null;
    long bytes = words * Long.BYTES + tail;
    MemorySegment all =
        channel.map(MapMode.READ_ONLY, offset, bytes, closeable ? arena : Arena.ofAuto());
    MemorySegment end = tail == 0 ? null : all.asSlice(bytes - END_BYTES, END_BYTES);
    MappedWords[] stores = new MappedWords[lengths.length];
    long at = 0;
    for (int i = 0; i < stores.length; i++) {
      stores[i] = new MappedWords(all.asSlice(at, lengths[i] * Long.BYTES), end, arena, file);
      at += lengths[i] * Long.BYTES;
    }
    return stores;
  }

  static MappedWords view(LongBuffer words) {
    MemorySegment segment = MemorySegment.ofBuffer(words);
    if (words.order() == ByteOrder.LITTLE_ENDIAN) {
      return new MappedWords(segment, null, null, null);
    }
    MemorySegment copy = Arena.ofAuto().allocate(segment.byteSize(), Long.BYTES);
    MemorySegment.copy(segment, WORD.withOrder(words.order()), 0, copy, WORD, 0, words.remaining());
    return new MappedWords(copy, null, null, null);
  }

  long get(long i) {
    try {
      long word = segment.getAtIndex(WORD, i);
      if (word == 0) {
        requireWhole();
      }
      return word;
    } catch (IllegalStateException e) {
      throw closed(e);
    } catch (InternalError e) {
      throw truncated(e);
    }
  }

  boolean getBit(long bit) {
    return (get(bit >>> 6) >>> bit & 1) != 0;
  }

  private void requireWhole() {
    VarHandle.loadLoadFence(); // the words first: a file may be truncated at any time
    if (end != null && end.getAtIndex(WORD, 0) != expectedEnd) {
      throw truncated(null);
    }
  }

  private UncheckedIOException truncated(InternalError cause) {
    IOException problem =
        new FileSystemException(file, null, "was truncated or overwritten while it was mapped");
    problem.initCause(cause);
    return new UncheckedIOException(problem);
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
      requireWhole();
    } catch (IllegalStateException e) {
      throw closed(e);
    } catch (InternalError e) {
      throw truncated(e);
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
