package io.bloomery.weighted;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.QueryCost;
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
import io.bloomery.theory.GeneralizedMath;
import io.bloomery.theory.HashBits;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A filter whose keys reset some bits and set others, so that its false-positive rate is bounded
 * whatever its initial bits: an attacker cannot make it accept everything by filling it with ones.
 * It errs in both directions. The latest key is always found; an older one is reported absent with
 * a probability that grows with the number of keys added since ({@link
 * GeneralizedShape#falseNegativeRate}).
 *
 * <p>It is meant for small filters that untrusted parties can modify, such as the path of a packet
 * in its own header: {@link #of} continues with the received bits, {@link #toWords} returns the
 * bits to send on. If no other party can write to the filter, a Bloom filter finds every key in
 * less than a tenth of the memory.
 *
 * <p>Threads: any number may add and query. Concurrent adds may change each other's bits, as
 * consecutive ones do, so with several writers not even the latest key is certain to be found.
 *
 * <p>Laufer, Velloso and Duarte, "Generalized Bloom Filters"; Tarkoma, Rothenberg and Lagerspetz
 * 2012, sec. III-R, whose first sentence swaps the two sets of functions: g resets k0 bits and h
 * sets k1. A bit that a key would both set and reset is 0. Deviation: positions are k0 + k1 outputs
 * of one mixing stream instead of as many hash functions.
 */
public final class GeneralizedBloomFilter extends ShapedFilter<GeneralizedShape>
    implements AddableFilter, QueryCost {

  public static final FilterKind<GeneralizedBloomFilter> KIND =
      Kind.of(59, "generalized", GeneralizedBloomFilter.class)
          .question("is x in the set? bounded rate for any initial bits, old keys fade")
          .codec(GeneralizedBloomFilter::encode, GeneralizedBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("generalized", GeneralizedShape.class)
                          .onlyFor(Need.FALSE_NEGATIVES)
                          .forKeys(GeneralizedShape::forKeys)
                          .searchBudget()
                          .reads(shape -> shape.resetHashes() + shape.setHashes())
                          .misses("it loses the oldest keys in one case of ten")
                          .why(
                              "The false-positive rate is bounded whatever was written to the bits"
                                  + " before; the oldest keys are lost in one case of ten")
                          .needsMore("forgets some keys while others are added")
                          .orderMatters()
                          .creates(GeneralizedBloomFilter::create)));

  private final Words words;
  private final Modulus modulus;
  private final int resets;
  private final int hashes;

  private GeneralizedBloomFilter(GeneralizedShape shape, Hasher hasher, Words words) {
    super(shape, hasher);
    this.words = words;
    this.modulus = new Modulus(shape.bits());
    this.resets = shape.resetHashes();
    this.hashes = shape.resetHashes() + shape.setHashes();
  }

  /**
   * The smallest filter with the rates of {@link GeneralizedShape#forKeys}.
   *
   * @param expectedKeys the number of latest keys, the oldest of which is lost in at most one case
   *     of ten
   * @param falsePositiveRate the highest rate for any bits, above 0, below 1
   * @return a filter of zeros
   */
  public static GeneralizedBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(GeneralizedShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape bits, resets and sets per key
   * @return a filter of zeros
   */
  public static GeneralizedBloomFilter create(GeneralizedShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape bits, resets and sets per key
   * @param hasher turns keys into hashes
   * @return a filter of zeros
   */
  public static GeneralizedBloomFilter create(GeneralizedShape shape, Hasher hasher) {
    return new GeneralizedBloomFilter(shape, hasher, Words.forBits(shape.bits(), true));
  }

  /**
   * A filter that starts with any bits, such as those of a packet.
   *
   * @param shape bits, resets and sets per key
   * @param hasher turns keys into hashes
   * @param start the bits, bit i being bit {@code i & 63} of word {@code i / 64}, which are copied;
   *     bits beyond the shape's size are ignored
   * @return a filter of these bits
   * @throws IllegalArgumentException if {@code start} does not have exactly the words of the
   *     shape's bits
   */
  public static GeneralizedBloomFilter of(GeneralizedShape shape, Hasher hasher, long[] start) {
    Objects.requireNonNull(shape, "shape");
    long length = Words.wordsFor(shape.bits());
    Arguments.inRange("words of start", start.length, length, length);
    Words words = Words.copyOf(start, true);
    for (long bit = shape.bits(); bit < start.length * (long) Long.SIZE; bit++) {
      words.clearBit(bit);
    }
    return new GeneralizedBloomFilter(shape, hasher, words);
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(words);
  }

  private static GeneralizedBloomFilter decode(Frame frame) throws IOException {
    GeneralizedShape shape = frame.shape(GeneralizedShape.class);
    return new GeneralizedBloomFilter(shape, frame.hasher(), frame.bits(0, shape.bits()));
  }

  @Override
  public FilterKind<GeneralizedBloomFilter> kind() {
    return KIND;
  }

  /**
   * {@inheritDoc} Here both answers may be wrong.
   *
   * @return {@code false}: never added, or overwritten since; {@code true}: probably added
   */
  @Override
  public boolean mightContainHash(long hash) {
    for (int i = 0; i < resets; i++) {
      long position = Draws.index(hash, i, modulus);
      if ((words.get(position >>> 6) >>> position & 1) != 0) {
        return false;
      }
    }
    for (int i = resets; i < hashes; i++) {
      long position = Draws.index(hash, i, modulus);
      if (!words.getBit(position) && !isReset(hash, position)) {
        return false;
      }
    }
    return true;
  }

  private boolean isReset(long hash, long position) {
    for (int i = 0; i < resets; i++) {
      if (Draws.index(hash, i, modulus) == position) {
        return true;
      }
    }
    return false;
  }

  /**
   * Adds a key by its hash, which may overwrite bits of other keys.
   *
   * @return {@code true}: it was absent, never added or overwritten since; {@code false}: it was
   *     probably present, and nothing changes
   */
  @Override
  public boolean addHash(long hash) {
    words.writable();
    if (mightContainHash(hash)) {
      return false;
    }
    for (int i = 0; i < resets; i++) {
      words.clearBit(Draws.index(hash, i, modulus));
    }
    for (int i = resets; i < hashes; i++) {
      long position = Draws.index(hash, i, modulus);
      if (!isReset(hash, position)) {
        words.setBit(position);
      }
    }
    return true;
  }

  /** {@inheritDoc} Here: (k0 + k1)·log2 m. */
  @Override
  public int hashBits() {
    return memoryAccesses() * HashBits.choice(shape().bits());
  }

  /** {@inheritDoc} Here: k0 + k1. */
  @Override
  public int memoryAccesses() {
    return shape().resetHashes() + shape().setHashes();
  }

  /**
   * {@inheritDoc} Here: exact, from the number of zeros; never above {@link
   * GeneralizedShape#falsePositiveBound}.
   */
  @Override
  public double falsePositiveRate() {
    double zeros = (double) (shape().bits() - words.bitCount());
    return GeneralizedMath.rateAt(
        shape().bits(), shape().resetHashes(), shape().setHashes(), zeros);
  }

  /**
   * The share of bits that are 0. Reads the whole filter.
   *
   * @return 0 … 1
   */
  public double zeroShare() {
    return 1 - (double) words.bitCount() / shape().bits();
  }

  /**
   * The bits, to be sent on.
   *
   * @return a copy, bit i being bit {@code i & 63} of word {@code i / 64}
   */
  public long[] toWords() {
    long[] copy = new long[Math.toIntExact(words.length())];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = words.get(i);
    }
    return copy;
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same bits, writable even if this one is mapped
   */
  public GeneralizedBloomFilter copy() {
    return new GeneralizedBloomFilter(shape(), hasher(), words.copy());
  }
}
