package io.bloomery.membership;

import io.bloomery.FilterKind;
import io.bloomery.Halvable;
import io.bloomery.HashedFilter;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Powers;
import io.bloomery.internal.probe.Probes;
import io.bloomery.internal.variant.EarlyExit;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/**
 * The classic Bloom filter: {@code k} of {@code m} bits per key, chosen by an {@link IndexScheme}.
 * It never reports an added key absent; a key that was not added is reported present with the
 * probability that all its bits are set by others, about {@code fill^k}.
 *
 * <p>It is the smallest filter of this package that accepts keys one at a time, and each query
 * reads up to {@code k} cache lines; {@link BlockedBloomFilter} reads one for a few percent more
 * memory and is the better choice unless memory or {@link #halve}, {@link #intersect} and {@link
 * #cardinality} decide.
 *
 * <p>Threads: lock-free. Any number of threads may add and query; once {@code add} has returned,
 * every query that happens after it finds the key. {@link #copy} and saving hold every key added
 * before the call began. {@link #clear} and {@link #intersect} require that no other thread writes.
 *
 * <p>Bloom 1970, "Space/Time Trade-offs in Hash Coding with Allowable Errors"; with {@link
 * IndexScheme#PARTITIONED} the partitioned filter of Mullin 1983. Deviation: one hash replaces k;
 * the default scheme, {@link IndexScheme#POWERS}, has the rate of k hash functions at every size.
 */
public final class BloomFilter extends BitFilter<BloomShape, BloomFilter>
    implements Halvable<BloomFilter> {

  public static final FilterKind<BloomFilter> KIND =
      Kind.of(1, "bloom", BloomFilter.class)
          .question("is x in the set? k bits anywhere: the smallest")
          .codec(BloomFilter::encode, BloomFilter::decode)
          .sharesWords(filter -> filter.words, BloomShape.class, BloomFilter::new)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("bloom", BloomShape.class)
                          .forKeys(BloomShape::forKeys)
                          .forBudget(BloomShape::forBudget)
                          .reads(BloomShape::hashesPerKey)
                          .works(shape -> EarlyExit.work(shape.hashesPerKey()))
                          .absentByThree(
                              shape -> shape.hashesPerKey(),
                              shape -> 1.2 + 0.4 * EarlyExit.byThree(shape.hashesPerKey()))
                          .why(
                              "The smallest of the plain bit filters, with union, intersection and"
                                  + " halving, for one cache line per hash")
                          .mergesExactly()
                          .createsFor(BloomFilter::create),
                      VariantBuilder.of("partitioned", BloomShape.class)
                          .forKeys((n, p) -> BloomShape.forKeys(n, p, IndexScheme.PARTITIONED))
                          .forBudget((n, m) -> BloomShape.forBudget(n, m, IndexScheme.PARTITIONED))
                          .reads(BloomShape::hashesPerKey)
                          .works(shape -> 2 * shape.hashesPerKey())
                          .absentByThree(
                              shape -> shape.hashesPerKey(),
                              shape -> 2 + 2 * EarlyExit.byThree(shape.hashesPerKey()))
                          .why("A slice per hash, which hardware or threads can read in parallel")
                          .mergesExactly()
                          .createsFor(BloomFilter::create)));

  /** Fill ratio above which {@link #isSaturated} is true. */
  private static final double SATURATED = 0.9;

  private final Probes probes;

  /** The words if positions in them are products, otherwise null. */
  private final long @Nullable [] heapWords;

  /** The same if a hash has seven positions and adds are plain stores, otherwise null. */
  private final long @Nullable [] unsharedWords;

  private final long size;
  private final int count;

  private BloomFilter(BloomShape shape, Hasher hasher, Words words) {
    super(shape, hasher, words);
    this.probes = new Probes(shape.scheme(), shape.bits(), shape.hashesPerKey());
    this.heapWords = probes.heapWords(words);
    this.unsharedWords = words.isShared() || shape.hashesPerKey() != 7 ? null : heapWords;
    this.size = words.length();
    this.count = shape.hashesPerKey();
  }

  /**
   * The smallest filter for a number of keys and a rate.
   *
   * @param expectedKeys how many distinct keys will be added, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static BloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(BloomShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * Collects a stream of texts in a filter made by {@link #create(long, double)}. A parallel stream
   * fills several filters, which are then merged. {@code Filters.collector} supports other key
   * types, shapes and hashers.
   *
   * @param expectedKeys how many distinct keys the stream has, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return a collector
   */
  public static Collector<CharSequence, ?, BloomFilter> collector(
      long expectedKeys, double falsePositiveRate) {
    BloomShape shape = BloomShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate);
    return Collector.of(
        () -> create(shape),
        (filter, key) -> filter.add(key),
        (one, other) -> {
          one.merge(other);
          return one;
        },
        Collector.Characteristics.UNORDERED);
  }

  /**
   * A filter of a given shape.
   *
   * @param shape bits, hashes per key and index scheme
   * @return an empty filter
   */
  public static BloomFilter create(BloomShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape bits, hashes per key and index scheme
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static BloomFilter create(BloomShape shape, Hasher hasher) {
    return create(shape, hasher, Writers.MANY);
  }

  /**
   * A filter of a given shape and hasher, for one writer or many.
   *
   * @param shape bits, hashes per key and index scheme
   * @param hasher turns keys into hashes
   * @param writers how many threads may add at the same time
   * @return an empty filter
   */
  public static BloomFilter create(BloomShape shape, Hasher hasher, Writers writers) {
    return new BloomFilter(shape, hasher, Words.forBits(shape.bits(), writers == Writers.MANY));
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(words);
  }

  private static BloomFilter decode(Frame frame) throws IOException {
    BloomShape shape = frame.shape(BloomShape.class);
    frame.require(shape.bits() >= 2, "bits is 1; it must be 2 or more");
    frame.require(
        shape.hashesPerKey() <= shape.bits(), "probes is " + shape.hashesPerKey() + ", above bits");
    return new BloomFilter(shape, frame.hasher(), frame.bits(0, shape.bits()));
  }

  @Override
  public FilterKind<BloomFilter> kind() {
    return KIND;
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
    long[] heap = heapWords;
    return heap != null ? Powers.allSet(hash, heap, size, count) : probes.allSet(hash, words);
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hash(key));
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    return probes.allSet(hashes, from, to, hits, words);
  }

  @Override
  public boolean addHash(long hash) {
    long[] heap = unsharedWords;
    return heap != null ? Powers.setSeven(hash, heap, size) : probes.setAll(hash, words);
  }

  /**
   * {@inheritDoc} With {@link Writers#ONE}, a filter above 2 MB takes calls that set 2^20 bits or
   * more part by part, for which the call takes another 4 MB.
   */
  @Override
  public void addHashes(long[] hashes, int from, int to) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromToIndex(from, to, hashes.length);
    if (from < to) {
      probes.setAll(hashes, from, to, words);
    }
  }

  @Override
  public boolean add(long key) {
    return addHash(hash(key));
  }

  /** {@inheritDoc} Here: the k-th power of the fill, slice by slice if partitioned. */
  @Override
  public double falsePositiveRate() {
    if (scheme() == IndexScheme.PARTITIONED) {
      double rate = 1;
      for (int i = 0; i < probes.count(); i++) {
        rate *= (double) sliceBitCount(words, i) / sliceBits();
      }
      return rate;
    }
    double fill = fillRatio();
    double rate = Math.pow(fill, probes.count());
    return fill == 0 ? 0 : Math.min(1, rate + (1 - rate) * samePairRate());
  }

  /**
   * The probability that a fresh key has the same start and step as a key in the filter. Nonzero
   * only for {@link IndexScheme#ENHANCED_DOUBLE}, which has few such pairs; see docs/hashing.md for
   * what {@link IndexScheme#DOUBLE} adds.
   */
  private double samePairRate() {
    return scheme() == IndexScheme.ENHANCED_DOUBLE
        ? Math.min(1, cardinality() / probes.bits() / probes.bits())
        : 0;
  }

  /**
   * Whether the filter is so full that answers carry little information.
   *
   * @return true above a fill of 0.9
   */
  public boolean isSaturated() {
    return fillRatio() > SATURATED;
  }

  /** {@inheritDoc} Here: −(m/k)·ln(1 − X/m) (Swamidass and Baldi 2007), or slice by slice. */
  @Override
  double cardinality(Words bits) {
    if (scheme() != IndexScheme.PARTITIONED) {
      return Estimates.cardinality(probes.bits(), probes.count(), bits.bitCount());
    }
    long[] setBits = new long[probes.count()];
    Arrays.setAll(setBits, slice -> sliceBitCount(bits, slice));
    return Estimates.partitionedCardinality(sliceBits(), setBits);
  }

  private long sliceBits() {
    return probes.bits() / probes.count();
  }

  private long sliceBitCount(Words bits, int slice) {
    long from = slice * sliceBits();
    return bits.bitCountOfBits(from, from + sliceBits());
  }

  @Override
  public boolean canHalve() {
    long slice = scheme() == IndexScheme.PARTITIONED ? sliceBits() : probes.bits();
    int unit = scheme() == IndexScheme.DOUBLE ? 4 : 2;
    return slice >= 4
        && slice % unit == 0
        && scheme() != IndexScheme.SLICES
        && probes.bits() / 2 >= probes.count();
  }

  /**
   * A filter of half the size with the same keys, bit for bit the one that would have been built
   * with half the bits (Broder and Mitzenmacher 2004, sec. 2.3). Where indexes are products,
   * neighbouring bits are joined; where they are remainders, the halves, or for a partitioned
   * filter the halves of each slice.
   *
   * @return a new filter
   * @throws IllegalStateException if the size (the slice size) is odd or below 4 bits, or for
   *     {@link IndexScheme#DOUBLE} not a multiple of 4, whose steps depend on the parity of the
   *     size; or for {@link IndexScheme#SLICES}, whose skipped fields depend on the size
   */
  @Override
  public BloomFilter halve() {
    if (!canHalve()) {
      boolean partitioned = scheme() == IndexScheme.PARTITIONED;
      throw new IllegalStateException(
          (partitioned ? sliceBits() + " bits a slice" : probes.bits() + " bits")
              + " cannot be halved");
    }
    BloomFilter halved =
        new BloomFilter(
            new BloomShape(probes.bits() / 2, probes.count(), scheme()),
            hasher(),
            Words.forBits(probes.bits() / 2, words.isShared()));
    for (long i = 0; i < words.length(); i++) {
      for (long left = words.get(i); left != 0; left &= left - 1) {
        halved.words.setBit(probes.folded((i << 6) + Long.numberOfTrailingZeros(left)));
      }
    }
    return halved;
  }

  @Override
  public BloomFilter copy() {
    return new BloomFilter(shape(), hasher(), words.copy());
  }

  @Override
  public int hashBits() {
    return shape().hashBits();
  }

  @Override
  public int memoryAccesses() {
    return shape().memoryAccesses();
  }
}
