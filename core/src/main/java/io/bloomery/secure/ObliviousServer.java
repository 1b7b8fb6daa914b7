package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.membership.BloomShape;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The server of an {@link ObliviousFilter}: builds it from words, and evaluates its pseudorandom
 * function for clients, who blind their words. It learns how many words a client looks up, and
 * neither which ones nor the answers. Needs Bouncy Castle.
 *
 * <p>Every client has a budget of evaluations, because whoever may ask without end can try all
 * words of a dictionary. The client's name must come from whatever authenticates it: a client that
 * chooses its name has as many budgets as names.
 *
 * <p>Any number of threads may use one.
 */
public final class ObliviousServer {

  /** The most words in one request. */
  public static final int MAX_BATCH = 1024;

  /** The most bytes of a word. */
  public static final int MAX_WORD_BYTES = 0xFFFF;

  private final ObliviousKey key;
  private final long budget;
  private final Map<String, Long> used = new ConcurrentHashMap<>();

  private ObliviousServer(ObliviousKey key, long budget) {
    this.key = key;
    this.budget = budget;
  }

  /**
   * A server.
   *
   * @param key its key; not copied, and not closed by the server
   * @param evaluationsPerClient how many words each client may look up until {@link
   *     #renewBudgets()}, 0 or more
   * @return the server
   */
  public static ObliviousServer create(ObliviousKey key, long evaluationsPerClient) {
    Objects.requireNonNull(key, "key");
    Arguments.inRange("evaluationsPerClient", evaluationsPerClient, 0, Long.MAX_VALUE);
    return new ObliviousServer(key, evaluationsPerClient);
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
   * The filter of some words of a given shape, to be published. Takes half a millisecond per word.
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
   * @param client who asks, as the transport has authenticated it
   * @param request {@link ObliviousQuery#request()}: one blinded element after the other
   * @return the evaluated elements in the same order, and a proof that they were evaluated under
   *     the key of the filter
   * @throws MessageException if the request is malformed; it then costs nothing
   * @throws QueryRefusedException if it has more words than the client's budget; it then costs
   *     nothing either
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
    Voprf.Elements blinded = functions.elements(request, count);
    spend(client, count);
    BigInteger scalar = key.scalar();
    Voprf.Elements evaluated = functions.evaluate(blinded, scalar);
    byte[] proof =
        functions.prove(scalar, key.publicKey(), blinded, evaluated, functions.randomScalar());
    byte[] response = Arrays.copyOf(evaluated.encoded(), request.length + Voprf.PROOF_BYTES);
    System.arraycopy(proof, 0, response, request.length, Voprf.PROOF_BYTES);
    return response;
  }

  private void spend(String client, int words) {
    used.compute(
        client,
        (name, before) -> {
          long spent = before == null ? 0 : before;
          if (words > budget - spent) {
            throw new QueryRefusedException(
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
   * @return what is left of its budget
   */
  public long remaining(String client) {
    return budget - used.getOrDefault(Objects.requireNonNull(client, "client"), 0L);
  }

  /** Gives every client its whole budget again, at the beginning of a day for example. */
  public void renewBudgets() {
    used.clear();
  }

  @Override
  public String toString() {
    return "ObliviousServer[" + key + ", " + budget + " evaluations per client]";
  }
}
