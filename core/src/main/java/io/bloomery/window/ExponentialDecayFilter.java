package io.bloomery.window;

import io.bloomery.AddableFilter;
import io.bloomery.CardinalityFilter;
import io.bloomery.FilterKind;
import io.bloomery.Mergeable;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.probe.Probes;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.util.List;

/**
 * How near is x? A Bloom filter with many hashes per key that keeps only a share of its bits at
 * each hop through a network: the number of a key's remaining bits ({@link #matchesHash}) falls by
 * a constant factor with each hop. A key that was added here is always found; keys that neighbours
 * advertised decay. {@link NeighborTable} uses it for routing.
 *
 * <p>Threads: lock-free for adds, merges and queries. {@link #absorb} may read the other filter
 * while it changes.
 *
 * <p>Kumar, Xu and Zegura 2005, "Efficient and Scalable Query Routing for Unstructured Peer-to-Peer
 * Networks". Deviation: a seed determines which bits are kept, so that recomputing an advertisement
 * from the same sources gives the same bits.
 */
public final class ExponentialDecayFilter extends ShapedFilter<ExponentialDecayShape>
    implements AddableFilter, Mergeable<ExponentialDecayFilter>, CardinalityFilter, QueryCost {

  public static final FilterKind<ExponentialDecayFilter> KIND =
      Kind.of(38, "exponential-decay", ExponentialDecayFilter.class)
          .question("how near is x? fewer of its bits are left with every hop")
          .codec(ExponentialDecayFilter::encode, ExponentialDecayFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("exponential-decay", ExponentialDecayShape.class)
                          .onlyFor() // no need expresses "how near?", so it is sized only by name
                          .forKeys(ExponentialDecayShape::forKeys)
                          .searchBudget()
                          .reads(ExponentialDecayShape::hashesPerKey)
                          .why(
                              "The set of one node of a network: neighbours pass on a share of its"
                                  + " bits, and how many of a key's bits are left tells how near it"
                                  + " is")
                          .mergesExactly()
                          .creates(ExponentialDecayFilter::create)));

  private final Probes probes;
  private final Modulus modulus;
  private final Words words;

  private ExponentialDecayFilter(ExponentialDecayShape shape, Hasher hasher, Words words) {
    super(shape, hasher);
    this.probes = new Probes(IndexScheme.INDEPENDENT, shape.bits(), shape.hashesPerKey());
    this.modulus = new Modulus(shape.bits());
    this.words = words;
  }

  /**
   * The smallest filter with 32 hashes per key.
   *
   * @param expectedKeys keys of this node, plus those of other nodes, weighted by their remaining
   *     bits
   * @param falsePositiveRate the probability that all bits of another key are set, above 0, below 1
   * @return an empty filter
   */
  public static ExponentialDecayFilter create(long expectedKeys, double falsePositiveRate) {
    return create(ExponentialDecayShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape bits and hashes per key
   * @return an empty filter
   */
  public static ExponentialDecayFilter create(ExponentialDecayShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape bits and hashes per key
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static ExponentialDecayFilter create(ExponentialDecayShape shape, Hasher hasher) {
    return new ExponentialDecayFilter(shape, hasher, Words.forBits(shape.bits(), true));
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(words);
  }

  private static ExponentialDecayFilter decode(Frame frame) throws IOException {
    ExponentialDecayShape shape = frame.shape(ExponentialDecayShape.class);
    return new ExponentialDecayFilter(shape, frame.hasher(), frame.bits(0, shape.bits()));
  }

  @Override
  public FilterKind<ExponentialDecayFilter> kind() {
    return KIND;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return probes.allSet(hash, words);
  }

  @Override
  public boolean addHash(long hash) {
    return probes.setAll(hash, words);
  }

  /**
   * How many bits of a key are set: θ of the paper.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return 0…probes; those of a key that was added here are all set
   */
  public int matchesHash(long hash) {
    return probes.count() - Draws.zeros(hash, probes.count(), modulus, words);
  }

  @Override
  public double fillRatio() {
    return (double) words.bitCount() / probes.bits();
  }

  /** {@inheritDoc} Keys of other nodes are weighted by their remaining bits. */
  @Override
  public double cardinality() {
    return Estimates.cardinality(probes.bits(), probes.count(), words.bitCount());
  }

  /** {@inheritDoc} Here: the fill to the power of the hashes per key. */
  @Override
  public double falsePositiveRate() {
    return Math.pow(fillRatio(), probes.count());
  }

  @Override
  public int hashBits() {
    return shape().hashBits();
  }

  @Override
  public int memoryAccesses() {
    return shape().memoryAccesses();
  }

  @Override
  public boolean isCompatible(ExponentialDecayFilter other) {
    return fits(other);
  }

  /** {@inheritDoc} Nothing decays. */
  @Override
  public void merge(ExponentialDecayFilter other) {
    requireFits(other);
    words.orAll(other.words);
  }

  /**
   * Sets those bits that are set in another filter, each with a probability. The same seed always
   * keeps the same bits: every node needs its own, or the bits that survive one hop would survive
   * all.
   *
   * @param other a compatible filter
   * @param keep the share of bits to keep, 1/d of the paper, 0…1
   * @param seed chooses the bits
   */
  public void absorb(ExponentialDecayFilter other, double keep, long seed) {
    Arguments.inRange("keep", keep, 0, 1);
    requireFits(other);
    words.writable();
    for (long i = 0; i < words.length(); i++) {
      long kept = 0;
      for (long left = other.words.get(i); left != 0; left &= left - 1) {
        long bit = Long.lowestOneBit(left);
        long position = (i << 6) + Long.numberOfTrailingZeros(left);
        double draw = (Mix.mix(seed + position * Mix.GOLDEN) >>> 11) * 0x1p-53;
        kept |= draw < keep ? bit : 0;
      }
      words.or(i, kept);
    }
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same bits
   */
  public ExponentialDecayFilter copy() {
    return new ExponentialDecayFilter(shape(), hasher(), words.copy());
  }
}
