package io.bloomery.growing;

import io.bloomery.AddableFilter;
import io.bloomery.FilterFullException;
import io.bloomery.RemovableFilter;
import io.bloomery.hash.Hasher;
import java.util.List;

/**
 * A filter of any kind, for a set of unknown size: it opens another, larger filter of the kind
 * whenever the last one is full. It never reports an added key absent if its filters do not; its
 * rate 1 − ∏(1 − rate of a layer) stays below the given one for any number of keys.
 *
 * <pre>{@code
 * GrowingFilter.create(10_000, 0.01, CuckooFilter::create)
 * GrowingFilter.create(10_000, 0.01, (n, p) -> BlockedBloomFilter.create(BlockShape.forKeys(n, p), keyed))
 * }</pre>
 *
 * <p>Prefer {@link ScalableBloomFilter} if Bloom filter layers suffice: it has one file, lock-free
 * adds and one pass over all layers. Use this class for other layers: fingerprint tables, low
 * rates, or custom filters. {@link Removable} is the same with deletes.
 *
 * <p>A layer is full when it holds its expected number of new keys, or when it refuses one by a
 * {@link io.bloomery.FilterFullException}. With a growth below 1, later layers are stashes for keys
 * that the first one refuses.
 *
 * <p>It has no file of its own: save the {@link #layers}, and {@link #reopen} them.
 *
 * <p>Threads: adds need a lock, which {@link io.bloomery.Filters#locked(AddableFilter)} provides.
 *
 * <p>Almeida, Baquero, Preguiça and Hutchison 2007, "Scalable Bloom Filters", with r = 1/2; as an
 * add-on for other variants Tarkoma, Rothenberg and Lagerspetz 2012, sec. V.
 *
 * @param <F> the layers' class
 */
public final class GrowingFilter<F extends AddableFilter> implements AddableFilter {

  /** Each layer holds twice as many keys as the one before. */
  public static final double DEFAULT_GROWTH = 2;

  private final FilterLayers<F> layers;

  private GrowingFilter(FilterLayers<F> layers) {
    this.layers = layers;
  }

  /**
   * A filter that grows by doubling.
   *
   * @param expectedKeys how many distinct keys the first layer holds, 1 or more
   * @param falsePositiveRate the highest acceptable rate at any number of keys, above 0, below 1
   * @param source makes the layers
   * @param <F> the layers' class
   * @return an empty filter
   */
  public static <F extends AddableFilter> GrowingFilter<F> create(
      long expectedKeys, double falsePositiveRate, Source<F> source) {
    return create(expectedKeys, falsePositiveRate, DEFAULT_GROWTH, source);
  }

  /**
   * A filter that grows as given.
   *
   * @param expectedKeys how many distinct keys the first layer holds, 1 or more
   * @param falsePositiveRate the highest acceptable rate at any number of keys, above 0, below 1
   * @param growth the capacity of each layer relative to the one before, 1/64 … 64; below 1 for
   *     stashes
   * @param source makes the layers
   * @param <F> the layers' class
   * @return an empty filter
   */
  public static <F extends AddableFilter> GrowingFilter<F> create(
      long expectedKeys, double falsePositiveRate, double growth, Source<F> source) {
    return new GrowingFilter<>(
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
  public static <F extends AddableFilter> GrowingFilter<F> reopen(
      long expectedKeys,
      double falsePositiveRate,
      double growth,
      Source<F> source,
      List<? extends F> saved) {
    return new GrowingFilter<>(
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
   * {@inheritDoc} A key that is reported present is not added again, so that repeated keys do not
   * make the filter grow.
   *
   * @throws io.bloomery.FilterFullException if no further layer can be made; nothing has changed
   */
  @Override
  public boolean addHash(long hash) {
    return layers.claimant(hash) == null && layers.addNew(hash);
  }

  /**
   * How many keys were certainly new when they were added.
   *
   * @return fewer than the distinct keys by about the false-positive rate
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
    return "GrowingFilter" + layers.filters();
  }

  /**
   * Creates the layers of a growing filter, such as {@code CountingBloomFilter::create}.
   *
   * @param <F> the filters' class
   */
  @FunctionalInterface
  public interface Source<F extends AddableFilter> {

    /**
     * An empty filter.
     *
     * @param expectedKeys how many distinct keys it is for
     * @param falsePositiveRate the highest acceptable rate at that number of keys
     * @return a new filter; all filters of a source have equal hashers
     * @throws IllegalArgumentException if there is no such filter
     */
    F create(long expectedKeys, double falsePositiveRate);
  }

  /**
   * A filter with deletes of any kind, for a set of unknown size: {@link GrowingFilter} with layers
   * that have deletes. It never reports a stored key absent if its layers do not, as long as only
   * stored keys are removed; its rate 1 − ∏(1 − rate of a layer) stays below the given one.
   *
   * <pre>{@code
   * Removable.create(10_000, 0.001, DLeftCountingFilter::create)
   * }</pre>
   *
   * <p>Removing. A key is removed if exactly one layer reports it present. If several do, the
   * filter cannot tell which one holds it: {@code remove} returns false, the key stays, and {@link
   * #blockedRemovals} counts it. The share of a layer's keys that is blocked equals the rate of the
   * other layers. A key that some layer reports present is added to that layer, so that it is
   * removed as often as it was added. Layers that had keys removed take new ones.
   *
   * <p>{@link DynamicBloomFilter} has one file and counters only; its rate rises with every layer.
   *
   * <p>Threads: needs a lock, which {@link io.bloomery.Filters#locked(RemovableFilter)} provides.
   *
   * <p>Almeida, Baquero, Preguiça and Hutchison 2007, "Scalable Bloom Filters"; removing as in Guo,
   * Wu, Chen, Yuan and Luo 2010, "The Dynamic Bloom Filters".
   *
   * @param <F> the layers' class
   */
  public static final class Removable<F extends RemovableFilter> implements RemovableFilter {

    private final FilterLayers<F> layers;
    private long blockedRemovals;

    private Removable(FilterLayers<F> layers) {
      this.layers = layers;
    }

    /**
     * A filter that grows by doubling.
     *
     * @param expectedKeys how many distinct keys the first layer holds, 1 or more
     * @param falsePositiveRate the highest acceptable rate at any number of keys, above 0, below 1
     * @param source makes the layers
     * @param <F> the layers' class
     * @return an empty filter
     */
    public static <F extends RemovableFilter> Removable<F> create(
        long expectedKeys, double falsePositiveRate, GrowingFilter.Source<F> source) {
      return create(expectedKeys, falsePositiveRate, GrowingFilter.DEFAULT_GROWTH, source);
    }

    /**
     * A filter that grows as given.
     *
     * @param expectedKeys how many distinct keys the first layer holds, 1 or more
     * @param falsePositiveRate the highest acceptable rate at any number of keys, above 0, below 1
     * @param growth the capacity of each layer relative to the one before, 1/64 … 64; below 1 for
     *     stashes
     * @param source makes the layers
     * @param <F> the layers' class
     * @return an empty filter
     */
    public static <F extends RemovableFilter> Removable<F> create(
        long expectedKeys,
        double falsePositiveRate,
        double growth,
        GrowingFilter.Source<F> source) {
      return new Removable<>(
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
    public static <F extends RemovableFilter> Removable<F> reopen(
        long expectedKeys,
        double falsePositiveRate,
        double growth,
        GrowingFilter.Source<F> source,
        List<? extends F> saved) {
      return new Removable<>(
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
     * {@inheritDoc} Also returns {@code false} if several layers report the key present; the key
     * then stays.
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
     * The number of removals that were refused because several layers reported the key present.
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
      return "GrowingFilter.Removable" + layers.filters();
    }
  }
}
