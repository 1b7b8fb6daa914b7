package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Objects;

/**
 * The r keys of one {@link SecureIndex}, derived from a secret and the nonce of the index. The
 * owner needs them to add documents and to make {@linkplain Trapdoor trapdoors}; the holder of the
 * index must not have them.
 *
 * <p>{@link #close} overwrites them; using them afterwards throws an {@link IllegalStateException}.
 *
 * <p>Thread-safe.
 */
public final class IndexKeys implements AutoCloseable {

  private static final byte[] KEY_LABEL = "bloomery secure index key".getBytes(US_ASCII);
  private static final byte[] OLD_CHECK_LABEL = "bloomery secure index check".getBytes(US_ASCII);
  private static final byte[] CHECK_LABEL = "bloomery secure index shape check".getBytes(US_ASCII);

  private final byte[][] keys;
  private final byte[] check;
  private volatile boolean closed;

  private IndexKeys(byte[][] keys, byte[] check) {
    this.keys = keys;
    this.check = check;
  }

  /** The keys for an index with this nonce and shape. */
  static IndexKeys derive(Secret secret, byte[] nonce, SecureIndexShape shape) {
    ByteBuffer bound = ByteBuffer.allocate(Long.BYTES + 2 * Integer.BYTES);
    bound.order(ByteOrder.LITTLE_ENDIAN);
    bound.putLong(shape.bits()).putInt(shape.hashesPerWord()).putInt(shape.maxWords());
    byte[] check = secret.derive(CHECK_LABEL, nonce, bound.array());
    return derive(secret, nonce, shape.hashesPerWord(), check);
  }

  /** The keys for an index whose check value does not depend on its shape; read, not created. */
  static IndexKeys deriveOld(Secret secret, byte[] nonce, int count) {
    return derive(secret, nonce, count, secret.derive(OLD_CHECK_LABEL, nonce));
  }

  private static IndexKeys derive(Secret secret, byte[] nonce, int count, byte[] check) {
    byte[][] keys = new byte[count][];
    for (int i = 0; i < count; i++) {
      keys[i] = secret.derive(KEY_LABEL, nonce, number(i + 1));
    }
    return new IndexKeys(keys, Arrays.copyOf(check, Trapdoor.CHECK_BYTES));
  }

  private static byte[] number(int i) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(i).array();
  }

  /** The public value by which an index recognises its keys. */
  byte[] check() {
    return check;
  }

  /**
   * The trapdoor of a word.
   *
   * @param word used as it is; normalize case and the like before, as for documents
   * @return the trapdoor for the holder of the index
   * @throws IllegalStateException if the keys are closed
   */
  public Trapdoor trapdoor(CharSequence word) {
    Objects.requireNonNull(word, "word");
    try (Hmac hmac = new Hmac()) {
      return Trapdoor.ofParts(check, codes(word, hmac));
    }
  }

  /** The codes of a word, T_1 … T_r. */
  byte[][] codes(CharSequence word, Hmac hmac) {
    byte[] text = word.toString().getBytes(UTF_8);
    byte[][] codes = new byte[keys.length][];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = hmac.of(keys[i], text);
    }
    if (closed) { // after the keys were read, so that no code is made from overwritten keys
      throw new IllegalStateException("the keys are closed");
    }
    return codes;
  }

  /** Overwrites the keys. */
  @Override
  public void close() {
    closed = true;
    for (byte[] key : keys) {
      Arrays.fill(key, (byte) 0);
    }
  }

  /** Reveals nothing about the keys. */
  @Override
  public String toString() {
    return "IndexKeys[" + keys.length + " keys]";
  }

  /**
   * A search token that the owner of a {@link SecureIndex} gives to its holder: the HMAC of a word
   * under each of r keys. It does not reveal the word, but it is the same for every search for that
   * word, and it finds the word in all documents of the index, including those added later.
   *
   * <p>Immutable and thread-safe.
   */
  public static final class Trapdoor {

    /** The length of the check value of the keys, with which the bytes begin. */
    static final int CHECK_BYTES = 16;

    private final byte[] bytes;

    private Trapdoor(byte[] bytes) {
      this.bytes = bytes;
    }

    /**
     * A trapdoor that was sent.
     *
     * @param bytes the result of {@link #toBytes()}; copied
     * @return the trapdoor
     * @throws IllegalArgumentException if that is not the length of a trapdoor
     */
    public static Trapdoor of(byte[] bytes) {
      Objects.requireNonNull(bytes, "bytes");
      int codes = (bytes.length - CHECK_BYTES) / Hmac.BYTES;
      if (codes < 1 || codes > Shape.MAX_HASHES_PER_KEY || bytes.length != length(codes)) {
        throw new IllegalArgumentException(
            "bytes.length = " + bytes.length + " is not 16 + 32 · r for r = 1 … 255");
      }
      return new Trapdoor(bytes.clone());
    }

    /** Concatenates the check value of the keys and the codes of a word. */
    static Trapdoor ofParts(byte[] check, byte[][] codes) {
      byte[] bytes = Arrays.copyOf(check, length(codes.length));
      for (int i = 0; i < codes.length; i++) {
        System.arraycopy(codes[i], 0, bytes, length(i), Hmac.BYTES);
      }
      return new Trapdoor(bytes);
    }

    /** The length of r codes in bytes, which is also the offset of code r. */
    static int length(int codes) {
      return CHECK_BYTES + codes * Hmac.BYTES;
    }

    /** How many codes there are, r. */
    int codes() {
      return (bytes.length - CHECK_BYTES) / Hmac.BYTES;
    }

    /** Code i, as a key. */
    byte[] code(int i) {
      Arguments.inRange("i", i, 0, codes() - 1);
      return Arrays.copyOfRange(bytes, length(i), length(i + 1));
    }

    /** Whether it was made by keys with this check value; takes constant time. */
    boolean isOf(byte[] check) {
      return MessageDigest.isEqual(Arrays.copyOf(bytes, CHECK_BYTES), check);
    }

    /**
     * The bytes to be sent to the holder of the index.
     *
     * @return a copy of the 16 + 32 · r bytes
     */
    public byte[] toBytes() {
      return bytes.clone();
    }

    /** Reveals nothing about the word. */
    @Override
    public String toString() {
      return "IndexKeys.Trapdoor[" + codes() + " codes]";
    }
  }
}
