package io.bloomery.secure;

import io.bloomery.FilterKind;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.frame.WordAccess;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * A published Bloom filter in which a word can be looked up only with the help of a server, which
 * does not learn the word. The client learns one bit per word that the server helps with, and a
 * server that counts them limits how many words anybody tries.
 *
 * <p>The keys of this filter are values of a pseudorandom function F under the server's key, 32
 * bytes each; the word itself is not a key, and {@code mightContain("word")} answers for it as for
 * any bytes that were not added. {@link ObliviousServer} builds the filter and evaluates F for
 * clients; {@link ObliviousClient} asks. The filter holds the server's public key, by which the
 * client sees whether the server used the key of this filter.
 *
 * <p>No word is lost: false means certainly absent. The rate is that of a plain Bloom filter. A
 * query takes one exchange of 33 and 97 bytes and about 1.5 ms of processor time on either side, a
 * word in a batch of 64 half of that. Reading, storing and opening the filter needs nothing but
 * this library; the other two classes need Bouncy Castle ({@code org.bouncycastle:bcprov-jdk18on}),
 * an optional dependency.
 *
 * <p>Threads: any number may query.
 *
 * <p>Nojima and Kadobayashi 2009, "Cryptographically Secure Bloom-Filters". Deviation: F is the
 * verifiable oblivious function of RFC 9497 with P-256 and SHA-256 instead of blind RSA signatures;
 * decision 024 has the reasons.
 */
public final class ObliviousFilter extends ShapedFilter<BloomShape> {

  public static final FilterKind<ObliviousFilter> KIND =
      Kind.of(79, "oblivious", ObliviousFilter.class)
          .question("is the word in it whose pseudorandom value is x? asked with a server's help")
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
   * A filter of words whose values were computed elsewhere, on several machines for example.
   *
   * @param shape bits, hashes per key and index scheme
   * @param hasher what hashed the values
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
   * The public key of the server that helps with queries. It is as trustworthy as the place that
   * the filter came from.
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
}
