package io.bloomery.secure;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * One exchange between an {@link ObliviousClient} and the server: a request, and what its response
 * says. It holds the words and the blinds until it is finished or closed, and answers once.
 *
 * <p>For one thread.
 */
public final class ObliviousQuery implements AutoCloseable {

  private final ObliviousFilter filter;
  private final Voprf functions;
  private final Voprf.PublicKey publicKey;
  private final byte[][] words;
  private final BigInteger[] blinds;
  private final Voprf.Elements blinded;
  private boolean closed;

  ObliviousQuery(
      ObliviousFilter filter, Voprf functions, Voprf.PublicKey publicKey, List<byte[]> words) {
    this.filter = filter;
    this.functions = functions;
    this.publicKey = publicKey;
    this.words = words.stream().map(byte[]::clone).toArray(byte[][]::new);
    this.blinds = new BigInteger[this.words.length];
    Arrays.setAll(blinds, i -> functions.randomScalar());
    this.blinded = functions.blind(this.words, blinds);
  }

  /**
   * The message for {@link ObliviousServer#evaluate}: a blinded element of 33 bytes for each word.
   * Two queries for the same word have different ones, and no message tells anything about a word.
   *
   * @return the message
   */
  public byte[] request() {
    return blinded.encoded();
  }

  /**
   * The answer for the word of a query for one word; the query is then finished.
   *
   * @param response what {@link ObliviousServer#evaluate} gave
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
   * @param response what {@link ObliviousServer#evaluate} gave
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
      throw new IllegalStateException("the query is finished; ask again");
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

  /** Forgets the words and the blinds. */
  @Override
  public void close() {
    closed = true;
    Arrays.fill(blinds, null);
    for (byte[] word : words) {
      Arrays.fill(word, (byte) 0);
    }
  }

  /** How many words, never which. */
  @Override
  public String toString() {
    return "ObliviousQuery[" + words.length + " words]";
  }
}
