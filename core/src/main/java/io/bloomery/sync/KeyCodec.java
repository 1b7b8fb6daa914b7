package io.bloomery.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.hash.Hasher;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Converts keys of a format to the 64-bit words that cells combine by xor, and hashes them. A key
 * of variable length is padded with zeros to the longest length, followed by its length in one
 * byte; zeros fill the last word.
 */
final class KeyCodec {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final InvertibleShape.KeyFormat format;
  private final Hasher hasher;
  private final boolean longs;

  KeyCodec(InvertibleShape.KeyFormat format, Hasher hasher) {
    this.format = Objects.requireNonNull(format, "keys");
    this.hasher = Objects.requireNonNull(hasher, "hasher");
    this.longs = format.equals(InvertibleShape.KeyFormat.LONGS);
  }

  InvertibleShape.KeyFormat format() {
    return format;
  }

  Hasher hasher() {
    return hasher;
  }

  /** Whether a key is one word. */
  boolean isLongs() {
    return longs;
  }

  /** The bytes of a key in streams, with its length if that varies. */
  static int bytes(InvertibleShape.KeyFormat format) {
    return format.keyBytes() + (format.variableLength() ? 1 : 0);
  }

  /** The words of a key. */
  static int words(InvertibleShape.KeyFormat format) {
    return wordsFor(bytes(format));
  }

  /** The words of this many bytes. */
  static int wordsFor(int bytes) {
    return (bytes + Long.BYTES - 1) / Long.BYTES;
  }

  /** The 8 bytes of a number. */
  static byte[] bytesOf(long key) {
    byte[] bytes = new byte[Long.BYTES];
    LONG.set(bytes, 0, key);
    return bytes;
  }

  /** The bytes of a text. */
  static byte[] bytesOf(CharSequence key) {
    return Objects.requireNonNull(key, "key").toString().getBytes(UTF_8);
  }

  /** Whether a key of this length can be stored. */
  boolean fits(int length) {
    return length == format.keyBytes() || (format.variableLength() && length < format.keyBytes());
  }

  /** The key, if it can be stored. */
  byte[] checked(byte[] key) {
    Objects.requireNonNull(key, "key");
    if (!fits(key.length)) {
      throw new IllegalArgumentException(
          "key has %d bytes; it must have %s%d"
              .formatted(key.length, format.variableLength() ? "at most " : "", format.keyBytes()));
    }
    return key;
  }

  /** Writes the words of a key that fits to {@code words}, from {@code at} on. */
  void pack(byte[] key, long[] words, int at) {
    packBytes(key, words, at, words(format));
    if (format.variableLength()) {
      int last = format.keyBytes();
      words[at + last / Long.BYTES] |= (long) key.length << (last % Long.BYTES * Byte.SIZE);
    }
  }

  /** Writes bytes as words, little-endian, and zeros up to {@code count} words. */
  static void packBytes(byte[] bytes, long[] words, int at, int count) {
    for (int i = 0; i < count; i++) {
      words[at + i] = 0;
    }
    for (int i = 0; i < bytes.length; i++) {
      words[at + i / Long.BYTES] |= (bytes[i] & 0xFFL) << (i % Long.BYTES * Byte.SIZE);
    }
  }

  /** The first {@code length} bytes of words. */
  static byte[] unpackBytes(long[] words, int at, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (words[at + i / Long.BYTES] >>> (i % Long.BYTES * Byte.SIZE));
    }
    return bytes;
  }

  /** The key of the given words, or null if they are not a valid key. */
  byte @Nullable [] unpack(long[] words, int at) {
    int length = format.keyBytes();
    if (format.variableLength()) {
      int last = format.keyBytes();
      length = (int) (words[at + last / Long.BYTES] >>> (last % Long.BYTES * Byte.SIZE)) & 0xFF;
      if (length > last) {
        return null;
      }
    }
    byte[] key = unpackBytes(words, at, length);
    long[] again = new long[words(format)];
    pack(key, again, 0);
    for (int i = 0; i < again.length; i++) {
      if (again[i] != words[at + i]) {
        return null;
      }
    }
    return key;
  }

  /** The hash of a key. */
  long hash(byte[] key) {
    return hasher.hash(key);
  }

  /** The hash of a key of 8 bytes. */
  long hash(long key) {
    return hasher.hash(key);
  }

  /** Two codecs are equal if they store and hash keys in the same way. */
  boolean isCompatible(KeyCodec other) {
    return format.equals(other.format) && hasher.equals(other.hasher);
  }
}
