package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.FilterKind;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.frame.WordAccess;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A published Bloom filter in which a word can be looked up only with the help of a server that
 * does not learn the word. The client learns one bit per evaluation, and the server can limit the
 * number of evaluations per client.
 *
 * <p>The keys of this filter are values of a pseudorandom function F under the server's key, 32
 * bytes each; the word itself is not a key, and {@code mightContain("word")} treats it like any
 * bytes that were not added. {@link Server} builds the filter and evaluates F for clients; {@link
 * Client} sends queries. The filter holds the server's public key, with which the client verifies
 * that the server used the key of this filter.
 *
 * <p>No word is lost: false means certainly absent. The rate is that of a plain Bloom filter. A
 * query takes one exchange of 33 and 97 bytes and about 1.5 ms of processor time on either side,
 * half of that for a word in a batch of 64. Reading, storing and opening the filter needs only this
 * library; the other two classes need Bouncy Castle ({@code org.bouncycastle:bcprov-jdk18on}), an
 * optional dependency.
 *
 * <p>Threads: any number may query.
 *
 * <p>Nojima and Kadobayashi 2009, "Cryptographically Secure Bloom-Filters". Deviation: F is the
 * verifiable oblivious function of RFC 9497 with P-256 and SHA-256 instead of blind RSA signatures;
 * decision 024 gives the reasons.
 */
public final class ObliviousFilter extends ShapedFilter<BloomShape> implements QueryCost {

  public static final FilterKind<ObliviousFilter> KIND =
      Kind.of(79, "oblivious", ObliviousFilter.class)
          .question("is the word with pseudorandom value x in the set? with a server's help")
          .codec(ObliviousFilter::encode, ObliviousFilter::decode)
          .derivedKeys("values of a server's function")
          .unplanned("holds values of a server's pseudorandom function, not keys");

  /** The length of a public key: a compressed point of P-256. */
  public static final int PUBLIC_KEY_BYTES = 33;

  private final BloomFilter bloom;
  private final byte[] publicKey;

  private ObliviousFilter(BloomFilter bloom, byte[] publicKey) {
    super(bloom.shape(), bloom.hasher());
    this.bloom = bloom;
    this.publicKey = publicKey;
  }

  /**
   * A filter of words whose values were computed elsewhere, for example on several machines.
   *
   * @param shape bits, hashes per key and index scheme
   * @param hasher the hasher of the values
   * @param publicKey the server's public key, {@link #PUBLIC_KEY_BYTES} bytes; copied
   * @param hashes hashes of the values of the words
   * @return the filter
   * @throws IllegalArgumentException if the public key has another length or does not begin with 2
   *     or 3
   */
  public static ObliviousFilter ofHashes(
      BloomShape shape, Hasher hasher, byte[] publicKey, long... hashes) {
    Objects.requireNonNull(publicKey, "publicKey");
    MessageException.requireLength("publicKey", publicKey, PUBLIC_KEY_BYTES);
    MessageException.require(
        isCompressed(publicKey),
        "publicKey is not a compressed point: it begins with neither 2" + " nor 3");
    BloomFilter bloom = BloomFilter.create(shape, hasher);
    bloom.addHashes(hashes, 0, hashes.length);
    return new ObliviousFilter(bloom, publicKey.clone());
  }

  private static boolean isCompressed(byte[] point) {
    return point[0] == 2 || point[0] == 3;
  }

  private Frame encode() {
    byte[] padded = Arrays.copyOf(publicKey, keyWords() * Long.BYTES);
    long[] words = new long[keyWords()];
    ByteBuffer.wrap(padded).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words);
    return Frame.of(hasher())
        .put(shape())
        .section(WordAccess.of(bloom, BloomFilter.KIND))
        .section(Words.copyOf(words, false));
  }

  private static ObliviousFilter decode(Frame frame) throws IOException {
    BloomShape shape = frame.shape(BloomShape.class);
    frame.require(shape.bits() >= 2, "bits is 1; it must be 2 or more");
    frame.require(
        shape.hashesPerKey() <= shape.bits(), "probes is " + shape.hashesPerKey() + ", above bits");
    BloomFilter bloom = frame.decodePart(BloomFilter.KIND, shape, 0, shape.bits());
    Words words = frame.bits(1, (long) PUBLIC_KEY_BYTES * Byte.SIZE);
    ByteBuffer bytes = ByteBuffer.allocate(keyWords() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    words.copyTo(0, bytes.asLongBuffer());
    byte[] publicKey = Arrays.copyOf(bytes.array(), PUBLIC_KEY_BYTES);
    frame.require(isCompressed(publicKey), "the public key begins with neither 2 nor 3");
    return new ObliviousFilter(bloom, publicKey);
  }

  private static int keyWords() {
    return (PUBLIC_KEY_BYTES + Long.BYTES - 1) / Long.BYTES;
  }

  @Override
  public FilterKind<ObliviousFilter> kind() {
    return KIND;
  }

  /**
   * The public key of the server that helps with queries. It is as trustworthy as the source of the
   * filter.
   *
   * @return {@link #PUBLIC_KEY_BYTES} bytes, not checked to be a point of the curve
   */
  public byte[] publicKey() {
    return publicKey.clone();
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
   * One exchange between a {@link Client} and the server: a request, and the evaluation of its
   * response. It holds the words and the blinds until it is finished or closed, and answers once.
   *
   * <p>Not thread-safe.
   */
  public static final class Query implements AutoCloseable {

    private final ObliviousFilter filter;
    private final Voprf functions;
    private final Voprf.PublicKey publicKey;
    private final byte[][] words;
    private final BigInteger[] blinds;
    private final Voprf.Elements blinded;
    private boolean closed;

    Query(ObliviousFilter filter, Voprf functions, Voprf.PublicKey publicKey, List<byte[]> words) {
      this.filter = filter;
      this.functions = functions;
      this.publicKey = publicKey;
      this.words = words.stream().map(byte[]::clone).toArray(byte[][]::new);
      this.blinds = new BigInteger[this.words.length];
      Arrays.setAll(blinds, i -> functions.randomScalar());
      this.blinded = functions.blind(this.words, blinds);
    }

    /**
     * The message for {@link Server#evaluate}: a blinded element of 33 bytes for each word. Two
     * queries for the same word have different elements, and no message reveals anything about a
     * word.
     *
     * @return the message
     */
    public byte[] request() {
      return blinded.encoded();
    }

    /**
     * The answer for the word of a query for one word; the query is then finished.
     *
     * @param response the result of {@link Server#evaluate}
     * @return false: certainly absent; true: probably present
     * @throws MessageException if the response is malformed, or its proof shows that the server did
     *     not use the key of the filter
     * @throws IllegalStateException if the query has several words, or is finished
     */
    public boolean mightContain(byte[] response) {
      if (words.length != 1) {
        throw new IllegalStateException("the query has " + words.length + " words, not one");
      }
      return answers(response)[0];
    }

    /**
     * The answer for each word of the query, which is then finished.
     *
     * @param response the result of {@link Server#evaluate}
     * @return for each word, in their order, false: certainly absent; true: probably present
     * @throws MessageException if the response is malformed, or its proof shows that the server did
     *     not use the key of the filter; the query can then take another response
     * @throws IllegalStateException if the query is finished
     */
    public boolean[] answers(byte[] response) {
      List<byte[]> values = values(response);
      boolean[] answers = new boolean[values.size()];
      for (int i = 0; i < answers.length; i++) {
        answers[i] = filter.mightContain(values.get(i));
      }
      close();
      return answers;
    }

    /** The values of the pseudorandom function for the words, after the proof has been verified. */
    List<byte[]> values(byte[] response) {
      Objects.requireNonNull(response, "response");
      if (closed) {
        throw new IllegalStateException("the query is finished; start a new one");
      }
      int elements = words.length * Voprf.ELEMENT_BYTES;
      MessageException.requireLength("the response", response, elements + Voprf.PROOF_BYTES);
      Voprf.Elements evaluated = functions.elements(response, words.length);
      byte[] proof = Arrays.copyOfRange(response, elements, response.length);
      MessageException.require(
          functions.verify(publicKey, blinded, evaluated, proof),
          "the proof does not verify: the server did not use the key of this filter");
      return functions.finish(words, blinds, evaluated);
    }

    /** Discards the words and the blinds. */
    @Override
    public void close() {
      closed = true;
      Arrays.fill(blinds, null);
      for (byte[] word : words) {
        Arrays.fill(word, (byte) 0);
      }
    }

    /** The number of words, never the words. */
    @Override
    public String toString() {
      return "ObliviousFilter.Query[" + words.length + " words]";
    }
  }

  /**
   * Looks words up in an {@link ObliviousFilter} with the help of its {@link Server}, which does
   * not learn them. Needs Bouncy Castle.
   *
   * <pre>{@code
   * Client client = Client.of(filter);
   * ObliviousFilter.Query query = client.ask("word");
   * byte[] response = send(query.request()); // to the server, by any transport
   * boolean present = query.mightContain(response);
   * }</pre>
   *
   * <p>Thread-safe.
   */
  public static final class Client {

    private final ObliviousFilter filter;
    private final Voprf functions;
    private final Voprf.PublicKey publicKey;

    private Client(ObliviousFilter filter) {
      this.filter = filter;
      this.functions = Voprf.of(Voprf.VOPRF);
      this.publicKey = functions.publicKey(filter.publicKey());
    }

    /**
     * A client that trusts the public key in the filter.
     *
     * @param filter the published filter
     * @return the client
     * @throws MessageException if the public key is not a point of the curve
     * @throws IllegalStateException if Bouncy Castle is missing
     */
    public static Client of(ObliviousFilter filter) {
      return new Client(Objects.requireNonNull(filter, "filter"));
    }

    /**
     * A client that knows the server's public key from another source.
     *
     * @param filter the published filter
     * @param publicKey the server's public key
     * @return the client
     * @throws IncompatibleFiltersException if the filter has another key
     * @throws MessageException if the public key is not a point of the curve
     * @throws IllegalStateException if Bouncy Castle is missing
     */
    public static Client of(ObliviousFilter filter, byte[] publicKey) {
      Objects.requireNonNull(publicKey, "publicKey");
      if (!MessageDigest.isEqual(filter.publicKey(), publicKey)) {
        throw new IncompatibleFiltersException("the filter is of a server with another public key");
      }
      return of(filter);
    }

    /**
     * Begins the lookup of a text.
     *
     * @param word any text, as its UTF-8 bytes
     * @return a query with a fresh blind
     */
    public ObliviousFilter.Query ask(CharSequence word) {
      return ask(Objects.requireNonNull(word, "word").toString().getBytes(UTF_8));
    }

    /**
     * Begins the lookup of a byte string.
     *
     * @param word at most {@link Server#MAX_WORD_BYTES} bytes
     * @return a query with a fresh blind
     */
    public ObliviousFilter.Query ask(byte[] word) {
      return ask(List.of(word));
    }

    /**
     * Begins the lookup of several words in one exchange, with one proof for all.
     *
     * @param words 1 … {@link Server#MAX_BATCH} words, each of at most {@link
     *     Server#MAX_WORD_BYTES} bytes
     * @return a query with a fresh blind for each word
     */
    public ObliviousFilter.Query ask(List<byte[]> words) {
      Arguments.inRange("words.size", words.size(), 1, Server.MAX_BATCH);
      for (byte[] word : words) {
        Arguments.inRange("word.length", word.length, 0, Server.MAX_WORD_BYTES);
      }
      return new ObliviousFilter.Query(filter, functions, publicKey, words);
    }

    @Override
    public String toString() {
      return "ObliviousFilter.Client[" + filter + "]";
    }
  }

  /**
   * The server of an {@link ObliviousFilter}: builds it from words, and evaluates its pseudorandom
   * function for clients, who blind their words. It learns how many words a client looks up, but
   * neither the words nor the answers. Needs Bouncy Castle.
   *
   * <p>Every client has a budget of evaluations, because an unlimited client could try all words of
   * a dictionary. The client's name must come from its authentication: a client that chooses its
   * own name has as many budgets as names. The server keeps no names, only their hashes under a
   * secret of its own.
   *
   * <p>Thread-safe.
   */
  public static final class Server {

    /** The most words in one request. */
    public static final int MAX_BATCH = 1024;

    /** The most bytes of a word. */
    public static final int MAX_WORD_BYTES = 0xFFFF;

    /** The most clients that are served between two calls of {@link #renewBudgets()}. */
    public static final int MAX_CLIENTS = 1 << 20;

    private final ObliviousKey key;
    private final long budget;
    private final Map<Long, Long> used = new ConcurrentHashMap<>(); // by the hash of the name
    private final Hasher names;

    private Server(ObliviousKey key, long budget) {
      this.key = key;
      this.budget = budget;
      byte[] secret = new byte[16];
      new SecureRandom().nextBytes(secret);
      this.names = Hasher.keyed(secret);
    }

    /**
     * A server.
     *
     * @param key its key; not copied, and not closed by the server
     * @param evaluationsPerClient how many words each client may look up until {@link
     *     #renewBudgets()}, 0 or more
     * @return the server
     */
    public static Server create(ObliviousKey key, long evaluationsPerClient) {
      Objects.requireNonNull(key, "key");
      Arguments.inRange("evaluationsPerClient", evaluationsPerClient, 0, Long.MAX_VALUE);
      return new Server(key, evaluationsPerClient);
    }

    /**
     * The filter of some words, to be published.
     *
     * @param words the words, as their UTF-8 bytes; one or more
     * @param falsePositiveRate the highest acceptable rate, in (0, 1)
     * @return the filter
     */
    public ObliviousFilter filter(
        Collection<? extends CharSequence> words, double falsePositiveRate) {
      return filter(
          words.stream().map(word -> word.toString().getBytes(UTF_8)).toList(),
          BloomShape.forKeys(words.size(), falsePositiveRate),
          Hasher.xxh3());
    }

    /**
     * The filter of some words of a given shape, to be published. Takes half a millisecond per
     * word.
     *
     * @param words the words, each of at most {@link #MAX_WORD_BYTES} bytes
     * @param shape bits, hashes per key and index scheme
     * @param hasher hashes the values of the words
     * @return the filter
     */
    public ObliviousFilter filter(Collection<byte[]> words, BloomShape shape, Hasher hasher) {
      long[] hashes = words.stream().mapToLong(word -> hasher.hash(value(word))).toArray();
      return ObliviousFilter.ofHashes(shape, hasher, key.publicKey(), hashes);
    }

    /** The value of the pseudorandom function for a word. */
    byte[] value(byte[] word) {
      Arguments.inRange("word.length", word.length, 0, MAX_WORD_BYTES);
      return key.functions().evaluate(word, key.scalar());
    }

    /**
     * Answers a client's request, and takes its words from the client's budget.
     *
     * @param client the client's name, as authenticated by the transport
     * @param request {@link ObliviousFilter.Query#request()}: the concatenated blinded elements
     * @return the evaluated elements in the same order, and a proof that they were evaluated under
     *     the key of the filter
     * @throws MessageException if the request is malformed. A wrong length costs nothing; elements
     *     that are not in the group cost as much as others, because finding that out takes time
     * @throws MessageException.QueryRefusedException if it has more words than the client's budget,
     *     or {@link #MAX_CLIENTS} others were served since {@link #renewBudgets()}; it then costs
     *     nothing
     */
    public byte[] evaluate(String client, byte[] request) {
      Objects.requireNonNull(client, "client");
      Objects.requireNonNull(request, "request");
      int count = request.length / Voprf.ELEMENT_BYTES;
      MessageException.require(
          request.length % Voprf.ELEMENT_BYTES == 0 && count >= 1 && count <= MAX_BATCH,
          "the request has "
              + request.length
              + " bytes; it must have 33 for each of 1 to "
              + MAX_BATCH
              + " words");
      Voprf functions = key.functions();
      spend(client, count);
      Voprf.Elements blinded = functions.elements(request, count);
      BigInteger scalar = key.scalar();
      Voprf.Elements evaluated = functions.evaluate(blinded, scalar);
      byte[] proof =
          functions.prove(scalar, key.publicKey(), blinded, evaluated, functions.randomScalar());
      byte[] response = Arrays.copyOf(evaluated.encoded(), request.length + Voprf.PROOF_BYTES);
      System.arraycopy(proof, 0, response, request.length, Voprf.PROOF_BYTES);
      return response;
    }

    private void spend(String client, int words) {
      long hash = names.hash(client);
      if (used.size() >= MAX_CLIENTS && !used.containsKey(hash)) {
        throw new MessageException.QueryRefusedException(
            "client " + client + " is one more than the " + MAX_CLIENTS + " of this period");
      }
      used.compute(
          hash,
          (name, before) -> {
            long spent = before == null ? 0 : before;
            if (words > budget - spent) {
              throw new MessageException.QueryRefusedException(
                  "client "
                      + client
                      + " has "
                      + (budget - spent)
                      + " of "
                      + budget
                      + " evaluations left, and asks for "
                      + words);
            }
            return spent + words;
          });
    }

    /**
     * How many words a client may still look up.
     *
     * @param client the client's name
     * @return the rest of its budget
     */
    public long remaining(String client) {
      return budget - used.getOrDefault(names.hash(client), 0L);
    }

    /**
     * Resets the budget of every client, for example at the beginning of a day, and forgets all.
     */
    public void renewBudgets() {
      used.clear();
    }

    @Override
    public String toString() {
      return "ObliviousFilter.Server[" + key + ", " + budget + " evaluations per client]";
    }
  }
}
