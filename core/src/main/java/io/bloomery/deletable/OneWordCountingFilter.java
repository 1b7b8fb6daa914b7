package io.bloomery.deletable;

import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.QueryCost;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.GroupProbes;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import io.bloomery.theory.Estimates;
import io.bloomery.theory.HashBits;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A counting filter that keeps all counters of a key in one group of at most a cache line, so that
 * every operation costs one memory access. It never reports a stored key absent, as long as only
 * stored keys are removed: saturated counters are never lowered. For the same rate it takes a few
 * percent more memory than {@link CountingBloomFilter} with groups of 512 bits, and much more with
 * narrow ones, whose few counters also saturate early; see {@link #overflowedCounters}.
 *
 * <p>Removing a key that is certainly absent changes nothing and returns false. Removing a key that
 * was never added but is reported present leaves at most {@code k} counters one too low, and so
 * loses at most {@code k} other keys at a time, all of the same group.
 *
 * <p>Threads: lock-free, with the guarantees of {@link CountingBloomFilter}: counters change by
 * atomic replacements, and a key whose {@code add} returned is found as long as its removal has not
 * begun; a key's removal must follow its addition. {@link #clear} requires that no other thread
 * writes.
 *
 * <p>Qiao, Li and Chen, "Fast Bloom Filters and Their Generalization", sec. 5 (proposed there
 * without details). Deviation: the exact rate instead of the one for independent counters ({@link
 * OneWordCountingShape}), and groups of several machine words. Groups of 32 and 72 bits, which the
 * paper uses for other hardware, are slower to query.
 */
public final class OneWordCountingFilter
    extends CounterFilter<OneWordCountingShape, OneWordCountingFilter> implements QueryCost {

  /** The number of keys per counter above which {@link #isOverfull()} is true. */
  public static final double MAX_LOAD_FACTOR = 0.2;

  public static final FilterKind<OneWordCountingFilter> KIND =
      Kind.of(15, "one-word-counting", OneWordCountingFilter.class)
          .question("is x in the set, with deletes? k counters in one cache line")
          .codec(OneWordCountingFilter::encode, OneWordCountingFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("one-word-counting", OneWordCountingShape.class)
                          .meets(Need.DELETES)
                          .onlyFor(Need.DELETES)
                          .forKeys(OneWordCountingShape::forKeys)
                          .forBudget(OneWordCountingShape::forBudget)
                          .reads(shape -> 1)
                          .works(shape -> 1.6 * shape.hashesPerKey())
                          .absent(shape -> 1, shape -> 0.6 * shape.hashesPerKey())
                          .falseDeletion("loses at most k other keys")
                          .why("Counters of 4 bits, all of a key in one cache line")
                          .mergesExactly()
                          .storesDuplicates()
                          .createsFor(OneWordCountingFilter::create)));

  private final GroupProbes probes;

  private OneWordCountingFilter(OneWordCountingShape shape, Hasher hasher, Counters counters) {
    super(shape, hasher, counters);
    this.probes =
        new GroupProbes(
            shape.groups(), shape.groupBits(), shape.counterBits(), shape.hashesPerKey());
  }

  /**
   * The smallest filter of 512-bit groups with 4-bit counters for a number of keys and a rate.
   *
   * @param expectedKeys how many distinct keys it will hold at a time, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static OneWordCountingFilter create(long expectedKeys, double falsePositiveRate) {
    return create(OneWordCountingShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape number and width of groups, width of counters, hashes per key
   * @return an empty filter
   */
  public static OneWordCountingFilter create(OneWordCountingShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape number and width of groups, width of counters, hashes per key
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static OneWordCountingFilter create(OneWordCountingShape shape, Hasher hasher) {
    return create(shape, hasher, Writers.MANY);
  }

  /**
   * A filter of a given shape and hasher, for one writer or many.
   *
   * @param shape number and width of groups, width of counters, hashes per key
   * @param hasher turns keys into hashes
   * @param writers how many threads may add and remove at the same time
   * @return an empty filter
   */
  public static OneWordCountingFilter create(
      OneWordCountingShape shape, Hasher hasher, Writers writers) {
    Objects.requireNonNull(shape, "shape");
    Counters counters =
        Counters.allocate(shape.counters(), shape.counterBits(), true, writers == Writers.MANY);
    return new OneWordCountingFilter(shape, hasher, counters);
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(counters.words());
  }

  private static OneWordCountingFilter decode(Frame frame) throws IOException {
    OneWordCountingShape shape = frame.shape(OneWordCountingShape.class);
    Counters counters = frame.counters(0, shape.counters(), shape.counterBits(), true);
    return new OneWordCountingFilter(shape, frame.hasher(), counters);
  }

  @Override
  public FilterKind<OneWordCountingFilter> kind() {
    return KIND;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return probes.allPositive(hash, counters);
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hash(key));
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    return probes.allPositive(hashes, from, to, hits, counters);
  }

  @Override
  public boolean addHash(long hash) {
    counters.words().writable();
    return probes.increment(hash, counters);
  }

  @Override
  public boolean add(long key) {
    return addHash(hash(key));
  }

  /** {@inheritDoc} Here {@code false} means certainly absent. */
  @Override
  public boolean removeHash(long hash) {
    counters.words().writable();
    if (!mightContainHash(hash)) {
      return false;
    }
    probes.decrement(hash, counters);
    return true;
  }

  /** {@inheritDoc} Here: the mean over the groups of the k-th power of their fill. */
  @Override
  public double falsePositiveRate() {
    return probes.coveredShare(counters);
  }

  /**
   * {@inheritDoc} Here: from the share of counters above 0, where a key raises a counter if it
   * selects the counter's group and one of its k draws selects the counter.
   */
  @Override
  public double cardinality() {
    double inGroup =
        -Math.expm1(shape().hashesPerKey() * Math.log1p(-1.0 / shape().countersPerGroup()));
    return Estimates.cardinalityByHitRate(
        counters.count(), inGroup / shape().groups(), counters.nonZero());
  }

  /** {@inheritDoc} Here: log2 of the groups, and k·log2 of the counters of a group. */
  @Override
  public int hashBits() {
    return HashBits.bloomG(shape().groups(), shape().countersPerGroup(), 1, shape().hashesPerKey());
  }

  /** {@inheritDoc} Here: 1, a group. */
  @Override
  public int memoryAccesses() {
    return 1;
  }

  /**
   * The load factor: the estimated number of keys per counter. Reads the whole filter.
   *
   * @return {@link #cardinality()} / counters; infinite if every counter is above 0
   */
  public double loadFactor() {
    return cardinality() / counters.count();
  }

  /**
   * Whether it holds more keys than {@link #MAX_LOAD_FACTOR} allows, so that a growing set should
   * get a larger filter, rebuilt from its keys by {@link #rebuild}.
   *
   * @return true above 0.2 keys per counter, as estimated
   */
  public boolean isOverfull() {
    return loadFactor() > MAX_LOAD_FACTOR;
  }

  /**
   * A larger filter of the given keys: its number of groups is this filter's, doubled until the
   * keys are at most half of {@link #MAX_LOAD_FACTOR}. Widths, hashes per key and hasher are those
   * of this filter, which does not change.
   *
   * @param hashes the hashes of all keys to hold, computed by {@link #hasher()}
   * @return a new filter
   */
  public OneWordCountingFilter rebuild(long[] hashes) {
    Objects.requireNonNull(hashes, "hashes");
    Writers writers =
        counters.words().isShared() || counters.words().isReadOnly() ? Writers.MANY : Writers.ONE;
    OneWordCountingFilter filter =
        create(shape().doubledFor(hashes.length, MAX_LOAD_FACTOR / 2), hasher(), writers);
    filter.addHashes(hashes, 0, hashes.length);
    return filter;
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public OneWordCountingFilter copy() {
    return new OneWordCountingFilter(shape(), hasher(), counters.copy());
  }
}
