package io.bloomery.frozen;

import io.bloomery.AddableFilter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.Mergeable;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.code.SparseBits;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Probes;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import java.io.IOException;
import java.nio.LongBuffer;
import java.util.Objects;

/**
 * A Bloom filter that is sparse in memory and range-coded when it is written or sent, which makes
 * the smallest message for a rate. It never reports an added key absent; a key that was not added
 * is reported present with probability fill^k.
 *
 * <p>A plain filter looks random and does not compress. One with fewer probes and more bits does:
 * at 8 sent bits per key two probes in 14 bits per key give a rate of 1.77 % instead of 2.16 %, one
 * probe in 92 gives 1.08 %. The price is memory where it is used: {@link #sizeInBits} counts that,
 * {@link #storedBytes} and {@link #toMessage} what is sent.
 *
 * <p>It takes keys like {@link BloomFilter}, and any number of threads may add and query at once.
 * It is coded anew each time it is written. A mapped file is decoded into memory and is read-only.
 *
 * <p>Mitzenmacher 2002, "Compressed Bloom Filters", IEEE/ACM Transactions on Networking 10(5).
 * Deviation: bits are coded as halves that are all zero or not, so that zeros cost no time.
 */
public final class CompressedBloomFilter
    implements AddableFilter, Mergeable<CompressedBloomFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<CompressedBloomFilter> KIND =
      new FilterKind<>(
          45,
          "compressed-bloom",
          "is x in the set? a sparse Bloom filter, range-coded when sent",
          CompressedBloomFilter.class,
          CompressedBloomFilter::encode,
          CompressedBloomFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  CompressedShape.class,
                  CompressedShape::forKeys,
                  CompressedBloomFilter::shapeFor,
                  CompressedBloomFilter::made));

  private final BloomFilter plain;

  private CompressedBloomFilter(BloomFilter plain) {
    this.plain = plain;
  }

  /**
   * The filter with the smallest message for a number of keys and a rate, with up to twice the
   * memory of a plain filter.
   *
   * @param expectedKeys how many different keys will be added, 1 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static CompressedBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * A filter whose size in memory is given.
   *
   * @param bits m, 2 or more
   * @param probes k, 1…255
   * @return an empty filter
   */
  public static CompressedBloomFilter ofBits(long bits, int probes) {
    return new CompressedBloomFilter(BloomFilter.create(BloomShape.of(bits, probes)));
  }

  /**
   * A filter with the bits of a plain one.
   *
   * @param filter copied
   * @return a filter that answers alike
   */
  public static CompressedBloomFilter of(BloomFilter filter) {
    return new CompressedBloomFilter(filter.copy());
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private static CompressedShape shapeFor(long keys, long sentBits) {
    return builder().expectedKeys(keys).sentBits(sentBits).shape();
  }

  private static CompressedBloomFilter made(FilterRecipe.Order<CompressedShape> order) {
    return of(order.shape(), order.rate(), order.hasher());
  }

  private static CompressedBloomFilter of(CompressedShape shape, double promised, Hasher hasher) {
    BloomShape plain =
        BloomShape.of(shape.bits(), shape.probes()).withSchemeFor(shape.keys(), promised);
    return new CompressedBloomFilter(BloomFilter.create(plain, hasher));
  }

  private Frame encode() {
    Message message = Message.of(plain);
    return Frame.of(plain.hasher())
        .put("bits", message.bits())
        .put("probes", message.probes())
        .put("scheme", message.scheme())
        .put("ones", message.ones())
        .put("code bytes", message.code().length)
        .section(Message.toWords(message.code()));
  }

  private static CompressedBloomFilter decode(Frame frame) throws IOException {
    long bits = frame.number("bits", 2, Words.MAX_WORDS * Long.SIZE);
    int probes = (int) frame.number("probes", 1, 255);
    int scheme = (int) frame.number("scheme", 1, IndexScheme.values().length);
    long ones = frame.number("ones", 0, bits);
    int codeBytes = (int) frame.number("code bytes", 1, Integer.MAX_VALUE - Long.SIZE);
    checkProbes(frame, bits, probes, scheme);
    frame.requireMemory(Words.wordsFor(bits) * Long.BYTES);
    Words coded = frame.section(0, Words.wordsFor(codeBytes * (long) Byte.SIZE));
    byte[] code = Message.toBytes(coded, codeBytes);
    if (code == null) {
      throw frame.problem("bytes beyond the " + codeBytes + " of the code are not zero");
    }
    Words words = new Message(bits, probes, scheme, ones, code).decode(coded.isShared());
    if (words == null) {
      throw frame.problem("the code is not that of %d ones in %d bits".formatted(ones, bits));
    }
    if (coded.isReadOnly()) {
      words = readOnly(words);
    }
    return new CompressedBloomFilter(plain(frame.hasher(), bits, probes, scheme, words));
  }

  private static void checkProbes(Frame frame, long bits, int probes, int scheme)
      throws FilterFormatException {
    try {
      new Probes(IndexScheme.ofWireId(scheme), bits, probes);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
  }

  /** What was decoded from a mapped file may not be written, as all that is mapped. */
  private static Words readOnly(Words words) {
    int segments = (int) ((words.length() + Words.segmentWords() - 1) / Words.segmentWords());
    LongBuffer[] buffers = new LongBuffer[segments];
    LongBuffer all = LongBuffer.wrap(words.heap(), Words.BASE, (int) words.length()).slice();
    for (int i = 0; i < segments; i++) {
      long from = i * Words.segmentWords();
      long count = Math.min(Words.segmentWords(), words.length() - from);
      buffers[i] = all.slice((int) from, (int) count).asReadOnlyBuffer();
    }
    return Words.mapped(buffers, words.length());
  }

  private static BloomFilter plain(Hasher hasher, long bits, int probes, int scheme, Words words)
      throws IOException {
    return BloomFilter.KIND.decode(
        Frame.of(hasher)
            .put("bits", bits)
            .put("probes", probes)
            .put("scheme", scheme)
            .section(words));
  }

  @Override
  public FilterKind<CompressedBloomFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return plain.hasher();
  }

  @Override
  public boolean mightContainHash(long hash) {
    return plain.mightContainHash(hash);
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    return plain.mightContainHashes(hashes, from, to, hits);
  }

  @Override
  public boolean addHash(long hash) {
    return plain.addHash(hash);
  }

  /** {@inheritDoc} Here: the k-th power of the fill. */
  @Override
  public double falsePositiveRate() {
    return plain.falsePositiveRate();
  }

  /** {@inheritDoc} What memory holds; {@link #toMessage} is smaller. */
  @Override
  public long sizeInBits() {
    return plain.sizeInBits();
  }

  /**
   * The share of bits that are set.
   *
   * @return 0…1
   */
  public double fillRatio() {
    return plain.fillRatio();
  }

  /**
   * Indexes per key.
   *
   * @return k
   */
  public int probes() {
    return plain.shape().probes();
  }

  /**
   * What an ideal coder needs for the bits as they are, m·H2(fill).
   *
   * @return bytes
   */
  public double entropyBytes() {
    return SparseBits.entropyBytes(sizeInBits(), Math.round(fillRatio() * sizeInBits()));
  }

  @Override
  public boolean isCompatible(CompressedBloomFilter other) {
    return plain.isCompatible(Objects.requireNonNull(other, "other").plain);
  }

  /** {@inheritDoc} The result is bit for bit the filter of the union of both key sets. */
  @Override
  public void merge(CompressedBloomFilter other) {
    plain.merge(Objects.requireNonNull(other, "other").plain);
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one was mapped
   */
  public CompressedBloomFilter copy() {
    return new CompressedBloomFilter(plain.copy());
  }

  /**
   * The plain filter with the same bits.
   *
   * @return a copy
   */
  public BloomFilter toBloomFilter() {
    return plain.copy();
  }

  /**
   * The smallest form: a header of 36 bytes and the code, without the alignment of a file.
   *
   * @return bytes for {@link #fromMessage}
   */
  public byte[] toMessage() {
    return Message.of(plain).toBytes(plain.hasher());
  }

  /**
   * Reads a message. Whatever the bytes are, no more memory is taken than was allowed and a few
   * times their length.
   *
   * @param bytes from {@link #toMessage}
   * @param maxBytes the most bytes that the filter may take in memory
   * @param hasher the hasher that the filter was made with
   * @return the filter
   * @throws FilterFormatException if the bytes are no such message, of another hasher, or of a
   *     filter that is too large
   */
  public static CompressedBloomFilter fromMessage(byte[] bytes, long maxBytes, Hasher hasher)
      throws FilterFormatException {
    Objects.requireNonNull(bytes, "bytes");
    Objects.requireNonNull(hasher, "hasher");
    Message message = Message.read(bytes, maxBytes, hasher);
    Words words = message.decode(true);
    if (words == null) {
      throw Message.SEAL.problem(
          Message.HEADER_BYTES,
          "the code is not that of %d ones in %d bits".formatted(message.ones(), message.bits()));
    }
    try {
      return new CompressedBloomFilter(
          plain(hasher, message.bits(), message.probes(), message.scheme(), words));
    } catch (FilterFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new AssertionError("words in memory cannot fail", e);
    }
  }

  @Override
  public String toString() {
    return "Compressed" + plain;
  }

  /** Options of a filter: expected keys, and a rate or the bits to send; the memory allowed. */
  public static final class Builder extends SizedBuilder<Builder> {
    private long sentBits;
    private long maxBits;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The most bits to send, instead of a rate: the lowest rate for them is taken.
     *
     * @param sentBits 1 or more
     * @return this
     */
    public Builder sentBits(long sentBits) {
      this.sentBits = Arguments.inRange("sentBits", sentBits, 1, CompressedShape.MAX_BITS);
      return this;
    }

    /**
     * The most bits in memory. Without it: twice those of a plain filter.
     *
     * @param maxBits 2 or more
     * @return this
     */
    public Builder maxBits(long maxBits) {
      this.maxBits = Arguments.inRange("maxBits", maxBits, 2, CompressedShape.MAX_BITS);
      return this;
    }

    /**
     * The parameters that {@link #build} will take.
     *
     * @return the shape
     */
    public CompressedShape shape() {
      if (sentBits == 0) {
        return maxBits == 0
            ? CompressedShape.forKeys(expectedKeys, falsePositiveRate)
            : CompressedShape.forKeys(expectedKeys, falsePositiveRate, maxBits);
      }
      if (falsePositiveRate != 0) {
        throw new IllegalArgumentException(
            "sentBits %d and falsePositiveRate %s exclude each other"
                .formatted(sentBits, Double.toString(falsePositiveRate)));
      }
      long most = CompressedShape.DEFAULT_EXPANSION * sentBits;
      return CompressedShape.forBudget(
          expectedKeys,
          sentBits,
          maxBits == 0 ? Math.max(2, Math.min(CompressedShape.MAX_BITS, most)) : maxBits);
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     */
    public CompressedBloomFilter build() {
      return of(shape(), falsePositiveRate == 0 ? 1 : falsePositiveRate, hasher);
    }
  }
}
