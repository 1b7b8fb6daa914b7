package io.bloomery.window;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.Mergeable;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.probe.Probes;
import java.io.IOException;
import java.util.Objects;

/**
 * How near is x? A Bloom filter with many bits for each key, of which only a share is kept at each
 * hop through a network: the number of a key's bits that are left ({@link #matchesHash}) falls by a
 * constant factor with each hop. A key that was added here is always found; what neighbours
 * advertised decays. {@link NeighborTable} makes routing of it.
 *
 * <p>Threads: lock-free for adds, merges and queries. {@link #absorb} reads the other filter as it
 * is.
 *
 * <p>Kumar, Xu and Zegura 2005, "Efficient and Scalable Query Routing for Unstructured Peer-to-Peer
 * Networks". Deviation: which bits are kept follows from a seed, so that an advertisement that is
 * computed again from the same sources is the same.
 */
public final class ExponentialDecayFilter
    implements AddableFilter, Mergeable<ExponentialDecayFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<ExponentialDecayFilter> KIND =
      new FilterKind<>(
          38,
          "exponential-decay",
          "how near is x? fewer of its bits are left with every hop",
          ExponentialDecayFilter.class,
          ExponentialDecayFilter::encode,
          ExponentialDecayFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  ExponentialDecayShape.class,
                  ExponentialDecayShape::forKeys,
                  FilterRecipe.byRate(ExponentialDecayShape::forKeys),
                  order -> builder().shape(order.shape()).hasher(order.hasher()).build()));

  private final Hasher hasher;
  private final ExponentialDecayShape shape;
  private final Probes probes;
  private final Modulus modulus;
  private final Words words;

  private ExponentialDecayFilter(Hasher hasher, ExponentialDecayShape shape, Words words) {
    this.hasher = hasher;
    this.shape = shape;
    this.probes = new Probes(IndexScheme.INDEPENDENT, shape.bits(), shape.probes());
    this.modulus = new Modulus(shape.bits());
    this.words = words;
  }

  /**
   * The smallest filter of 32 bits a key.
   *
   * @param expectedKeys keys of this node and, counted by the bits they still have, of others
   * @param falsePositiveRate how often all bits of another key are set, above 0, below 1
   * @return an empty filter
   */
  public static ExponentialDecayFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * A filter of a given shape.
   *
   * @param shape bits, and how many a key sets
   * @return an empty filter
   */
  public static ExponentialDecayFilter ofShape(ExponentialDecayShape shape) {
    return builder().shape(shape).build();
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private Frame encode() {
    return Frame.of(hasher).put("bits", shape.bits()).put("probes", shape.probes()).section(words);
  }

  private static ExponentialDecayFilter decode(Frame frame) throws IOException {
    ExponentialDecayShape shape;
    try {
      shape =
          new ExponentialDecayShape(
              frame.number("bits", 2, Long.MAX_VALUE), (int) frame.number("probes", 1, 255));
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new ExponentialDecayFilter(frame.hasher(), shape, frame.bits(0, shape.bits()));
  }

  @Override
  public FilterKind<ExponentialDecayFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The number of bits and how many a key sets.
   *
   * @return the shape
   */
  public ExponentialDecayShape shape() {
    return shape;
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
    return shape.probes() - Draws.zeros(hash, shape.probes(), modulus, words);
  }

  /**
   * The share of bits that are set.
   *
   * @return 0…1
   */
  public double fillRatio() {
    return (double) words.bitCount() / shape.bits();
  }

  /** {@inheritDoc} Here: the fill to the power of the probes. */
  @Override
  public double falsePositiveRate() {
    return Math.pow(fillRatio(), shape.probes());
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  @Override
  public boolean isCompatible(ExponentialDecayFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, shape, other.shape);
  }

  /** {@inheritDoc} Nothing decays. */
  @Override
  public void merge(ExponentialDecayFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape, other.shape);
    words.orAll(other.words);
  }

  /**
   * Sets those bits that are set in another filter, each with a probability. The same seed always
   * keeps the same bits: every node must have its own, or what survived one hop would survive all.
   *
   * @param other a compatible filter
   * @param keep the share of bits to keep, 1/d of the paper, 0…1
   * @param seed chooses them
   */
  public void absorb(ExponentialDecayFilter other, double keep, long seed) {
    Objects.requireNonNull(other, "other");
    Arguments.inRange("keep", keep, 0, 1);
    Compatibility.require(hasher, other.hasher, shape, other.shape);
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
    return new ExponentialDecayFilter(hasher, shape, words.copy());
  }

  @Override
  public String toString() {
    return "ExponentialDecayFilter[" + shape + ", " + hasher + "]";
  }

  /** Options of a filter: expected keys with a rate, or a shape. */
  public static final class Builder extends SizedBuilder<Builder> {
    private ExponentialDecayShape shape;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The whole shape, instead of keys and a rate.
     *
     * @param shape the shape
     * @return this
     */
    public Builder shape(ExponentialDecayShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     */
    public ExponentialDecayFilter build() {
      if (shape != null && (expectedKeys != 0 || falsePositiveRate != 0)) {
        throw new IllegalArgumentException("a shape and expectedKeys or a rate exclude each other");
      }
      ExponentialDecayShape chosen =
          shape == null ? ExponentialDecayShape.forKeys(expectedKeys, falsePositiveRate) : shape;
      return new ExponentialDecayFilter(hasher, chosen, Words.forBits(chosen.bits(), true));
    }
  }
}
