package io.bloomery.frozen;

import io.bloomery.FilterFormatException;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.code.SparseBits;
import io.bloomery.internal.frame.WordAccess;
import io.bloomery.internal.probe.Probes;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A snapshot of a Bloom filter with coded bits, and its bytes without a frame. */
final class Message {

  /** Magic, version, hashes per key, scheme, hash, seed or key check, bits, ones, checksum. */
  static final int HEADER_BYTES = 36;

  private static final int MAGIC = 0x5A4D4C42; // "BLMZ"
  private static final int VERSION = 1;
  static final SealedBytes SEAL = new SealedBytes("message", HEADER_BYTES);

  private final BloomShape shape;
  private final long ones;
  private final byte[] code;

  Message(BloomShape shape, long ones, byte[] code) {
    this.shape = shape;
    this.ones = ones;
    this.code = code;
  }

  static Message of(BloomFilter filter) {
    // A copy, so that the number of ones stays right while other threads add.
    Words words = WordAccess.of(filter.copy(), BloomFilter.KIND);
    BloomShape shape = filter.shape();
    long ones = words.bitCount();
    return new Message(shape, ones, SparseBits.encode(words, shape.bits(), ones));
  }

  /** The filter's parameters. */
  BloomShape shape() {
    return shape;
  }

  long ones() {
    return ones;
  }

  /** The coded bits; not copied. */
  byte[] code() {
    return code;
  }

  /** The bits, or null if the code does not have that many ones. */
  @Nullable Words decode(boolean shared) {
    Words words = Words.forBits(shape.bits(), shared);
    return SparseBits.decode(code, 0, code.length, words, shape.bits(), ones) ? words : null;
  }

  byte[] toBytes(Hasher hasher) {
    byte[] bytes = new byte[HEADER_BYTES + code.length];
    ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(MAGIC).put((byte) VERSION);
    out.put((byte) shape.hashesPerKey()).put((byte) shape.scheme().wireId());
    out.put((byte) hasher.wireId()).putLong(hasher.seedOrKeyCheck());
    out.putLong(shape.bits()).putLong(ones);
    System.arraycopy(code, 0, bytes, HEADER_BYTES, code.length);
    out.putInt(SEAL.checksumAt(), SEAL.checksum(bytes));
    return bytes;
  }

  static Message read(byte[] bytes, long maxBytes, Hasher hasher) throws FilterFormatException {
    if (bytes.length < HEADER_BYTES) {
      throw SEAL.problem(bytes.length, "ends inside of the header of " + HEADER_BYTES + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    SEAL.require(in.getInt() == MAGIC, 0, "not a coded filter");
    SEAL.require(in.get() == VERSION, 4, "unknown version");
    int checksum = in.getInt(SEAL.checksumAt());
    SEAL.require(
        checksum == SEAL.checksum(bytes),
        SEAL.checksumAt(),
        "the checksum is not that of the bytes");
    int hashesPerKey = Byte.toUnsignedInt(in.get());
    int scheme = Byte.toUnsignedInt(in.get());
    SEAL.require(hashesPerKey >= 1, 5, "no probes");
    SEAL.require(
        scheme >= 1 && scheme <= IndexScheme.values().length, 6, "unknown scheme " + scheme);
    int hash = Byte.toUnsignedInt(in.get());
    long seed = in.getLong();
    SEAL.require(
        hasher.matches(hash, seed, hasher.nonce()), 7, "made with another hasher than " + hasher);
    long bits = in.getLong();
    long ones = in.getLong();
    SEAL.require(bits >= 2 && bits <= Words.MAX_WORDS * Long.SIZE, 16, bits + " bits");
    SEAL.require(ones >= 0 && ones <= bits, 24, ones + " ones of " + bits + " bits");
    long memory = Words.wordsFor(bits) * Long.BYTES;
    SEAL.require(
        memory <= maxBytes, 16, "takes " + memory + " bytes in memory; allowed are " + maxBytes);
    byte[] code = Arrays.copyOfRange(bytes, HEADER_BYTES, bytes.length);
    try {
      BloomShape shape = new BloomShape(bits, hashesPerKey, IndexScheme.ofWireId(scheme));
      new Probes(shape.scheme(), bits, hashesPerKey);
      return new Message(shape, ones, code);
    } catch (IllegalArgumentException e) {
      throw SEAL.problem(5, e.getMessage());
    }
  }

  /** Bytes as words, little-endian, the last padded with zeros. */
  static Words toWords(byte[] bytes) {
    Words words = Words.forBits(bytes.length * (long) Byte.SIZE, true);
    long[] heap = words.writable();
    for (int i = 0; i < bytes.length; i++) {
      heap[Words.BASE + (i >>> 3)] |= (bytes[i] & 0xFFL) << (i << 3);
    }
    return words;
  }

  /** The first bytes of words, or null if the rest are not zero. */
  static byte @Nullable [] toBytes(Words words, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (words.get(i >>> 3) >>> (i << 3));
    }
    int used = (count & 7) * Byte.SIZE;
    boolean clean = used == 0 || words.get(words.length() - 1) >>> used == 0;
    return clean ? bytes : null;
  }
}
