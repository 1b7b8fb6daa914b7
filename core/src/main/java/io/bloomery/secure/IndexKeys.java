package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * The r keys of one {@link SecureIndex}, derived from a secret and the nonce of the index. Its
 * owner needs them to add documents and to make {@linkplain Trapdoor trapdoors}; whoever holds the
 * index must not have them.
 *
 * <p>{@link #close} overwrites them; using them afterwards is an {@link IllegalStateException}.
 *
 * <p>Threads: any number may use one.
 */
public final class IndexKeys implements AutoCloseable {

  private static final byte[] KEY_LABEL = "bloomery secure index key".getBytes(US_ASCII);
  private static final byte[] CHECK_LABEL = "bloomery secure index check".getBytes(US_ASCII);

  private final byte[][] keys;
  private final byte[] check;
  private volatile boolean closed;

  private IndexKeys(byte[][] keys, byte[] check) {
    this.keys = keys;
    this.check = check;
  }

  /** The keys for an index with this nonce. */
  static IndexKeys derive(Secret secret, byte[] nonce, int count) {
    byte[][] keys = new byte[count][];
    for (int i = 0; i < count; i++) {
      keys[i] = secret.derive(KEY_LABEL, nonce, number(i + 1));
    }
    byte[] check = secret.derive(CHECK_LABEL, nonce);
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
   * @param word taken as it is: fold case and the like before, as for documents
   * @return for the holder of the index
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
    if (closed) { // after the keys were read, so that no code is made of overwritten ones
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

  /** Says nothing about the keys. */
  @Override
  public String toString() {
    return "IndexKeys[" + keys.length + " keys]";
  }
}
