package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.Hasher;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The owner of an {@link EncryptedFilter}, called B in the literature: encrypts words under its key
 * and answers which bits of the filter are set. It learns which positions somebody is interested
 * in, not who, and the words only as far as it can guess them.
 *
 * <p>Any number of threads may use one.
 */
public final class EncryptedOwner {

  /** The most positions in one request. */
  public static final int MAX_POSITIONS = 1 << 16;

  private final EncryptionKey key;
  private final EncryptedFilter filter;

  private EncryptedOwner(EncryptionKey key, EncryptedFilter filter) {
    this.key = key;
    this.filter = filter;
  }

  /**
   * An owner with an empty filter.
   *
   * @param key the owner's key; not copied, and not closed by the owner
   * @param expectedWords how many different words will be added, 1 or more
   * @param falsePositiveRate the highest acceptable rate at that number of words, in (0, 1)
   * @return the owner
   */
  public static EncryptedOwner create(
      EncryptionKey key, long expectedWords, double falsePositiveRate) {
    return create(
        key, EncryptedShape.forKeys(expectedWords, falsePositiveRate, key.group()), Hasher.xxh3());
  }

  /**
   * An owner with an empty filter of a given shape.
   *
   * @param key the owner's key; not copied, and not closed by the owner
   * @param shape the filter's parameters, of the key's group
   * @param hasher hashes encryptions; the third party needs the same
   * @return the owner
   */
  public static EncryptedOwner create(EncryptionKey key, EncryptedShape shape, Hasher hasher) {
    return of(key, EncryptedFilter.create(shape, hasher, key.check()));
  }

  /**
   * An owner whose filter was stored.
   *
   * @param key the owner's key; not copied, and not closed by the owner
   * @param filter a filter of words encrypted under that key
   * @return the owner
   * @throws IncompatibleFiltersException if the filter belongs to another key or group
   */
  public static EncryptedOwner of(EncryptionKey key, EncryptedFilter filter) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(filter, "filter");
    if (filter.shape().group() != key.group().number()) {
      throw new IncompatibleFiltersException(
          "group " + filter.shape().group() + " != " + key.group().number());
    }
    if (filter.keyCheck() != key.check()) {
      throw new IncompatibleFiltersException(
          "key check "
              + Long.toHexString(filter.keyCheck())
              + " != "
              + Long.toHexString(key.check()));
    }
    return new EncryptedOwner(key, filter);
  }

  /**
   * The filter, to be stored. A filter of another owner with the same key can be the list of words
   * that a {@link ThirdParty} allows.
   *
   * @return the filter itself, not a copy
   */
  public EncryptedFilter filter() {
    return filter;
  }

  /**
   * Adds a word given as a byte string.
   *
   * @param word any bytes
   * @return true: certainly new; false: proves nothing
   * @throws IllegalStateException if the filter is a read-only view of a mapped file, or the key is
   *     closed
   */
  public boolean add(byte[] word) {
    return filter.insert(filter.hasher().hash(key.encrypt(word)));
  }

  /**
   * Adds a text.
   *
   * @param word any text, encrypted as its UTF-8 bytes
   * @return true: certainly new; false: proves nothing
   * @throws IllegalStateException if the filter is a read-only view of a mapped file, or the key is
   *     closed
   */
  public boolean add(CharSequence word) {
    return add(Objects.requireNonNull(word, "word").toString().getBytes(UTF_8));
  }

  /**
   * The owner's part of enrolling a client, which shows the owner a random number only.
   *
   * @param fromClient {@link EncryptedClient.Enrolment#forOwner()}, over a channel that the third
   *     party cannot read
   * @return a message for {@link ThirdParty#enrol}
   * @throws MessageException if the message is malformed
   */
  public byte[] enrol(byte[] fromClient) {
    SafePrime group = key.group();
    BigInteger blinded = group.exponent(fromClient);
    return group.encode(blinded.multiply(key.exponent()).mod(group.order()));
  }

  /**
   * Answers a request for bits of the filter.
   *
   * @param request {@link ThirdParty.Lookup#request()}: positions of 8 bytes each, big-endian,
   *     ascending
   * @return bit i mod 8, counted from the lowest, of byte i / 8 is the bit at position i of the
   *     request
   * @throws MessageException if the message is malformed, or a position is beyond the filter
   */
  public byte[] answer(byte[] request) {
    Objects.requireNonNull(request, "request");
    int count = request.length / Long.BYTES;
    MessageException.require(
        request.length % Long.BYTES == 0 && count >= 1 && count <= MAX_POSITIONS,
        "the request has "
            + request.length
            + " bytes; it must have 8 for each of 1 to "
            + MAX_POSITIONS
            + " positions");
    byte[] answer = new byte[(count + 7) / 8];
    ByteBuffer positions = ByteBuffer.wrap(request);
    long last = -1;
    for (int i = 0; i < count; i++) {
      long position = positions.getLong();
      MessageException.require(
          position > last && position < filter.sizeInBits(),
          "the positions are not ascending numbers below " + filter.sizeInBits());
      if (filter.isSet(position)) {
        answer[i / 8] |= (byte) (1 << (i % 8));
      }
      last = position;
    }
    return answer;
  }

  @Override
  public String toString() {
    return "EncryptedOwner[" + key + ", " + filter + "]";
  }
}
