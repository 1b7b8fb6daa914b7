package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.internal.check.Arguments;
import java.security.MessageDigest;
import java.util.List;
import java.util.Objects;

/**
 * Looks words up in an {@link ObliviousFilter} with the help of its {@link ObliviousServer}, which
 * does not learn them. Needs Bouncy Castle.
 *
 * <pre>{@code
 * ObliviousClient client = ObliviousClient.of(filter);
 * ObliviousQuery query = client.ask("word");
 * byte[] response = send(query.request()); // to the server, by any transport
 * boolean present = query.mightContain(response);
 * }</pre>
 *
 * <p>Any number of threads may use one.
 */
public final class ObliviousClient {

  private final ObliviousFilter filter;
  private final Voprf functions;
  private final Voprf.PublicKey publicKey;

  private ObliviousClient(ObliviousFilter filter) {
    this.filter = filter;
    this.functions = Voprf.of(Voprf.VOPRF);
    this.publicKey = functions.publicKey(filter.publicKey());
  }

  /**
   * A client that believes the public key in the filter.
   *
   * @param filter the published filter
   * @return the client
   * @throws MessageException if the public key is not a point of the curve
   * @throws IllegalStateException if Bouncy Castle is missing
   */
  public static ObliviousClient of(ObliviousFilter filter) {
    return new ObliviousClient(Objects.requireNonNull(filter, "filter"));
  }

  /**
   * A client that knows the server's public key from elsewhere.
   *
   * @param filter the published filter
   * @param publicKey the server's public key
   * @return the client
   * @throws IncompatibleFiltersException if the filter names another key
   * @throws MessageException if the public key is not a point of the curve
   * @throws IllegalStateException if Bouncy Castle is missing
   */
  public static ObliviousClient of(ObliviousFilter filter, byte[] publicKey) {
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
  public ObliviousQuery ask(CharSequence word) {
    return ask(Objects.requireNonNull(word, "word").toString().getBytes(UTF_8));
  }

  /**
   * Begins the lookup of a byte string.
   *
   * @param word at most {@link ObliviousServer#MAX_WORD_BYTES} bytes
   * @return a query with a fresh blind
   */
  public ObliviousQuery ask(byte[] word) {
    return ask(List.of(word));
  }

  /**
   * Begins the lookup of several words in one exchange, with one proof for all.
   *
   * @param words 1 … {@link ObliviousServer#MAX_BATCH} words, each of at most {@link
   *     ObliviousServer#MAX_WORD_BYTES} bytes
   * @return a query with a fresh blind for each word
   */
  public ObliviousQuery ask(List<byte[]> words) {
    Arguments.inRange("words.size", words.size(), 1, ObliviousServer.MAX_BATCH);
    for (byte[] word : words) {
      Arguments.inRange("word.length", word.length, 0, ObliviousServer.MAX_WORD_BYTES);
    }
    return new ObliviousQuery(filter, functions, publicKey, words);
  }

  @Override
  public String toString() {
    return "ObliviousClient[" + filter + "]";
  }
}
