package io.bloomery.internal.bits;

import io.bloomery.internal.check.Arguments;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of 64-bit words, either in a heap array or in a mapped, read-only file. Bit {@code
 * i} is bit {@code i & 63} of word {@code i >>> 6}.
 *
 * <p>The location of the words and whether threads share them are data, not subclasses, so that a
 * call site sees one type. Hot loops take {@link #heap()} once and fall back to {@link #get} for
 * mapped words.
 *
 * <p>Threads: with {@code shared} words {@link #or}, {@link #clearBit} and {@link #replace} are
 * atomic and lock-free; a bit whose {@code or} returned is seen by every thread that sees the
 * return. Everything else is a plain access.
 */
public final class Words {

  /** The most words that one store holds: the largest {@code long[]} without its {@link #BASE}. */
  public static final long MAX_WORDS = Integer.MAX_VALUE - 16;

  /**
   * Where word 0 lies in {@link #heap()}. The elements of a large array begin 16 bytes after a
   * region boundary of the heap (G1, humongous objects), so six unused words align word 0 to a
   * cache line, and an aligned block of 8 words never straddles two. Other collectors may place
   * arrays anywhere. Decision 003 has the costs and gains.
   */
  public static final int BASE = 6;

  /**
   * How many words a pass over mapped ones copies at a time: one by one, they are copied as well.
   */
  public static final int PIECE_WORDS = 1024;

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long @Nullable [] heap;
  private final @Nullable MappedWords mapped;
  private final long length;
  private final boolean shared;

  private Words(long @Nullable [] heap, @Nullable MappedWords mapped, long length, boolean shared) {
    this.heap = heap;
    this.mapped = mapped;
    this.length = length;
    this.shared = shared;
  }

  /**
   * Zeroed words on the heap; {@code shared} for any number of writers, otherwise one at a time.
   */
  public static Words allocate(long words, boolean shared) {
    Arguments.inRange("words", words, 0, MAX_WORDS);
    try {
      return new Words(new long[(int) words + BASE], null, words, shared);
    } catch (OutOfMemoryError e) {
      throw named(e, words * Long.BYTES);
    }
  }

  /** Zeroed bytes on the heap, for stores that are not made of words. */
  static byte[] bytes(long bytes) {
    try {
      return new byte[(int) bytes];
    } catch (OutOfMemoryError e) {
      throw named(e, bytes);
    }
  }

  private static OutOfMemoryError named(OutOfMemoryError cause, long bytes) {
    OutOfMemoryError named =
        new OutOfMemoryError(
            "%d bytes do not fit into the heap, whose maximum is %d bytes (-Xmx)"
                .formatted(bytes, Runtime.getRuntime().maxMemory()));
    named.initCause(cause);
    return named;
  }

  /** Words enough for this many bits. */
  public static Words forBits(long bits, boolean shared) {
    return allocate(wordsFor(bits), shared);
  }

  /** How many words hold this many bits. */
  public static long wordsFor(long bits) {
    return (bits + Long.SIZE - 1) >>> 6;
  }

  /** A copy of the array. */
  public static Words copyOf(long[] values, boolean shared) {
    Words words = allocate(values.length, shared);
    System.arraycopy(values, 0, words.heap, BASE, values.length);
    return words;
  }

  /**
   * Read-only words of a file; nothing is read yet.
   *
   * @param file the name of the file, for messages
   * @param lengths how many words each store has; they follow each other in the file
   * @param tail how many bytes the file has behind them; if any, the last ones tell an access
   *     whether the file was truncated or overwritten
   * @param closeable whether the caller will {@link #close} them. Otherwise the garbage collector
   *     unmaps the memory once it is unreachable
   */
  public static List<Words> map(
      FileChannel channel,
      String file,
      long offset,
      List<Long> lengths,
      long tail,
      boolean closeable)
      throws IOException {
    long[] words = lengths.stream().mapToLong(Long::longValue).toArray();
    MappedWords[] stores = MappedWords.map(channel, file, offset, words, tail, closeable);
    List<Words> result = new ArrayList<>(stores.length);
    for (int i = 0; i < stores.length; i++) {
      result.add(new Words(null, stores[i], words[i], false));
    }
    return result;
  }

  /** Read-only words of the remaining part of a buffer, which must not be changed afterwards. */
  public static Words view(LongBuffer words) {
    return new Words(null, MappedWords.view(words), words.remaining(), false);
  }

  /** How many words there are. */
  public long length() {
    return length;
  }

  /** The array, word {@code i} at {@code BASE + i}, or null if the words are mapped. */
  public long @Nullable [] heap() {
    return heap;
  }

  /** Whether the words lie in a mapped file and cannot be written. */
  public boolean isReadOnly() {
    return heap == null;
  }

  /** Whether {@link #or} is atomic. */
  public boolean isShared() {
    return shared;
  }

  /** {@link #heap()} for writing; throws for a mapped store. */
  public long[] writable() {
    if (heap == null) {
      throw new IllegalStateException("a mapped filter is read-only; copy() makes a heap copy");
    }
    return heap;
  }

  /** Word {@code i}. */
  @SuppressWarnings("NullAway") // words that are not on the heap are mapped
  public long get(long i) {
    return heap != null ? heap[BASE + (int) i] : mapped.get(i);
  }

  /**
   * Releases mapped memory and all stores mapped with it: from now on every access throws. On Java
   * 22 and later the memory is unmapped at once, before that after the last access in progress.
   * Does nothing to words on the heap.
   */
  public void close() {
    if (mapped != null) {
      mapped.close();
    }
  }

  /** Fills the rest of {@code target} with words {@code from…}, on the heap or mapped. */
  @SuppressWarnings("NullAway") // words that are not on the heap are mapped
  public void copyTo(long from, LongBuffer target) {
    if (heap != null) {
      target.put(heap, BASE + (int) from, target.remaining());
    } else {
      mapped.copyTo(from, target);
    }
  }

  /**
   * Bit {@code bit}. Before Java 22 a mapped file that was truncated may make a zero a one; where a
   * one makes keys absent, take it from {@link #get}.
   */
  @SuppressWarnings("NullAway") // words that are not on the heap are mapped
  public boolean getBit(long bit) {
    return heap != null ? (heap[BASE + (int) (bit >>> 6)] >>> bit & 1) != 0 : mapped.getBit(bit);
  }

  /** Sets bit {@code bit}; true if it was 0. */
  public boolean setBit(long bit) {
    return or(bit >>> 6, 1L << bit);
  }

  /** Sets the bits of {@code mask} in word {@code i}; true if one of them was 0. */
  public boolean or(long i, long mask) {
    long[] words = writable();
    int at = BASE + (int) i;
    long old = words[at];
    if (!shared) {
      // Stored even if nothing changes: a branch on the value read would stall the next add.
      words[at] = old | mask;
      return (old & mask) != mask;
    }
    return (old & mask) != mask && orAtomic(words, at, mask);
  }

  private static boolean orAtomic(long[] words, int at, long mask) {
    long old = words[at];
    while (!LONGS.compareAndSet(words, at, old, old | mask)) {
      old = (long) LONGS.getVolatile(words, at);
    }
    return (old & mask) != mask;
  }

  /**
   * Replaces word {@code i} if it is still {@code old}: atomically if the words are shared,
   * unconditionally if they are not.
   */
  public boolean replace(long i, long old, long next) {
    long[] words = writable();
    int at = BASE + (int) i;
    if (!shared) {
      words[at] = next;
      return true;
    }
    return LONGS.compareAndSet(words, at, old, next);
  }

  /** Clears bit {@code bit}; true if it was 1. Atomic if the words are shared. */
  public boolean clearBit(long bit) {
    long[] words = writable();
    int at = BASE + (int) (bit >>> 6);
    long mask = 1L << bit;
    if (!shared) {
      long old = words[at];
      words[at] = old & ~mask;
      return (old & mask) != 0;
    }
    return ((long) LONGS.getAndBitwiseAnd(words, at, ~mask) & mask) != 0;
  }

  /** Sets every bit that is set in {@code other}, which has the same length. */
  public void orAll(Words other) {
    checkSameLength(other);
    for (long i = 0; i < length; i++) {
      or(i, other.get(i));
    }
  }

  /**
   * Clears every bit that is clear in {@code other}. Not atomic: no thread may add at the same
   * time.
   */
  public void andAll(Words other) {
    checkSameLength(other);
    long[] words = writable();
    for (int i = 0; i < length; i++) {
      words[BASE + i] &= other.get(i);
    }
  }

  /** Zeros everything. Not atomic: no thread may add at the same time. */
  public void clear() {
    Arrays.fill(writable(), 0);
  }

  /** How many bits are set. */
  public long bitCount() {
    return bitCount(0, length);
  }

  /** How many bits are set in words {@code from…to-1}. */
  public long bitCount(long from, long to) {
    long count = 0;
    if (heap != null || to - from < Long.SIZE) {
      for (long i = from; i < to; i++) {
        count += Long.bitCount(get(i));
      }
      return count;
    }
    long[] piece = new long[(int) Math.min(PIECE_WORDS, to - from)];
    for (long at = from; at < to; at += piece.length) {
      int words = (int) Math.min(piece.length, to - at);
      copyTo(at, LongBuffer.wrap(piece, 0, words));
      for (int i = 0; i < words; i++) {
        count += Long.bitCount(piece[i]);
      }
    }
    return count;
  }

  /** How many of the bits {@code from…to-1} are set. */
  public long bitCountOfBits(long from, long to) {
    if (from >= to) {
      return 0;
    }
    long first = from >>> 6;
    long last = (to - 1) >>> 6;
    long head = -1L << from;
    long tail = -1L >>> -to;
    if (first == last) {
      return Long.bitCount(get(first) & head & tail);
    }
    return Long.bitCount(get(first) & head)
        + bitCount(first + 1, last)
        + Long.bitCount(get(last) & tail);
  }

  /** A heap copy with the same sharing; shared if this is mapped. */
  public Words copy() {
    if (heap != null) {
      return new Words(heap.clone(), null, length, shared);
    }
    Words copy = allocate(length, true);
    copyTo(0, LongBuffer.wrap(copy.heap, BASE, (int) length));
    return copy;
  }

  /** Whether all words are equal. */
  public boolean sameBits(Words other) {
    if (length != other.length) {
      return false;
    }
    for (long i = 0; i < length; i++) {
      if (get(i) != other.get(i)) {
        return false;
      }
    }
    return true;
  }

  private void checkSameLength(Words other) {
    if (other.length != length) {
      throw new IllegalArgumentException(other.length + " words cannot join " + length);
    }
  }
}
