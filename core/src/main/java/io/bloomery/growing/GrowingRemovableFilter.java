package io.bloomery.growing;

import io.bloomery.FilterFullException;
import io.bloomery.RemovableFilter;
import io.bloomery.hash.Hasher;
import java.util.List;

/**
 * A filter with deletes of any kind, for a set of unknown size: {@link GrowingFilter} with layers
 * that have deletes. It never reports a stored key absent if its layers do not, as long as only
 * stored keys are removed; its rate 1 − ∏(1 − rate of a layer) stays below the given one.
 *
 * <pre>{@code
 * GrowingRemovableFilter.create(10_000, 0.001, DLeftCountingFilter::create)
 * }</pre>
 *
 * <p>Removing. A key is removed if exactly one layer reports it present. If several do, the filter
 * cannot tell which one holds it: {@code remove} returns false, the key stays, and {@link
 * #blockedRemovals} counts it. Of the keys of one layer, the share of the other layers' rates is
 * blocked. A key that some layer reports present is added to that layer, so that it is removed as
 * often as it was added. Layers that had keys removed take new ones.
 *
 * <p>{@link DynamicBloomFilter} has one file and counters only; its rate rises with every layer.
 *
 * <p>Threads: needs a lock, which {@link io.bloomery.Filters#locked(RemovableFilter)} gives.
 *
 * <p>Almeida, Baquero, Preguiça and Hutchison 2007, "Scalable Bloom Filters"; removing as in Guo,
 * Wu, Chen, Yuan and Luo 2010, "The Dynamic Bloom Filters".
 *
 * @param <F> the layers' class
 */
public final class GrowingRemovableFilter<F extends RemovableFilter> implements RemovableFilter {

  private final FilterLayers<F> layers;
  private long blockedRemovals;

  private GrowingRemovableFilter(FilterLayers<F> layers) {
    this.layers = layers;
  }

  /**
   * A filter that grows by doubling.
   *
   * @param expectedKeys how many distinct keys the first layer is for, 1 or more
   * @param falsePositiveRate the highest acceptable rate at any number of keys, above 0, below 1
   * @param source makes the layers
   * @param <F> the layers' class
   * @return an empty filter
   */
  public static <F extends RemovableFilter> GrowingRemovableFilter<F> create(
      long expectedKeys, double falsePositiveRate, FilterSource<F> source) {
    return create(expectedKeys, falsePositiveRate, GrowingFilter.DEFAULT_GROWTH, source);
  }

  /**
   * A filter that grows as given.
   *
   * @param expectedKeys how many distinct keys the first layer is for, 1 or more
   * @param falsePositiveRate the highest acceptable rate at any number of keys, above 0, below 1
   * @param growth how many times the keys of a layer the next one is for, 1/64 … 64; below 1 for
   *     stashes
   * @param source makes the layers
   * @param <F> the layers' class
   * @return an empty filter
   */
  public static <F extends RemovableFilter> GrowingRemovableFilter<F> create(
      long expectedKeys, double falsePositiveRate, double growth, FilterSource<F> source) {
    return new GrowingRemovableFilter<>(
        new FilterLayers<>(expectedKeys, falsePositiveRate, growth, source).empty());
  }

  /**
   * A filter of saved layers.
   *
   * @param expectedKeys as it was created with
   * @param falsePositiveRate as it was created with
   * @param growth as it was created with
   * @param source makes further layers
   * @param saved the {@link #layers} of the filter, in their order; those that cannot estimate
   *     their number of keys count as full
   * @param <F> the layers' class
   * @return a filter of these layers, which are not copied
   */
  public static <F extends RemovableFilter> GrowingRemovableFilter<F> reopen(
      long expectedKeys,
      double falsePositiveRate,
      double growth,
      FilterSource<F> source,
      List<? extends F> saved) {
    return new GrowingRemovableFilter<>(
        new FilterLayers<>(expectedKeys, falsePositiveRate, growth, source).with(saved));
  }

  /**
   * The filters that it consists of, oldest first.
   *
   * @return an unmodifiable list of one or more filters, not copies
   */
  public List<F> layers() {
    return layers.filters();
  }

  @Override
  public Hasher hasher() {
    return layers.hasher();
  }

  @Override
  public boolean mightContainHash(long hash) {
    return layers.claimant(hash) != null;
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    return layers.mightContainHashes(hashes, from, to, hits);
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterFullException if no further layer can be made; nothing has changed
   */
  @Override
  public boolean addHash(long hash) {
    FilterLayers.Layer<F> claimant = layers.claimant(hash);
    if (claimant == null) {
      return layers.addNew(hash);
    }
    try {
      claimant.filter.addHash(hash);
    } catch (FilterFullException e) {
      layers.addNew(hash);
    }
    return false;
  }

  /**
   * {@inheritDoc} Here {@code false} also if several layers report the key present, which then
   * stays.
   */
  @Override
  public boolean removeHash(long hash) {
    FilterLayers.Layer<F> claimant = layers.claimant(hash);
    if (claimant == null) {
      return false;
    }
    if (layers.claims(hash) > 1) {
      blockedRemovals++;
      return false;
    }
    boolean removed = claimant.filter.removeHash(hash);
    if (!claimant.filter.mightContainHash(hash)) {
      claimant.freed();
    }
    return removed;
  }

  /**
   * How many removals several layers have blocked.
   *
   * @return 0 or more; not kept by {@link #reopen}
   */
  public long blockedRemovals() {
    return blockedRemovals;
  }

  /**
   * How many keys it holds.
   *
   * @return about the number of distinct keys, fewer by about the false-positive rate
   */
  public long keyCount() {
    return layers.keys();
  }

  /** {@inheritDoc} Here: 1 − ∏(1 − rate) over all layers. */
  @Override
  public double falsePositiveRate() {
    return layers.rate();
  }

  @Override
  public long sizeInBits() {
    return layers.sizeInBits();
  }

  @Override
  public String toString() {
    return "GrowingRemovableFilter" + layers.filters();
  }
}
