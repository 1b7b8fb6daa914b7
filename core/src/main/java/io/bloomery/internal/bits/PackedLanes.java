package io.bloomery.internal.bits;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of {@link Packed} for reading several neighbours at once: in a byte array, where 8
 * bytes can be read from any byte, or in {@link Words}, where the same takes two reads and two
 * shifts. Both have the same bits in the same order, and the same files.
 *
 * <p>Only heap memory of up to 2 GB can be a byte array; mapped and larger stores are always words.
 * At least one spare word must follow the last number.
 *
 * <p>Threads: all accesses are plain.
 */
public final class PackedLanes {

  /** The most words that a byte array holds. */
  public static final long MAX_WORDS_IN_BYTES = (Integer.MAX_VALUE - 16) / Long.BYTES;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte @Nullable [] bytes;

  /** Where the numbers lie, or a read-only view of the bytes. */
  private final Words words;

  private PackedLanes(byte @Nullable [] bytes, Words words) {
    this.bytes = bytes;
    this.words = words;
  }

  /** Zeroed numbers on the heap, in bytes if requested and possible. */
  public static PackedLanes allocate(long words, boolean inBytes) {
    return inBytes && words <= MAX_WORDS_IN_BYTES
        ? of(Words.bytes(words * Long.BYTES))
        : new PackedLanes(null, Words.allocate(words, false));
  }

  /**
   * Numbers in existing words; those on the heap are copied into bytes if requested and possible.
   */
  public static PackedLanes of(Words words, boolean inBytes) {
    if (!inBytes || words.isReadOnly() || words.length() > MAX_WORDS_IN_BYTES) {
      return new PackedLanes(null, words);
    }
    byte[] bytes = Words.bytes(words.length() * Long.BYTES);
    words.copyTo(0, longs(bytes));
    return of(bytes);
  }

  private static PackedLanes of(byte[] bytes) {
    return new PackedLanes(bytes, Words.view(longs(bytes)));
  }

  private static LongBuffer longs(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
  }

  /** The array, or null if the numbers lie in words. */
  public byte @Nullable [] bytes() {
    return bytes;
  }

  /** The words, to be stored or read. They cannot be written if there are {@link #bytes()}. */
  public Words words() {
    return words;
  }

  /** Whether the numbers lie in a mapped file and cannot be written. */
  public boolean isReadOnly() {
    return bytes == null && words.isReadOnly();
  }

  /** Throws for a mapped store. */
  public void requireWritable() {
    if (bytes == null) {
      words.writable();
    }
  }

  /** Eight bytes from byte {@code at} on, the first one lowest. */
  public static long read(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  /** Number {@code i} of 1…57 bits. */
  public long get(int width, long i) {
    if (bytes == null) {
      return Packed.get(words, width, i);
    }
    long bit = i * width;
    return read(bytes, (int) (bit >>> 3)) >>> (bit & 7) & (-1L >>> -width);
  }

  /** Replaces number {@code i}. Bits of {@code value} above the width, 1…57, are lost. */
  public void set(int width, long i, long value) {
    if (bytes == null) {
      Packed.set(words, width, i, value);
      return;
    }
    long bit = i * width;
    int at = (int) (bit >>> 3);
    int shift = (int) bit & 7;
    long mask = -1L >>> -width;
    LONGS.set(bytes, at, (read(bytes, at) & ~(mask << shift)) | ((value & mask) << shift));
  }

  /** Zeros everything. */
  public void clear() {
    if (bytes == null) {
      words.clear();
    } else {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  /** A heap copy, in bytes if requested and possible. */
  public PackedLanes copy(boolean inBytes) {
    return bytes == null ? of(words.copy(), inBytes) : of(bytes.clone());
  }

  /** Whether all bits are equal, in bytes or not. */
  public boolean sameBits(PackedLanes other) {
    if (bytes == null || other.bytes == null) {
      return words.sameBits(other.words);
    }
    return Arrays.equals(bytes, other.bytes);
  }
}
