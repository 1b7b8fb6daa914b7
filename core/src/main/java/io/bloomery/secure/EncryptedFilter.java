package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.FilterKind;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.frame.WordAccess;
import io.bloomery.membership.BloomFilter;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * A Bloom filter of encrypted words that clients query through a third party. The owner does not
 * see who sends a query, the third party does not see words, and the client sees only answers.
 *
 * <p>The keys of this filter are encryptions under the owner's key ({@link EncryptionKey#encrypt}),
 * as bytes; the word itself is not a key, and {@code mightContain("word")} treats it like any bytes
 * that were not added. Guesses cannot be tested without the key, so the file may be stored where a
 * plain filter would not be safe. The parties:
 *
 * <ul>
 *   <li>{@link Owner} (B) has a key and this filter, and answers with bits.
 *   <li>{@link Client} (A) has another key, and sends queries.
 *   <li>{@link ThirdParty} (Ted) has the ratio of the keys. It converts a query to the owner's
 *       encryption, refuses words that are not allowed, and requests positions from the owner,
 *       among decoys.
 * </ul>
 *
 * <p>No word is lost: false means certainly absent. The rate is that of a plain Bloom filter. Each
 * party does about one exponentiation per word, which takes some milliseconds; a filter of a
 * million words takes more than an hour to build. {@link ObliviousFilter} needs no third party and
 * is faster, but its filter is public. See docs/threats.md for what colluding parties learn.
 *
 * <p>As thread-safe as the {@link BloomFilter} that it consists of.
 *
 * <p>Bellovin and Cheswick 2004, "Privacy-Enhanced Searches Using Encrypted Bloom Filters".
 * Deviations: words are mapped to squares modulo p, and positions are a pseudorandom function of a
 * hash of the encryption ({@link io.bloomery.hash.IndexScheme#PRF}), not slices of its bits, so
 * that any number of hashes fits any group, and the owner cannot compute the hash from the
 * positions of a request.
 */
public final class EncryptedFilter extends ShapedFilter<EncryptedShape> implements QueryCost {

  public static final FilterKind<EncryptedFilter> KIND =
      Kind.of(78, "encrypted", EncryptedFilter.class)
          .question("is the word with encryption x in the set? through a third party")
          .codec(EncryptedFilter::encode, EncryptedFilter::decode)
          .derivedKeys("encryptions of words")
          .unplanned("holds encryptions of words, which its owner makes one by one");

  private final BloomFilter bloom;
  private final long keyCheck;
  private final Words words;

  private EncryptedFilter(EncryptedShape shape, long keyCheck, BloomFilter bloom) {
    super(shape, bloom.hasher());
    this.bloom = bloom;
    this.keyCheck = keyCheck;
    this.words = WordAccess.of(bloom, BloomFilter.KIND);
  }

  /** An empty filter of an owner. */
  static EncryptedFilter create(EncryptedShape shape, Hasher hasher, long keyCheck) {
    Objects.requireNonNull(shape, "shape");
    return new EncryptedFilter(shape, keyCheck, BloomFilter.create(shape.bloom(), hasher));
  }

  /**
   * A filter of words that were encrypted elsewhere, for example on several machines.
   *
   * @param shape the parameters; {@link ThirdParty} takes only those of {@link
   *     io.bloomery.hash.IndexScheme#PRF}
   * @param hasher the hasher of the encryptions
   * @param keyCheck {@link EncryptionKey#check()} of the key
   * @param hashes hashes of encryptions of the words
   * @return the filter
   */
  public static EncryptedFilter ofHashes(
      EncryptedShape shape, Hasher hasher, long keyCheck, long... hashes) {
    EncryptedFilter filter = create(shape, hasher, keyCheck);
    filter.bloom.addHashes(hashes, 0, hashes.length);
    return filter;
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).put("key check", keyCheck).section(words);
  }

  private static EncryptedFilter decode(Frame frame) throws IOException {
    EncryptedShape shape = frame.shape(EncryptedShape.class);
    long keyCheck = frame.number("key check", Long.MIN_VALUE, Long.MAX_VALUE);
    BloomFilter bloom = frame.decodePart(BloomFilter.KIND, shape.bloom(), 0, shape.bloom().bits());
    return new EncryptedFilter(shape, keyCheck, bloom);
  }

  @Override
  public FilterKind<EncryptedFilter> kind() {
    return KIND;
  }

  /**
   * The check value of the key that encrypts the words.
   *
   * @return {@link EncryptionKey#check()} of the owner's key
   */
  public long keyCheck() {
    return keyCheck;
  }

  /** Sets the positions of a hash; true proves that it is new, false proves nothing. */
  boolean insert(long hash) {
    return bloom.addHash(hash);
  }

  /** Whether a position is set. */
  boolean isSet(long position) {
    return words.getBit(position);
  }

  @Override
  public boolean mightContainHash(long hash) {
    return bloom.mightContainHash(hash);
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    return bloom.mightContainHashes(hashes, from, to, hits);
  }

  /** {@inheritDoc} Here: that of the Bloom filter. */
  @Override
  public double falsePositiveRate() {
    return bloom.falsePositiveRate();
  }

  @Override
  public int hashBits() {
    return shape().hashBits();
  }

  @Override
  public int memoryAccesses() {
    return shape().memoryAccesses();
  }

  /**
   * A client that queries an {@link EncryptedFilter}, called A in the literature: it encrypts words
   * under its own key and sends them to the {@link ThirdParty}, which alone can convert them to the
   * owner's encryption.
   *
   * <p>Thread-safe.
   */
  public static final class Client {

    private final EncryptionKey key;

    private Client(EncryptionKey key) {
      this.key = key;
    }

    /**
     * A client.
     *
     * @param key its own key; not copied, and not closed by the client
     * @return the client
     */
    public static Client of(EncryptionKey key) {
      return new Client(Objects.requireNonNull(key, "key"));
    }

    /**
     * Two messages from which the third party learns the ratio of the owner's key and this one, and
     * no party learns a key: a random exponent s for the third party, and s divided by the client's
     * key for the owner, who multiplies it by its own and encrypts the product for the third party.
     *
     * @return new messages in each call
     */
    public Enrolment enrol() {
      EncryptionKey.SafePrime group = key.group();
      BigInteger mask = group.randomExponent();
      BigInteger inverse = key.exponent().modInverse(group.order());
      return new Enrolment(
          group.encode(mask.multiply(inverse).mod(group.order())), group.encode(mask));
    }

    /**
     * A query for a word given as a byte string.
     *
     * @param word any bytes
     * @return a message for {@link ThirdParty#lookUp}; equal for equal words
     */
    public byte[] query(byte[] word) {
      return key.encrypt(word);
    }

    /**
     * A query for a text.
     *
     * @param word any text, encrypted as its UTF-8 bytes
     * @return a message for {@link ThirdParty#lookUp}; equal for equal words
     */
    public byte[] query(CharSequence word) {
      return key.encrypt(word);
    }

    @Override
    public String toString() {
      return "EncryptedFilter.Client[" + key + "]";
    }

    /**
     * The messages that enrol a client. Both together reveal the client's key: send each one only
     * to its party, over a confidential channel.
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
       * The message for {@link Owner#enrol}.
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

  /**
   * The owner of an {@link EncryptedFilter}, called B in the literature: it encrypts words under
   * its key and answers which bits of the filter are set. It learns which positions are queried but
   * not by whom, and the words only if it can guess them. What it hands out for an enrolment is a
   * multiple of its key, encrypted for the third party: whoever reads it and knows the client's
   * part can compute the key.
   *
   * <p>Thread-safe.
   */
  public static final class Owner {

    /** The most positions in one request. */
    public static final int MAX_POSITIONS = 1 << 16;

    private final EncryptionKey key;
    private final EncryptedFilter filter;

    private Owner(EncryptionKey key, EncryptedFilter filter) {
      this.key = key;
      this.filter = filter;
    }

    /**
     * An owner with an empty filter.
     *
     * @param key the owner's key; not copied, and not closed by the owner
     * @param expectedWords how many distinct words will be added, 1 or more
     * @param falsePositiveRate the highest acceptable rate at that number of words, in (0, 1)
     * @return the owner
     */
    public static Owner create(EncryptionKey key, long expectedWords, double falsePositiveRate) {
      return create(
          key,
          EncryptedShape.forKeys(expectedWords, falsePositiveRate, key.group()),
          Hasher.xxh3());
    }

    /**
     * An owner with an empty filter of a given shape.
     *
     * @param key the owner's key; not copied, and not closed by the owner
     * @param shape the filter's parameters, of the key's group
     * @param hasher hashes encryptions; the third party needs the same
     * @return the owner
     * @throws IllegalArgumentException if the shape has another scheme than {@link
     *     io.bloomery.hash.IndexScheme#PRF}
     */
    public static Owner create(EncryptionKey key, EncryptedShape shape, Hasher hasher) {
      shape.requirePseudorandom();
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
    public static Owner of(EncryptionKey key, EncryptedFilter filter) {
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
      return new Owner(key, filter);
    }

    /**
     * The filter, to be stored. A filter of another owner with the same key can be the list of
     * words that a {@link ThirdParty} allows.
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
     * @throws IllegalStateException if the filter is a read-only view of a mapped file, or the key
     *     is closed
     */
    public boolean add(byte[] word) {
      return filter.insert(filter.hasher().hash(key.encrypt(word)));
    }

    /**
     * Adds a text.
     *
     * @param word any text, encrypted as its UTF-8 bytes
     * @return true: certainly new; false: proves nothing
     * @throws IllegalStateException if the filter is a read-only view of a mapped file, or the key
     *     is closed
     */
    public boolean add(CharSequence word) {
      return add(Objects.requireNonNull(word, "word").toString().getBytes(UTF_8));
    }

    /**
     * The owner's part of enrolling a client; the owner sees only a random number.
     *
     * @param fromClient {@link EncryptedFilter.Client.Enrolment#forOwner()}, sent over a channel
     *     that the third party cannot read
     * @param thirdPartyKey {@link ThirdParty#publicKey()}, from the third party itself
     * @return a message for {@link ThirdParty#enrol}, which no one else can read
     * @throws MessageException if the message is malformed or no honest client's, or the public key
     *     is not one
     */
    public byte[] enrol(byte[] fromClient, byte[] thirdPartyKey) {
      Objects.requireNonNull(thirdPartyKey, "thirdPartyKey");
      EncryptionKey.SafePrime group = key.group();
      BigInteger blinded = group.exponent(fromClient);
      MessageException.require(
          !blinded.equals(BigInteger.ONE)
              && !blinded.equals(group.order().subtract(BigInteger.ONE)),
          "the exponent is 1 or -1, whose multiple is the owner's key");
      byte[] multiple = group.encode(blinded.multiply(key.exponent()).mod(group.order()));
      try {
        return SealedMessage.seal(thirdPartyKey, multiple);
      } finally {
        Arrays.fill(multiple, (byte) 0);
      }
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
      return "EncryptedFilter.Owner[" + key + ", " + filter + "]";
    }
  }
}
