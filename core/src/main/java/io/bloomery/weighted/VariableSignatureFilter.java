package io.bloomery.weighted;

import io.bloomery.FilterKind;
import io.bloomery.QueryCost;
import io.bloomery.RemovableFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import io.bloomery.theory.HashBits;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A Bloom filter with signatures of variable length: an add sets t of a key's k positions, and a
 * key is reported present if q of them are set. Keys can be lengthened, shortened, removed and aged
 * in a plain array of bits. It never reports an added key absent as long as no bit is cleared;
 * removals and ageing may lose other keys, fewer with a larger slack t − q ({@link
 * VariableSignatureShape#falseNegativeRate}). Sized for 1 % with the default slack of 2, it loses
 * 6.7 % of the others when half of its keys are removed.
 *
 * <p>Use it for sets that change too fast to afford counters, such as the flows through a router:
 * calling {@link #lengthenHash} for each packet makes a flow visible from its q-th packet, and
 * {@link #signatureBitsHash} distinguishes long flows from short ones; {@link #age} forgets flows
 * that are not refreshed. Where removals must never lose another key, use a filter of the package
 * {@code deletable}.
 *
 * <p>Removing or shortening a key that was never added but is reported present clears bits of
 * members; never do it unless the key is known to be in the set.
 *
 * <p>Threads: any number may add, remove and query; bits are set and cleared one at a time, so the
 * statements about lost keys also hold for concurrent calls. A key whose {@code add} returned is
 * found unless a removal or ageing has begun.
 *
 * <p>Lu, Prabhakar and Bonomi, "Bloom Filters: Design Innovations and Novel Applications"; Tarkoma,
 * Rothenberg and Lagerspetz 2012, sec. III-L.
 */
public final class VariableSignatureFilter extends ShapedFilter<VariableSignatureShape>
    implements RemovableFilter, QueryCost {

  public static final FilterKind<VariableSignatureFilter> KIND =
      Kind.of(62, "variable-signature", VariableSignatureFilter.class)
          .question("is x in the set, with as many bits as it is worth? deletes lose a few others")
          .codec(VariableSignatureFilter::encode, VariableSignatureFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("variable-signature", VariableSignatureShape.class)
                          .meets(Need.DELETES)
                          .onlyFor(Need.FALSE_NEGATIVES)
                          .forKeys(VariableSignatureShape::forKeys)
                          .forBudget(VariableSignatureShape::forBudget)
                          .reads(VariableSignatureShape::hashesPerKey)
                          .works(shape -> 1.6 * shape.hashesPerKey())
                          .misses("removals and ageing lose a few other keys")
                          .falseDeletion("takes bits of members, which can spare two")
                          .why(
                              "Deletes and ageing in a plain array of bits: keys survive the loss"
                                  + " of two bits, and a few do not")
                          .creates(VariableSignatureFilter::create)));

  private final Words words;
  private final Modulus modulus;
  private final int hashesPerKey;
  private final int mostZeros;
  private final AtomicLong next;

  private VariableSignatureFilter(
      VariableSignatureShape shape, Hasher hasher, Words words, long next) {
    super(shape, hasher);
    this.words = words;
    this.modulus = new Modulus(shape.bits());
    this.hashesPerKey = shape.hashesPerKey();
    this.mostZeros = shape.hashesPerKey() - shape.threshold();
    this.next = new AtomicLong(next);
  }

  /**
   * The smallest filter with a slack of 2 for a number of keys and a rate.
   *
   * @param expectedKeys how many distinct keys it will hold at a time, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static VariableSignatureFilter create(long expectedKeys, double falsePositiveRate) {
    return create(VariableSignatureShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape bits, positions of a key, positions that are set, positions that make it present
   * @return an empty filter
   */
  public static VariableSignatureFilter create(VariableSignatureShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape bits, positions of a key, positions that are set, positions that make it present
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static VariableSignatureFilter create(VariableSignatureShape shape, Hasher hasher) {
    return new VariableSignatureFilter(shape, hasher, Words.forBits(shape.bits(), true), 0);
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).put("next", next.get()).section(words);
  }

  private static VariableSignatureFilter decode(Frame frame) throws IOException {
    VariableSignatureShape shape = frame.shape(VariableSignatureShape.class);
    long next = frame.number("next", 0, shape.bits() - 1);
    return new VariableSignatureFilter(shape, frame.hasher(), frame.bits(0, shape.bits()), next);
  }

  @Override
  public FilterKind<VariableSignatureFilter> kind() {
    return KIND;
  }

  /**
   * {@inheritDoc} Here {@code false} is certain only until the first removal or ageing.
   *
   * @return {@code false}: absent, or lost by a removal or ageing; {@code true}: probably present
   */
  @Override
  public boolean mightContainHash(long hash) {
    return Draws.zeros(hash, hashesPerKey, modulus, words) <= mostZeros;
  }

  /**
   * Adds a key by its hash: sets the first t of its positions.
   *
   * @return {@code true}: it was absent; {@code false}: it was probably present
   */
  @Override
  public boolean addHash(long hash) {
    return addHash(hash, shape().signatureBits());
  }

  /**
   * Adds a key with a signature of a given length. A signature below the threshold does not make
   * the key present by itself.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
   * @param signatureBits how many of its positions are set, the first ones, 1 … k
   * @return {@code true}: it was absent; {@code false}: it was probably present
   * @throws IllegalArgumentException if {@code signatureBits} is outside its range
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public boolean addHash(long hash, int signatureBits) {
    Arguments.inRange("signatureBits", signatureBits, 1, hashesPerKey);
    words.writable();
    boolean absent = !mightContainHash(hash);
    for (int i = 0; i < signatureBits; i++) {
      words.setBit(position(hash, i));
    }
    return absent;
  }

  /**
   * The current length of a key's signature. For a key without a signature, other keys set about k
   * times the {@linkplain #fillRatio fill} of its k positions.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
   * @return how many of its positions are set, 0 … k
   */
  public int signatureBitsHash(long hash) {
    return hashesPerKey - Draws.zeros(hash, hashesPerKey, modulus, words);
  }

  /**
   * Lengthens a key's signature by a bit: sets the first of its positions that is not set.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
   * @return {@code false} if all were already set
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public boolean lengthenHash(long hash) {
    words.writable();
    for (int i = 0; i < hashesPerKey; i++) {
      if (words.setBit(position(hash, i))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Shortens a key's signature by a bit: clears the last of its positions that is set. Other keys
   * may share that bit. Call it only for keys that are known to be in the set.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
   * @return {@code false} if none was set
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public boolean shortenHash(long hash) {
    words.writable();
    for (int i = hashesPerKey - 1; i >= 0; i--) {
      if (words.clearBit(position(hash, i))) {
        return true;
      }
    }
    return false;
  }

  /**
   * {@inheritDoc} Here: shortens the signature until it is below the threshold, by t − q + 1 bits
   * if nothing else was set or cleared. {@code false} means that the key was absent.
   */
  @Override
  public boolean removeHash(long hash) {
    words.writable();
    boolean present = mightContainHash(hash);
    while (mightContainHash(hash)) {
      shortenHash(hash);
    }
    return present;
  }

  /**
   * Ages the filter: clears the next positions in cyclic order, so that calls with m positions in
   * total forget everything that was not set again.
   *
   * @param bits how many positions, 1 … m
   * @return how many of them were set
   * @throws IllegalArgumentException if {@code bits} is outside its range
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  public long age(long bits) {
    long m = shape().bits();
    Arguments.inRange("bits", bits, 1, m);
    words.writable();
    long from = next.getAndUpdate(at -> at + bits < m ? at + bits : at + bits - m);
    long end = from + bits;
    return clear(from, Math.min(end, m)) + clear(0, Math.max(0, end - m));
  }

  private long clear(long from, long to) {
    long cleared = 0;
    for (long bit = from; bit < to; bit++) {
      cleared += words.clearBit(bit) ? 1 : 0;
    }
    return cleared;
  }

  private long position(long hash, int i) {
    return Draws.index(hash, i, modulus);
  }

  /** {@inheritDoc} Here: k·log2 m. */
  @Override
  public int hashBits() {
    return HashBits.bloom(shape().bits(), hashesPerKey);
  }

  /** {@inheritDoc} Here: k. */
  @Override
  public int memoryAccesses() {
    return hashesPerKey;
  }

  /** {@inheritDoc} Here: P[Bin(k, fill) ≥ q]. */
  @Override
  public double falsePositiveRate() {
    return shape().rateAtFill(fillRatio());
  }

  /**
   * The share of bits that are set. Reads the whole filter.
   *
   * @return 0 … 1
   */
  public double fillRatio() {
    return (double) words.bitCount() / shape().bits();
  }

  /**
   * A copy in heap memory that shares nothing with this filter. Taken while other threads add, it
   * holds every key whose {@code add} returned before the call began.
   *
   * @return a filter with the same bits, writable even if this one is mapped
   */
  public VariableSignatureFilter copy() {
    return new VariableSignatureFilter(shape(), hasher(), words.copy(), next.get());
  }
}
