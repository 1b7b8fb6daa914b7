package io.bloomery.membership;

import io.bloomery.AddableFilter;
import io.bloomery.HashedFilter;
import io.bloomery.Intersectable;
import io.bloomery.Storable;
import io.bloomery.format.FilterKind;
import io.bloomery.format.FilterRecipe;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.Compatibility;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Probes;
import io.bloomery.plan.BloomShape;
import io.bloomery.plan.Estimates;
import io.bloomery.plan.HashBits;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;

/**
 * The classic Bloom filter: {@code k} of {@code m} bits per key, chosen by an {@link IndexScheme}.
 * It never reports an added key absent; a key that was not added is reported present with the
 * probability that all its bits are set by others, about {@code fill^k}.
 *
 * <p>It is the smallest filter here that takes keys one by one, and each query reads up to {@code
 * k} cache lines; {@link BlockedBloomFilter} reads one for a few percent more memory and is the
 * better choice unless memory or {@link #halve}, {@link #intersect} and {@link #cardinality}
 * decide.
 *
 * <p>Threads: lock-free. Any number of threads may add and query; a key whose {@code add} returned
 * is found by every later query of a thread that can see that return. {@link #copy} and saving hold
 * every key added before the call began. {@link #clear} and {@link #intersect} need that no other
 * thread writes.
 *
 * <p>Bloom 1970, "Space/Time Trade-offs in Hash Coding with Allowable Errors"; with {@link
 * IndexScheme#PARTITIONED} the partitioned filter of Mullin 1983. Deviation: the default scheme is
 * enhanced double hashing instead of k hash functions, and {@link #create} falls back to
 * independent indexes for filters so small that it would show.
 */
public final class BloomFilter implements AddableFilter, Intersectable<BloomFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<BloomFilter> KIND =
      new FilterKind<>(
          1,
          "bloom",
          "is x in the set? k bits anywhere: the smallest",
          BloomFilter.class,
          BloomFilter::encode,
          BloomFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  BloomShape.class, BloomShape::forKeys, BloomShape::forBudget, BloomFilter::made));

  /** Fill ratio above which {@link #isSaturated} says so. */
  private static final double SATURATED = 0.9;

  private final Hasher hasher;
  private final Probes probes;
  private final Words words;

  private BloomFilter(Hasher hasher, Probes probes, Words words) {
    this.hasher = hasher;
    this.probes = probes;
    this.words = words;
  }

  /**
   * The smallest filter for a number of keys and a rate.
   *
   * @param expectedKeys how many different keys will be added, 1 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static BloomFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * A filter whose size is given, as papers do.
   *
   * @param bits m, 2 or more
   * @param probes k, 1…255
   * @return an empty filter
   */
  public static BloomFilter ofBits(long bits, int probes) {
    return builder().bits(bits).probes(probes).build();
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private static BloomFilter made(FilterRecipe.Order<BloomShape> order) {
    BloomShape shape = order.shape();
    double expected = shape.falsePositiveRate(order.keys());
    IndexScheme scheme =
        shape.partitioned()
            ? IndexScheme.PARTITIONED
            : Probes.schemeFor(order.keys(), shape.bits(), expected, order.rate());
    return builder()
        .bits(shape.bits())
        .probes(shape.probes())
        .scheme(scheme)
        .hasher(order.hasher())
        .build();
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("bits", probes.bits())
        .put("probes", probes.count())
        .put("scheme", probes.scheme().wireId())
        .section(words);
  }

  private static BloomFilter decode(Frame frame) throws IOException {
    long bits = frame.number("bits", 2, Words.MAX_WORDS * Long.SIZE);
    int count = (int) frame.number("probes", 1, 255);
    IndexScheme scheme = IndexScheme.ofWireId((int) frame.number("scheme", 1, 5));
    Probes probes;
    try {
      probes = new Probes(scheme, bits, count);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new BloomFilter(frame.hasher(), probes, frame.bits(0, bits));
  }

  @Override
  public FilterKind<BloomFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * Size and number of probes.
   *
   * @return the shape, with its rate formula
   */
  public BloomShape shape() {
    return new BloomShape(
        probes.bits(), probes.count(), probes.scheme() == IndexScheme.PARTITIONED);
  }

  /**
   * How indexes are computed.
   *
   * @return the scheme
   */
  public IndexScheme scheme() {
    return probes.scheme();
  }

  @Override
  public boolean mightContainHash(long hash) {
    return probes.allSet(hash, words);
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hasher.hash(key));
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    return probes.allSet(hashes, from, to, hits, words);
  }

  @Override
  public boolean addHash(long hash) {
    return probes.setAll(hash, words);
  }

  @Override
  public boolean add(long key) {
    return addHash(hasher.hash(key));
  }

  /** {@inheritDoc} Here: the k-th power of the fill, slice by slice if partitioned. */
  @Override
  public double falsePositiveRate() {
    if (scheme() == IndexScheme.PARTITIONED) {
      double rate = 1;
      for (int i = 0; i < probes.count(); i++) {
        rate *= (double) sliceBitCount(i) / sliceBits();
      }
      return rate;
    }
    double fill = fillRatio();
    double rate = Math.pow(fill, probes.count());
    return fill == 0 ? 0 : Math.min(1, rate + (1 - rate) * samePairRate());
  }

  /**
   * The probability that a fresh key has the very start and step of one of the keys in the filter.
   * Only {@link IndexScheme#ENHANCED_DOUBLE} has so few pairs and is the default; see
   * docs/hashing.md for what {@link IndexScheme#DOUBLE} adds.
   */
  private double samePairRate() {
    return scheme() == IndexScheme.ENHANCED_DOUBLE
        ? Math.min(1, cardinality() / probes.bits() / probes.bits())
        : 0;
  }

  @Override
  public long sizeInBits() {
    return probes.bits();
  }

  @Override
  public double fillRatio() {
    return (double) words.bitCount() / probes.bits();
  }

  /**
   * Whether so many bits are set that answers are hardly worth asking for.
   *
   * @return true above a fill of 0.9
   */
  public boolean isSaturated() {
    return fillRatio() > SATURATED;
  }

  /** {@inheritDoc} Here: −(m/k)·ln(1 − X/m) (Swamidass and Baldi 2007), or slice by slice. */
  @Override
  public double cardinality() {
    if (scheme() != IndexScheme.PARTITIONED) {
      return Estimates.cardinality(probes.bits(), probes.count(), words.bitCount());
    }
    long[] setBits = new long[probes.count()];
    Arrays.setAll(setBits, this::sliceBitCount);
    return Estimates.partitionedCardinality(sliceBits(), setBits);
  }

  /**
   * An estimate of the number of keys that are in this filter or the other.
   *
   * @param other a compatible filter
   * @return about the number of keys in the union
   */
  public double unionCardinality(BloomFilter other) {
    BloomFilter union = copy();
    union.merge(other);
    return union.cardinality();
  }

  /**
   * An estimate of the number of keys that are in both filters.
   *
   * @param other a compatible filter
   * @return about the number of keys in the intersection, 0 or more
   */
  public double intersectionCardinality(BloomFilter other) {
    return Math.max(0, cardinality() + other.cardinality() - unionCardinality(other));
  }

  private long sliceBits() {
    return probes.bits() / probes.count();
  }

  private long sliceBitCount(int slice) {
    long from = slice * sliceBits();
    return words.bitCountOfBits(from, from + sliceBits());
  }

  @Override
  public boolean isCompatible(BloomFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, layout(), other.layout());
  }

  private void requireCompatible(BloomFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, layout(), other.layout());
  }

  private Layout layout() {
    return new Layout(probes.bits(), probes.count(), probes.scheme());
  }

  private record Layout(long bits, int probes, IndexScheme scheme) {}

  /** {@inheritDoc} The result is bit for bit the filter of the union of both key sets. */
  @Override
  public void merge(BloomFilter other) {
    requireCompatible(other);
    words.orAll(other.words);
  }

  @Override
  public void intersect(BloomFilter other) {
    requireCompatible(other);
    words.andAll(other.words);
  }

  /**
   * A filter of half the size with the same keys, bit for bit the one that would have been built
   * with half the bits (Broder and Mitzenmacher 2004, sec. 2.3; indexes are remainders, so the
   * halves, or for a partitioned filter the halves of each slice, are joined).
   *
   * @return a new filter
   * @throws IllegalStateException if the size (the slice size) is odd or below 4 bits, or for
   *     {@link IndexScheme#DOUBLE} not a multiple of 4, whose steps depend on the parity of the
   *     size
   */
  public BloomFilter halve() {
    boolean partitioned = scheme() == IndexScheme.PARTITIONED;
    long slice = partitioned ? sliceBits() : probes.bits();
    int unit = scheme() == IndexScheme.DOUBLE ? 4 : 2;
    if (slice < 4 || slice % unit != 0 || probes.bits() / 2 < probes.count()) {
      throw new IllegalStateException(
          slice + (partitioned ? " bits a slice" : " bits") + " cannot be halved");
    }
    long half = slice / 2;
    BloomFilter halved =
        new BloomFilter(
            hasher,
            new Probes(scheme(), probes.bits() / 2, probes.count()),
            Words.forBits(probes.bits() / 2, words.isShared()));
    for (long i = 0; i < words.length(); i++) {
      for (long left = words.get(i); left != 0; left &= left - 1) {
        long bit = (i << 6) + Long.numberOfTrailingZeros(left);
        halved.words.setBit(bit / slice * half + bit % slice % half);
      }
    }
    return halved;
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public BloomFilter copy() {
    return new BloomFilter(hasher, probes, words.copy());
  }

  /** Removes every key. */
  public void clear() {
    words.clear();
  }

  /**
   * Whether two filters have equal shapes, hashers and bits.
   *
   * @param other another filter
   * @return true if they answer alike for ever
   */
  public boolean sameBits(BloomFilter other) {
    return isCompatible(other) && words.sameBits(other.words);
  }

  /**
   * Bits that one query takes from the hash function (Qiao, Li and Chen, Table 1).
   *
   * @return {@code k·log2(m)}, rounded up
   */
  public int hashBits() {
    return HashBits.bloom(probes.bits(), probes.count());
  }

  /**
   * Words that one query reads at most.
   *
   * @return k
   */
  public int memoryAccesses() {
    return probes.count();
  }

  @Override
  public String toString() {
    return "BloomFilter[" + layout() + ", " + hasher + "]";
  }

  /** Options of a filter: expected keys and rate, or bits and probes. */
  public static final class Builder extends BitFilterBuilder<Builder> {
    private long bits;
    private int probes;
    private IndexScheme scheme;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The size, instead of a rate. Without {@link #probes} the best number for {@link
     * #expectedKeys} is taken.
     *
     * @param bits 2 or more; a partitioned filter rounds up to equal slices
     * @return this
     */
    public Builder bits(long bits) {
      if (bits < 2) {
        throw new IllegalArgumentException("bits = " + bits + " is below 2");
      }
      this.bits = bits;
      return this;
    }

    /**
     * Indexes per key, together with {@link #bits}.
     *
     * @param probes 1…255
     * @return this
     */
    public Builder probes(int probes) {
      if (probes < 1 || probes > 255) {
        throw new IllegalArgumentException("probes = " + probes + " is not within 1…255");
      }
      this.probes = probes;
      return this;
    }

    /**
     * How indexes are computed. Without it: enhanced double hashing, or independent indexes where a
     * filter is so small that the promised rate needs them.
     *
     * @param scheme the scheme
     * @return this
     */
    public Builder scheme(IndexScheme scheme) {
      this.scheme = Objects.requireNonNull(scheme, "scheme");
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     */
    public BloomFilter build() {
      BloomShape shape = shape();
      IndexScheme chosen = scheme == null ? defaultScheme(shape) : scheme;
      Probes indexes = new Probes(chosen, shape.bits(), shape.probes());
      return new BloomFilter(hasher, indexes, Words.forBits(shape.bits(), shared));
    }

    private BloomShape shape() {
      boolean partitioned = scheme == IndexScheme.PARTITIONED;
      if (bits == 0) {
        if (probes != 0) {
          throw new IllegalArgumentException("probes " + probes + " need bits as well");
        }
        return partitioned
            ? BloomShape.partitionedForKeys(expectedKeys, falsePositiveRate)
            : BloomShape.forKeys(expectedKeys, falsePositiveRate);
      }
      if (falsePositiveRate != 0) {
        throw new IllegalArgumentException(
            "bits " + bits + " and falsePositiveRate " + falsePositiveRate + " exclude each other");
      }
      int count = probes == 0 ? BloomShape.forBudget(expectedKeys, bits).probes() : probes;
      return partitioned
          ? BloomShape.ofPartitionedBits(bits, count)
          : BloomShape.ofBits(bits, count);
    }

    private IndexScheme defaultScheme(BloomShape shape) {
      return falsePositiveRate == 0
          ? IndexScheme.ENHANCED_DOUBLE
          : Probes.schemeFor(
              expectedKeys, shape.bits(), shape.falsePositiveRate(expectedKeys), falsePositiveRate);
    }
  }
}
