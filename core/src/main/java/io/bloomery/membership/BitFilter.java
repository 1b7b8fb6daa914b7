package io.bloomery.membership;

import io.bloomery.AddableFilter;
import io.bloomery.Intersectable;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.plan.Shape;

/**
 * The common part of filters in which a key sets the same bits whatever else is in the filter:
 * union, intersection and fill of the words. The final classes decide which bits a key sets and
 * hold all loops over them.
 *
 * @param <S> the kind's shape
 * @param <F> the filter's own type
 */
abstract sealed class BitFilter<S extends Shape, F extends BitFilter<S, F>> extends ShapedFilter<S>
    implements AddableFilter, Intersectable<F>
    permits BloomFilter,
        BlockedBloomFilter,
        SplitBlockBloomFilter,
        BloomGFilter,
        StripedBloomFilter {

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

  /**
   * Whether two filters have equal shapes, hashers and bits.
   *
   * @param other another filter
   * @return true if the two always give the same answers
   */
  public boolean sameBits(F other) {
    return isCompatible(other) && words.sameBits(other.words);
  }
}
