package io.bloomery.membership;

import io.bloomery.AddableFilter;
import io.bloomery.Intersectable;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.Shape;

/**
 * The common part of filters in which a key sets the same bits regardless of other keys: union,
 * intersection and fill of the words. The final classes decide which bits a key sets and contain
 * all loops over them.
 *
 * @param <S> the kind's shape
 * @param <F> the filter's own type
 */
abstract sealed class BitFilter<S extends Shape, F extends BitFilter<S, F>> extends ShapedFilter<S>
    implements AddableFilter, Intersectable<F>, QueryCost
    permits BloomFilter,
        BlockedBloomFilter,
        SplitBlockBloomFilter,
        BloomGFilter,
        StripedBloomFilter {

  /**
   * The load factor above which {@link #isOverfull()} is true: 0.2 keys per bit, the example of
   * Qiao, Li and Chen (sec. 3.5).
   */
  public static final double MAX_LOAD_FACTOR = 0.2;

  /** The bits. */
  final Words words;

  BitFilter(S shape, Hasher hasher, Words words) {
    super(shape, hasher);
    this.words = words;
  }

  @Override
  public double fillRatio() {
    return (double) words.bitCount() / sizeInBits();
  }

  /** The estimated number of keys of a filter of this shape with the given bits. */
  abstract double cardinality(Words bits);

  /**
   * {@inheritDoc} Here: ln(1 − X/m) / ln(1 − h), for the X of m bits that are set and the
   * probability h that a key sets a given bit; of a partitioned filter the mean over its slices.
   */
  @Override
  public double cardinality() {
    return cardinality(words);
  }

  @Override
  public double unionCardinality(F other) {
    requireFits(other);
    Words union = words.copy();
    union.orAll(other.words);
    return cardinality(union);
  }

  /**
   * The load factor: the estimated number of keys per bit. Reads the whole filter.
   *
   * @return {@link #cardinality()} / {@link #sizeInBits()}; infinite if every bit is set
   */
  public double loadFactor() {
    return cardinality() / sizeInBits();
  }

  /**
   * Whether more keys were added than {@link #MAX_LOAD_FACTOR} allows, so that a growing set should
   * get a larger filter. It must be rebuilt from the keys, which cannot be recovered from the bits.
   *
   * @return true above 0.2 keys per bit, as estimated
   */
  public boolean isOverfull() {
    return isOverfull(MAX_LOAD_FACTOR);
  }

  /**
   * Whether more keys were added than a maximum load factor allows.
   *
   * @param maximumLoadFactor keys per bit, above 0
   * @return true if {@link #loadFactor()} is above it
   */
  public boolean isOverfull(double maximumLoadFactor) {
    Arguments.inRange("maximumLoadFactor", maximumLoadFactor, Double.MIN_VALUE, Double.MAX_VALUE);
    return loadFactor() > maximumLoadFactor;
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
   * A copy in heap memory that shares nothing with this filter. Taken while other threads add, it
   * holds every key whose {@code add} returned before the call began; it may hold some of the keys
   * added later.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public abstract F copy();

  /** Removes every key. No other thread may write at the same time. */
  public void clear() {
    words.clear();
  }
}
