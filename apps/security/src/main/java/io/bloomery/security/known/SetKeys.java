package io.bloomery.security.known;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomery.hash.Hasher;
import io.bloomery.tools.name.Octets;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/** What is looked up for a file. */
final class SetKeys {

  private static final HexFormat UPPER = HexFormat.of().withUpperCase();

  private SetKeys() {}

  /** The hash of a digest. */
  static long content(Hasher hasher, byte[] digest) {
    return hasher.hash(digest);
  }

  /** The hash of a file in its place: the length of its name, the name, its size, its digest. */
  static long place(Hasher hasher, String name, long size, byte[] digest) {
    byte[] bytes = Octets.bytes(name);
    ByteBuffer key = ByteBuffer.allocate(Integer.BYTES + bytes.length + Long.BYTES + digest.length);
    key.putInt(bytes.length).put(bytes).putLong(size).put(digest);
    return hasher.hash(key.array());
  }

  /** The key in a set of DCSO's format. */
  static byte[] text(byte[] digest, boolean lowerCase) {
    return (lowerCase ? HexFormat.of() : UPPER).formatHex(digest).getBytes(US_ASCII);
  }
}
