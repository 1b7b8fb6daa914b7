package io.bloomery.weighted;

import io.bloomery.AddableFilter;
import io.bloomery.HashedFilter;
import io.bloomery.Intersectable;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.probe.Powers;
import io.bloomery.internal.probe.Probes;
import io.bloomery.theory.Estimates;
import io.bloomery.theory.HashBits;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter in which the class of a key decides how many hashes it has.
 *
 * <p>Design. Every key has at least the hashes of the class with the fewest. A query tests those
 * first, with the loop of the plain filter; only keys that pass, which are all members and a few
 * others, are looked up in the table. So for most absent keys a query costs the same as in a plain
 * filter. Positions that are products are independent of each other, so for a key of another class
 * only the further positions are then tested.
 *
 * @param <S> the kind's shape
 * @param <F> the filter's own type
 */
abstract sealed class ClassedFilter<S extends ClassShape, F extends ClassedFilter<S, F>>
    extends ShapedFilter<S> implements AddableFilter, Intersectable<F>, QueryCost
    permits WeightedBloomFilter, PopularityBloomFilter {

  /** The classes of all keys. */
  final KeyClasses classes;

  /** The bits. */
  final Words words;

  private final Probes fewest;
  private final @Nullable Powers powers; // for the fewest hashes; null with another scheme

  /** The probes of unlisted keys, then those of each class. */
  private final Probes[] probes;

  /** Whether all keys have the same number of hashes. */
  private final boolean plain;

  ClassedFilter(S shape, Hasher hasher, KeyClasses classes, Words words) {
    super(shape, hasher);
    this.classes = classes;
    this.words = words;
    this.probes = new Probes[shape.classes().size() + 1];
    probes[0] = new Probes(shape.scheme(), shape.bits(), shape.hashesPerKey());
    Probes least = probes[0];
    for (int i = 1; i < probes.length; i++) {
      int hashes = shape.classes().get(i - 1).hashesPerKey();
      probes[i] =
          hashes == least.count() ? least : new Probes(shape.scheme(), shape.bits(), hashes);
      least = hashes < least.count() ? probes[i] : least;
    }
    this.fewest = least;
    this.powers = least.powers();
    this.plain = classes.isEmpty();
  }

  /** The most that a query of nearly every key reads: its bits and three cells. */
  static int usualReads(ClassShape shape) {
    return shape.hashesPerKey() + (shape.cellBits() == 0 ? 0 : shape.cellsPerKey());
  }

  private Probes probesOf(long hash) {
    return probes[plain ? 0 : classes.of(hash) + 1];
  }

  @Override
  public boolean mightContainHash(long hash) {
    return powers != null
        ? powers.allSetFrom(0, hash, words) && (plain || hasFurther(hash))
        : fewest.allSet(hash, words) && (plain || hasOthers(hash));
  }

  /** Whether the positions of a key beyond the fewest are set. */
  @SuppressWarnings("NullAway") // positions are products in all classes
  private boolean hasFurther(long hash) {
    Probes own = probes[classes.of(hash) + 1];
    return own == fewest || own.powers().allSetFrom(fewest.count(), hash, words);
  }

  /** Whether the positions of a key are set if it has more than the fewest. */
  private boolean hasOthers(long hash) {
    Probes own = probes[classes.of(hash) + 1];
    return own == fewest || own.allSet(hash, words);
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hash(key));
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    int count = fewest.allSet(hashes, from, to, hits, words);
    if (plain || count == 0) {
      return count;
    }
    for (int i = 0; i < (to - from + Long.SIZE - 1) / Long.SIZE; i++) {
      for (long left = hits[i]; left != 0; left &= left - 1) {
        int bit = Long.numberOfTrailingZeros(left);
        long hash = hashes[from + i * Long.SIZE + bit];
        if (!(powers != null ? hasFurther(hash) : hasOthers(hash))) {
          hits[i] &= ~(1L << bit);
          count--;
        }
      }
    }
    return count;
  }

  @Override
  public boolean addHash(long hash) {
    return probesOf(hash).setAll(hash, words);
  }

  @Override
  public boolean add(long key) {
    return addHash(hash(key));
  }

  /**
   * How many hashes a key has.
   *
   * @param hash the key's hash
   * @return the number of hashes of its class, or of the class it is mistaken for
   */
  public int hashesOf(long hash) {
    return probesOf(hash).count();
  }

  /** {@inheritDoc} Here: log2 m for each hash of the class with the most, and the cells. */
  @Override
  public int hashBits() {
    int cells = cellsPerKey() == 0 ? 0 : HashBits.choice(shape().cells());
    return mostHashes() * HashBits.choice(shape().bits()) + cellsPerKey() * cells;
  }

  /** {@inheritDoc} Here: the hashes of the class with the most, and the cells. */
  @Override
  public int memoryAccesses() {
    return mostHashes() + cellsPerKey();
  }

  private int mostHashes() {
    return Arrays.stream(probes).mapToInt(Probes::count).max().orElseThrow();
  }

  private int cellsPerKey() {
    return plain ? 0 : shape().cellsPerKey();
  }

  /**
   * {@inheritDoc} Here: the rate of a query, with classes queried as often as the weights say. Keys
   * without a weight have a higher rate.
   */
  @Override
  public double falsePositiveRate() {
    double fill = fillRatio();
    double rate = shape().rateAt(fill);
    return fill == 0 ? 0 : Math.min(1, rate + (1 - rate) * samePairRate());
  }

  /** As in the plain filter: keys with the same start and step as one in the filter. */
  private double samePairRate() {
    return shape().scheme() == IndexScheme.ENHANCED_DOUBLE
        ? Math.min(1, cardinality() / shape().bits() / shape().bits())
        : 0;
  }

  @Override
  public double fillRatio() {
    return (double) words.bitCount() / shape().bits();
  }

  /** {@inheritDoc} Assumes that members are distributed over the classes as the weights say. */
  @Override
  public double cardinality() {
    return cardinality(words);
  }

  private double cardinality(Words bits) {
    double mean = shape().hashesPerMember();
    return Estimates.cardinality(shape().bits(), 1, bits.bitCount()) / mean;
  }

  @Override
  public double unionCardinality(F other) {
    requireFits(other);
    Words union = words.copy();
    union.orAll(other.words);
    return cardinality(union);
  }

  /** What must be equal for two filters to be combined. */
  private record Layout(ClassShape shape, KeyClasses listedKeys) {}

  @Override
  protected Object layout() {
    return new Layout(shape(), classes);
  }

  @Override
  public boolean isCompatible(F other) {
    return fits(other);
  }

  /** {@inheritDoc} The result is bit for bit the filter of the union of both key sets. */
  @Override
  public void merge(F other) {
    requireFits(other);
    words.orAll(other.words);
  }

  @Override
  public void intersect(F other) {
    requireFits(other);
    words.andAll(other.words);
  }

  /**
   * A copy in heap memory that shares no bits with this filter, only the table, which never
   * changes. Taken while other threads add, it holds every key whose {@code add} returned before
   * the call began; it may hold some of the keys added later.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public abstract F copy();

  /** Removes every key. No other thread may write at the same time. */
  public void clear() {
    words.clear();
  }
}
