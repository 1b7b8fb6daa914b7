package io.bloomery.frozen;

import io.bloomery.AddableFilter;
import io.bloomery.CardinalityFilter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.Mergeable;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.code.SparseBits;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Probes;
import io.bloomery.internal.variant.EarlyExit;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Need;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.nio.LongBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that is sparse in memory and range-coded when it is written or sent, which gives
 * the smallest message for a rate. It never reports an added key absent; a key that was not added
 * is reported present with probability fill^k.
 *
 * <p>A plain filter looks random and does not compress. One with fewer hashes per key and more bits
 * does: at 8 sent bits per key two hashes in 14 bits per key give a rate of 1.77 % instead of 2.16
 * %, one hash in 92 gives 1.08 %. The price is memory at the receiver, which {@link #sizeInBits}
 * counts; {@link #storedBytes} and {@link #toMessage} give the sent size.
 *
 * <p>Threads: lock-free, like {@link BloomFilter}; any number may add and query at once. It is
 * encoded each time it is written. A mapped file is decoded into memory and is read-only.
 *
 * <p>Mitzenmacher 2002, "Compressed Bloom Filters", IEEE/ACM Transactions on Networking 10(5).
 * Deviation: bits are coded by recursive halves that are either all zero or not, so that zeros cost
 * no time.
 */
public final class CompressedBloomFilter extends ShapedFilter<CompressedShape>
    implements AddableFilter, CardinalityFilter, Mergeable<CompressedBloomFilter>, QueryCost {

  public static final FilterKind<CompressedBloomFilter> KIND =
      Kind.of(45, "compressed-bloom", CompressedBloomFilter.class)
          .question("is x in the set? a sparse Bloom filter, range-coded when sent")
          .codec(CompressedBloomFilter::encode, CompressedBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("compressed-bloom", CompressedShape.class)
                          .meets(Need.TRANSFER)
                          .onlyFor(Need.TRANSFER)
                          .forKeys(CompressedShape::forKeys)
                          .forBudget(CompressedShape::forBudget)
                          .reads(CompressedShape::hashesPerKey)
                          .works(shape -> 2.8 + 0.28 * shape.hashesPerKey())
                          .absent(shape -> EarlyExit.oneByOne(shape.hashesPerKey()), shape -> 2.5)
                          .why(
                              "Sparse in memory and coded when it is sent, it makes a smaller"
                                  + " message than a plain Bloom filter of the same rate; its size"
                                  + " here is that of the message")
                          .mergesExactly()
                          .createsFor(CompressedBloomFilter::create)));

  private final BloomFilter plain;

  private CompressedBloomFilter(CompressedShape shape, BloomFilter plain) {
    super(shape, plain.hasher());
    this.plain = plain;
  }

  /**
   * A filter whose expected number of keys is unknown; the estimated number of keys it holds is
   * used instead.
   */
  private CompressedBloomFilter(BloomFilter plain) {
    this(
        new CompressedShape(
            Math.max(1, (long) Math.min(plain.cardinality(), (double) Shape.MAX_KEYS)),
            plain.shape()),
        plain);
  }

  /**
   * The filter with the smallest message for a number of keys and a rate, with up to twice the
   * memory of a plain filter.
   *
   * @param expectedKeys how many distinct keys will be added, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static CompressedBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(CompressedShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape expected keys, and the filter in memory
   * @return an empty filter
   */
  public static CompressedBloomFilter create(CompressedShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape expected keys, and the filter in memory
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static CompressedBloomFilter create(CompressedShape shape, Hasher hasher) {
    return create(shape, hasher, Writers.MANY);
  }

  /**
   * A filter of a given shape and hasher, for one writer or many.
   *
   * @param shape expected keys, and the filter in memory
   * @param hasher turns keys into hashes
   * @param writers how many threads may add at the same time
   * @return an empty filter
   */
  public static CompressedBloomFilter create(
      CompressedShape shape, Hasher hasher, Writers writers) {
    return new CompressedBloomFilter(shape, BloomFilter.create(shape.filter(), hasher, writers));
  }

  /**
   * A filter with the bits of a plain one.
   *
   * @param filter the plain filter, which is copied
   * @return a filter with the same answers
   */
  public static CompressedBloomFilter of(BloomFilter filter) {
    return new CompressedBloomFilter(filter.copy());
  }

  private Frame encode() {
    Message message = Message.of(plain);
    return Frame.of(hasher())
        .put(message.shape())
        .put("ones", message.ones())
        .put("code bytes", message.code().length)
        .section(Message.toWords(message.code()));
  }

  private static @Nullable CompressedBloomFilter decode(Frame frame) throws IOException {
    BloomShape shape = frame.shape(BloomShape.class);
    long bits = shape.bits();
    frame.require(bits >= 2, Arguments.outside("bits", bits, 2, BloomShape.MAX_BITS));
    long ones = frame.number("ones", 0, bits);
    int codeBytes = (int) frame.number("code bytes", 1, Integer.MAX_VALUE - Long.SIZE);
    frame.make(() -> new Probes(shape.scheme(), bits, shape.hashesPerKey()));
    frame.requireMemory(Words.wordsFor(bits) * Long.BYTES);
    frame.requireHeap(Words.wordsFor(bits) * Long.BYTES + codeBytes);
    Words coded = frame.section(0, Words.wordsFor(codeBytes * (long) Byte.SIZE));
    byte[] code =
        frame.present(
            Message.toBytes(coded, codeBytes),
            "bytes beyond the " + codeBytes + " of the code are not zero");
    String problem = "the code is not that of %d ones in %d bits".formatted(ones, bits);
    if (frame.isOnlyVerified()) {
      frame.require(SparseBits.isCode(code, bits, ones), problem);
      return null;
    }
    Words words = frame.present(new Message(shape, ones, code).decode(coded.isShared()), problem);
    return new CompressedBloomFilter(
        plain(frame.hasher(), shape, coded.isReadOnly() ? readOnly(words) : words));
  }

  /** A filter decoded from a mapped file is read-only, like every mapped filter. */
  private static Words readOnly(Words words) {
    return Words.view(LongBuffer.wrap(words.heap(), Words.BASE, (int) words.length()));
  }

  private static BloomFilter plain(Hasher hasher, BloomShape shape, Words words)
      throws IOException {
    return Frame.of(hasher).put(shape).section(words).decodeAs(BloomFilter.KIND);
  }

  @Override
  public FilterKind<CompressedBloomFilter> kind() {
    return KIND;
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

  @Override
  public int hashBits() {
    return shape().hashBits();
  }

  @Override
  public int memoryAccesses() {
    return shape().memoryAccesses();
  }

  /** {@inheritDoc} The size in memory; {@link #toMessage} is smaller. */
  @Override
  public long sizeInBits() {
    return plain.sizeInBits();
  }

  @Override
  public double fillRatio() {
    return plain.fillRatio();
  }

  @Override
  public double cardinality() {
    return plain.cardinality();
  }

  /**
   * The size an ideal coder would reach for the current bits, m·H2(fill).
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
    return new CompressedBloomFilter(shape(), plain.copy());
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
   * @return bytes for {@link #ofMessage}
   */
  public byte[] toMessage() {
    return Message.of(plain).toBytes(hasher());
  }

  /**
   * Reads a message. For any input, memory use is bounded by the given limit plus a few times the
   * length of the input.
   *
   * @param bytes from {@link #toMessage}
   * @param maxBytes the most bytes that the filter may take in memory
   * @param hasher the hasher that the filter was made with
   * @return the filter
   * @throws FilterFormatException if the bytes are not such a message, were made with another
   *     hasher, or hold a filter that is too large
   */
  public static CompressedBloomFilter ofMessage(byte[] bytes, long maxBytes, Hasher hasher)
      throws FilterFormatException {
    Objects.requireNonNull(bytes, "bytes");
    Objects.requireNonNull(hasher, "hasher");
    Message message = Message.read(bytes, maxBytes, hasher);
    Words words = message.decode(true);
    if (words == null) {
      throw Message.SEAL.problem(
          Message.HEADER_BYTES,
          "the code is not that of %d ones in %d bits"
              .formatted(message.ones(), message.shape().bits()));
    }
    try {
      return new CompressedBloomFilter(plain(hasher, message.shape(), words));
    } catch (FilterFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new AssertionError("words in memory cannot fail", e);
    }
  }
}
