package io.bloomery.secure;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;

/**
 * Somebody who queries an {@link EncryptedFilter}, called A in the literature: encrypts words under
 * a key of its own and sends them to the {@link ThirdParty}, which alone can turn them into what
 * the owner's filter holds.
 *
 * <p>Any number of threads may use one.
 */
public final class EncryptedClient {

  private final EncryptionKey key;

  private EncryptedClient(EncryptionKey key) {
    this.key = key;
  }

  /**
   * A client.
   *
   * @param key its own key; not copied, and not closed by the client
   * @return the client
   */
  public static EncryptedClient of(EncryptionKey key) {
    return new EncryptedClient(Objects.requireNonNull(key, "key"));
  }

  /**
   * Two messages by which the third party learns the ratio of the owner's key and this one, and
   * nobody learns a key: a random exponent s for the third party, and s divided by the client's key
   * for the owner, who multiplies it by its own.
   *
   * @return the messages, made afresh in each call
   */
  public Enrolment enrol() {
    SafePrime group = key.group();
    BigInteger mask = group.randomExponent();
    BigInteger inverse = key.exponent().modInverse(group.order());
    return new Enrolment(
        group.encode(mask.multiply(inverse).mod(group.order())), group.encode(mask));
  }

  /**
   * A query for a word given as a byte string.
   *
   * @param word any bytes
   * @return a message for {@link ThirdParty#lookUp}; the same each time for the same word
   */
  public byte[] query(byte[] word) {
    return key.encrypt(word);
  }

  /**
   * A query for a text.
   *
   * @param word any text, encrypted as its UTF-8 bytes
   * @return a message for {@link ThirdParty#lookUp}; the same each time for the same word
   */
  public byte[] query(CharSequence word) {
    return key.encrypt(word);
  }

  @Override
  public String toString() {
    return "EncryptedClient[" + key + "]";
  }

  /**
   * The messages that enrol a client. Whoever sees both knows the client's key: each goes to its
   * party alone, over a channel that others cannot read.
   */
  public static final class Enrolment implements AutoCloseable {

    private final byte[] forOwner;
    private final byte[] forThirdParty;
    private boolean closed;

    private Enrolment(byte[] forOwner, byte[] forThirdParty) {
      this.forOwner = forOwner;
      this.forThirdParty = forThirdParty;
    }

    /**
     * The message for {@link EncryptedOwner#enrol}.
     *
     * @return an exponent
     */
    public byte[] forOwner() {
      requireOpen();
      return forOwner.clone();
    }

    /**
     * The client's message for {@link ThirdParty#enrol}.
     *
     * @return an exponent
     */
    public byte[] forThirdParty() {
      requireOpen();
      return forThirdParty.clone();
    }

    private void requireOpen() {
      if (closed) {
        throw new IllegalStateException("the messages were overwritten");
      }
    }

    /** Overwrites both messages. */
    @Override
    public void close() {
      closed = true;
      Arrays.fill(forOwner, (byte) 0);
      Arrays.fill(forThirdParty, (byte) 0);
    }
  }
}
