package io.bloomery.foreign.mozilla;

import io.bloomery.foreign.hash.Murmur3;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of one key in the layers of a {@link MozillaCascadeFilter}, one after the other. For
 * SHA-256 in counter mode those of a layer depend on how many bytes all layers before took.
 */
final class MozillaIndexes {

  private final MozillaCascadeFilter.Hash hash;
  private final byte[] salt;
  private final byte[] bytes;
  private final int offset;
  private final int length;
  private final @Nullable MessageDigest digest;
  private final byte[] number = new byte[Integer.BYTES];
  private byte[] block = {};
  private int used;
  private int counter;
  private int layer = 1;

  MozillaIndexes(
      MozillaCascadeFilter.Hash hash, byte[] salt, byte[] bytes, int offset, int length) {
    this.hash = hash;
    this.salt = salt;
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
    this.digest = hash == MozillaCascadeFilter.Hash.MURMUR3 ? null : sha256();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The next index, 0 … range-1; range is below 2^32. */
  long next(long range) {
    return Integer.toUnsignedLong(
            switch (hash) {
              case MURMUR3 -> Murmur3.hash32(bytes, offset, length, (counter++ << 16) + layer);
              case SHA256 -> firstBits();
              case SHA256_COUNTER -> streamBits(bytesFor(range));
            })
        % range;
  }

  /** The state after a number of calls of {@link #next}. */
  void skip(int count, long range) {
    if (hash == MozillaCascadeFilter.Hash.SHA256_COUNTER) {
      for (int i = 0; i < count; i++) {
        next(range);
      }
    }
  }

  void nextLayer() {
    layer++;
    if (hash != MozillaCascadeFilter.Hash.SHA256_COUNTER) {
      counter = 0;
    }
  }

  /**
   * The fewest bytes that hold every index of the range, as in rust-cascade, not the range itself.
   */
  private static int bytesFor(long range) {
    return (Long.SIZE - Long.numberOfLeadingZeros(range - 1) + 7) / 8;
  }

  @SuppressWarnings("NullAway") // MurmurHash3 alone has no digest
  private int firstBits() {
    digest.update(salt);
    digest.update(nextNumber());
    digest.update((byte) layer);
    digest.update(bytes, offset, length);
    return ByteBuffer.wrap(digest.digest()).order(ByteOrder.LITTLE_ENDIAN).getInt();
  }

  @SuppressWarnings("NullAway") // MurmurHash3 alone has no digest
  private int streamBits(int count) {
    int bits = 0;
    for (int i = 0; i < count; i++) {
      if (used == block.length) {
        digest.update(nextNumber());
        digest.update(salt);
        digest.update(bytes, offset, length);
        block = digest.digest();
        used = 0;
      }
      bits |= (block[used++] & 0xFF) << (8 * i);
    }
    return bits;
  }

  private byte[] nextNumber() {
    ByteBuffer.wrap(number).order(ByteOrder.LITTLE_ENDIAN).putInt(0, counter++);
    return number;
  }
}
