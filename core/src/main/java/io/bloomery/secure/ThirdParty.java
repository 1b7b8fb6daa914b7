package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.probe.Probes;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The party between the clients and the owner of an {@link EncryptedFilter}, called Ted in the
 * literature. For each client it holds the ratio of the owner's key and the client's, with which it
 * converts the client's encryption of a word to the owner's. It knows the clients, the answers, and
 * which queries are for the same word, but no word and no key.
 *
 * <p>The owner's part of an enrolment is encrypted for Ted, whose {@linkplain #publicKey() public
 * key} the owner must know. Decoys are a pseudorandom function of the word under Ted's secret, so
 * that two requests for one word are equal and do not differ in what is a decoy.
 *
 * <p>Ted must not collude with a client or the owner: the ratio and one key determine the other
 * key.
 *
 * <p>Thread-safe.
 */
public final class ThirdParty implements AutoCloseable {

  /** The most decoys. */
  public static final int MAX_DECOYS = 1 << 15;

  private static final byte[] DECOY_LABEL = "bloomery third party decoys".getBytes(US_ASCII);
  private static final byte[] KEY_LABEL = "bloomery third party key".getBytes(US_ASCII);

  private final EncryptionKey.SafePrime group;
  private final Probes probes;
  private final Hasher hasher;
  private final int decoys;
  private final byte[] decoyKey;
  private final byte[] privateKey;
  private final byte[] publicKey;
  private final Map<String, Client> clients = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /** The state of a client: the ratio, and the words it may query; null for any word. */
  private static final class Client {
    private final byte[] ratio;
    private final @Nullable EncryptedFilter allowed;

    Client(byte[] ratio, @Nullable EncryptedFilter allowed) {
      this.ratio = ratio;
      this.allowed = allowed;
    }
  }

  private ThirdParty(
      EncryptionKey.SafePrime group,
      EncryptedShape shape,
      Hasher hasher,
      int decoys,
      Secret secret) {
    this.group = group;
    this.probes =
        new Probes(shape.bloom().scheme(), shape.bloom().bits(), shape.bloom().hashesPerKey());
    this.hasher = hasher;
    this.decoys = decoys;
    this.decoyKey = secret.derive(DECOY_LABEL);
    this.privateKey = secret.derive(KEY_LABEL);
    this.publicKey = SealedMessage.publicKey(privateKey);
  }

  /**
   * A third party with a new secret for an owner's filter.
   *
   * @param group the group of the owner's key
   * @param shape the shape of the owner's filter
   * @param hasher the hasher of the owner's filter
   * @param decoys how many random positions each request has besides those of the word, 0 … {@link
   *     #MAX_DECOYS} and at most the remaining bits
   * @return a third party without clients
   * @throws IllegalArgumentException if there are too many decoys, or the shape has another scheme
   *     than {@link IndexScheme#PRF}
   */
  public static ThirdParty create(
      EncryptionKey.SafePrime group, EncryptedShape shape, Hasher hasher, int decoys) {
    try (Secret secret = Secret.generate()) {
      return create(group, shape, hasher, decoys, secret);
    }
  }

  /**
   * A third party for an owner's filter, with the public key and the decoys of its secret. Give it
   * the same secret after a restart: new decoys for a word would tell the old ones from its
   * positions.
   *
   * @param group the group of the owner's key
   * @param shape the shape of the owner's filter
   * @param hasher the hasher of the owner's filter
   * @param decoys how many random positions each request has besides those of the word, 0 … {@link
   *     #MAX_DECOYS} and at most the remaining bits
   * @param secret Ted's own, which neither owner nor clients know; not closed
   * @return a third party without clients
   * @throws IllegalArgumentException if there are too many decoys, or the shape has another scheme
   *     than {@link IndexScheme#PRF}
   */
  public static ThirdParty create(
      EncryptionKey.SafePrime group,
      EncryptedShape shape,
      Hasher hasher,
      int decoys,
      Secret secret) {
    Objects.requireNonNull(group, "group");
    Objects.requireNonNull(hasher, "hasher");
    if (shape.group() != group.number()) {
      throw new IncompatibleFiltersException("group " + shape.group() + " != " + group.number());
    }
    shape.requirePseudorandom();
    long left = shape.bloom().bits() - shape.bloom().hashesPerKey();
    Arguments.inRange("decoys", decoys, 0, (int) Math.min(left, MAX_DECOYS));
    return new ThirdParty(group, shape, hasher, decoys, secret);
  }

  /**
   * The key with which the owner encrypts its part of an enrolment. The owner must get it from Ted
   * itself: whoever replaces it by their own can read the owner's answers and compute its key.
   *
   * @return 32 bytes, a public key of X25519
   */
  public byte[] publicKey() {
    return publicKey.clone();
  }

  /**
   * Enrols a client that may query any word, or changes its key.
   *
   * @param client the client's name, by which {@link #lookUp} knows it
   * @param fromClient {@link EncryptedFilter.Client.Enrolment#forThirdParty()}
   * @param fromOwner the result of {@link EncryptedFilter.Owner#enrol} for the client's other
   *     message and {@link #publicKey()}
   * @throws MessageException if a message is malformed, or was not encrypted for this party
   */
  public void enrol(String client, byte[] fromClient, byte[] fromOwner) {
    put(client, fromClient, fromOwner, null);
  }

  /**
   * Enrols a client that may query only some words, or changes its key and its list.
   *
   * @param client the client's name, by which {@link #lookUp} knows it
   * @param fromClient {@link EncryptedFilter.Client.Enrolment#forThirdParty()}
   * @param fromOwner the result of {@link EncryptedFilter.Owner#enrol} for the client's other
   *     message and {@link #publicKey()}
   * @param allowed a filter of the allowed words under the owner's key. Its false positives are
   *     allowed too
   * @throws MessageException if a message is malformed, or was not encrypted for this party
   */
  public void enrol(String client, byte[] fromClient, byte[] fromOwner, EncryptedFilter allowed) {
    Objects.requireNonNull(allowed, "allowed");
    if (allowed.shape().group() != group.number()) {
      throw new IncompatibleFiltersException(
          "group " + allowed.shape().group() + " != " + group.number());
    }
    put(client, fromClient, fromOwner, allowed);
  }

  private void put(
      String client, byte[] fromClient, byte[] fromOwner, @Nullable EncryptedFilter allowed) {
    Objects.requireNonNull(client, "client");
    requireAlive();
    BigInteger mask = group.exponent(fromClient);
    Objects.requireNonNull(fromOwner, "fromOwner");
    byte[] opened = SealedMessage.open(privateKey, fromOwner, group.messageBytes());
    BigInteger masked = group.exponent(opened);
    Arrays.fill(opened, (byte) 0);
    BigInteger ratio = masked.multiply(mask.modInverse(group.order())).mod(group.order());
    clients.put(client, new Client(group.encode(ratio), allowed));
  }

  /**
   * Begins the lookup of a client's word.
   *
   * @param client the client's name, as authenticated by the transport
   * @param query {@link EncryptedFilter.Client#query(CharSequence)}
   * @return the request for the owner, which also evaluates the answer
   * @throws MessageException.QueryRefusedException if the client is not enrolled, or may not query
   *     that word
   * @throws MessageException if the message is malformed or not in the group
   */
  public Lookup lookUp(String client, byte[] query) {
    Objects.requireNonNull(client, "client");
    requireAlive();
    Client known = clients.get(client);
    if (known == null) {
      throw new MessageException.QueryRefusedException("client " + client + " is not enrolled");
    }
    byte[] element = translate(known, query);
    if (known.allowed != null && !known.allowed.mightContain(element)) {
      throw new MessageException.QueryRefusedException(
          "client " + client + " may not query this word");
    }
    long[] wanted = new long[probes.count()];
    probes.indexes(hasher.hash(element), wanted);
    return new Lookup(wanted, withDecoys(wanted, element));
  }

  /** Converts a client's encryption of a word to the owner's. */
  byte[] translate(String client, byte[] query) {
    return translate(Objects.requireNonNull(clients.get(client), client), query);
  }

  private byte[] translate(Client client, byte[] query) {
    BigInteger element = group.element(query);
    return group.encode(group.power(element, new BigInteger(1, client.ratio)));
  }

  /** The positions of a word and its decoys, in ascending order. */
  private long[] withDecoys(long[] wanted, byte[] element) {
    TreeSet<Long> positions = new TreeSet<>();
    for (long position : wanted) {
      positions.add(position);
    }
    int total = positions.size() + decoys;
    try (Hmac hmac = new Hmac()) {
      for (int block = 0; positions.size() < total; block++) {
        ByteBuffer drawn =
            ByteBuffer.wrap(
                hmac.of(
                    decoyKey, ByteBuffer.allocate(Integer.BYTES).putInt(block).array(), element));
        while (drawn.hasRemaining() && positions.size() < total) {
          positions.add(Long.remainderUnsigned(drawn.getLong(), probes.bits()));
        }
      }
    }
    return positions.stream().mapToLong(Long::longValue).toArray();
  }

  private void requireAlive() {
    if (closed) {
      throw new IllegalStateException("the third party is closed");
    }
  }

  /** Overwrites the keys and all ratios, and removes the clients. */
  @Override
  public void close() {
    closed = true;
    Arrays.fill(decoyKey, (byte) 0);
    Arrays.fill(privateKey, (byte) 0);
    clients.values().forEach(client -> Arrays.fill(client.ratio, (byte) 0));
    clients.clear();
  }

  @Override
  public String toString() {
    return "ThirdParty[" + group + ", " + clients.size() + " clients, " + decoys + " decoys]";
  }

  /** One lookup between the request to the owner and its answer. */
  public static final class Lookup {

    private final long[] wanted;
    private final long[] positions;

    private Lookup(long[] wanted, long[] positions) {
      this.wanted = wanted;
      this.positions = positions;
    }

    /**
     * The message for {@link EncryptedFilter.Owner#answer}: all positions, those of the word among
     * decoys, in ascending order.
     *
     * @return 8 bytes for each position, big-endian
     */
    public byte[] request() {
      ByteBuffer request = ByteBuffer.allocate(positions.length * Long.BYTES);
      for (long position : positions) {
        request.putLong(position);
      }
      return request.array();
    }

    /**
     * The answer for the word, computed from the owner's, to be passed to the client.
     *
     * @param answer the result of {@link EncryptedFilter.Owner#answer} for {@link #request()}
     * @return false: certainly absent; true: probably present
     * @throws MessageException if the answer has another length
     */
    public boolean mightContain(byte[] answer) {
      Objects.requireNonNull(answer, "answer");
      MessageException.requireLength("the answer", answer, (positions.length + 7) / 8);
      boolean all = true;
      for (long position : wanted) {
        int i = Arrays.binarySearch(positions, position);
        all &= (answer[i / 8] >>> (i % 8) & 1) != 0;
      }
      return all;
    }
  }
}
