package io.bloomery.frozen;

import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.code.SparseBits;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Probes;
import io.bloomery.membership.BloomFilter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A snapshot of a Bloom filter with its bits coded, and its bytes without a frame. */
final class Message {

  /** Magic, version, probes, scheme, hash, seed or key check, bits, ones, checksum. */
  static final int HEADER_BYTES = 36;

  private static final int MAGIC = 0x5A4D4C42; // "BLMZ"
  private static final int VERSION = 1;
  static final SealedBytes SEAL = new SealedBytes("message", HEADER_BYTES);

  private final long bits;
  private final int probes;
  private final int scheme;
  private final long ones;
  private final byte[] code;

  Message(long bits, int probes, int scheme, long ones, byte[] code) {
    this.bits = bits;
    this.probes = probes;
    this.scheme = scheme;
    this.ones = ones;
    this.code = code;
  }

  static Message of(BloomFilter filter) {
    FilterKind<BloomFilter> kind = BloomFilter.KIND;
    // A copy, so that the number of ones stays right while other threads add.
    Frame frame = kind.encode(filter.copy());
    try {
      long bits = frame.number("bits", 2, Long.MAX_VALUE);
      Words words = frame.section(0, Words.wordsFor(bits));
      long ones = words.bitCount();
      return new Message(
          bits,
          (int) frame.number("probes", 1, 255),
          (int) frame.number("scheme", 1, 255),
          ones,
          SparseBits.encode(words, bits, ones));
    } catch (IOException e) {
      throw new AssertionError("a frame in memory cannot fail", e);
    }
  }

  long bits() {
    return bits;
  }

  int probes() {
    return probes;
  }

  /** The written number of the index scheme. */
  int scheme() {
    return scheme;
  }

  long ones() {
    return ones;
  }

  /** The coded bits; not copied. */
  byte[] code() {
    return code;
  }

  /** The bits, or null if the code is not one of that many ones. */
  Words decode(boolean shared) {
    Words words = Words.forBits(bits, shared);
    return SparseBits.decode(code, 0, code.length, words, bits, ones) ? words : null;
  }

  byte[] toBytes(Hasher hasher) {
    byte[] bytes = new byte[HEADER_BYTES + code.length];
    ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(MAGIC).put((byte) VERSION).put((byte) probes).put((byte) scheme);
    out.put((byte) hasher.wireId()).putLong(hasher.seedOrKeyCheck());
    out.putLong(bits).putLong(ones);
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
    int probes = Byte.toUnsignedInt(in.get());
    int scheme = Byte.toUnsignedInt(in.get());
    SEAL.require(probes >= 1, 5, "no probes");
    SEAL.require(
        scheme >= 1 && scheme <= IndexScheme.values().length, 6, "unknown scheme " + scheme);
    int hash = Byte.toUnsignedInt(in.get());
    long seed = in.getLong();
    SEAL.require(
        hash == hasher.wireId() && seed == hasher.seedOrKeyCheck(),
        7,
        "made with another hasher than " + hasher);
    long bits = in.getLong();
    long ones = in.getLong();
    SEAL.require(bits >= 2 && bits <= Words.MAX_WORDS * Long.SIZE, 16, bits + " bits");
    SEAL.require(ones >= 0 && ones <= bits, 24, ones + " ones of " + bits + " bits");
    long memory = Words.wordsFor(bits) * Long.BYTES;
    SEAL.require(
        memory <= maxBytes, 16, "takes " + memory + " bytes in memory; allowed are " + maxBytes);
    try {
      new Probes(IndexScheme.ofWireId(scheme), bits, probes);
    } catch (IllegalArgumentException e) {
      throw SEAL.problem(5, e.getMessage());
    }
    byte[] code = Arrays.copyOfRange(bytes, HEADER_BYTES, bytes.length);
    return new Message(bits, probes, scheme, ones, code);
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

  /** The first bytes of words, or null if others are not zero. */
  static byte[] toBytes(Words words, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (words.get(i >>> 3) >>> (i << 3));
    }
    int used = (count & 7) * Byte.SIZE;
    boolean clean = used == 0 || words.get(words.length() - 1) >>> used == 0;
    return clean ? bytes : null;
  }
}
