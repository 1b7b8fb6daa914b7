package io.bloomery.deletable;

import io.bloomery.CardinalityFilter;
import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.Mergeable;
import io.bloomery.QueryCost;
import io.bloomery.RemovableFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.SlicedCounters;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.frame.WordAccess;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.BlockProbes;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A blocked Bloom filter with deletes: the fastest counting filter of this library. It never
 * reports a stored key absent, as long as only stored keys are removed: saturated counters are
 * never lowered.
 *
 * <p>The bits of the blocked filter are stored apart from the upper bits of their counters. So a
 * query is exactly that of {@link BlockedBloomFilter} and takes the same time for any counter
 * width; adding a key touches that cache line, and one more for each of its words in which a bit
 * was already set. For the same rate it takes a few percent more memory than {@link
 * CountingBloomFilter}. Counters of b bits count to {@code 2^(b - 1)}; see {@link
 * #overflowedCounters}.
 *
 * <p>Removing a key that is certainly absent changes nothing and returns false. Removing a key that
 * was never added but is reported present leaves at most {@code k} counters one too low, and so
 * loses at most {@code k} other keys at a time, all of the same block.
 *
 * <p>Threads: any number may add, remove and query. Queries never wait; writers wait for each other
 * if they use the same stripe of words, and while a copy is taken or the filter is saved. A key
 * whose {@code add} returned is found as long as its removal has not begun; a key's removal must
 * follow its addition. {@link #clear} requires that no other thread writes.
 *
 * <p>Qiao, Li and Chen, "Fast Bloom Filters and Their Generalization", sec. 5, propose counters for
 * filters of one memory access; {@link OneWordCountingFilter} follows that literally. This class
 * applies the idea to the blocked filter of Putze, Sanders and Singler 2007, with counters in
 * slices: one logical operation updates a bit of all counters of a word.
 */
public final class BlockedCountingFilter extends ShapedFilter<BlockedCountingShape>
    implements RemovableFilter, CardinalityFilter, Mergeable<BlockedCountingFilter>, QueryCost {

  public static final FilterKind<BlockedCountingFilter> KIND =
      Kind.of(23, "blocked-counting", BlockedCountingFilter.class)
          .question("is x in the set, with deletes? one cache line: the fastest")
          .codec(BlockedCountingFilter::encode, BlockedCountingFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("blocked-counting", BlockedCountingShape.class)
                          .meets(Need.DELETES)
                          .onlyFor(Need.DELETES)
                          .forKeys(BlockedCountingShape::forKeys)
                          .forBudget(BlockedCountingShape::forBudget)
                          .reads(shape -> 1)
                          .falseDeletion("loses at most k other keys")
                          .why(
                              "Queries of a blocked Bloom filter, whose bits are stored apart from"
                                  + " their counters")
                          .mergesExactly()
                          .storesDuplicates()
                          .createsFor(BlockedCountingFilter::create)));

  private final BlockProbes probes;
  private final SlicedCounters counters;

  private BlockedCountingFilter(
      BlockedCountingShape shape, Hasher hasher, SlicedCounters counters) {
    super(shape, hasher);
    BlockShape cells = shape.cells();
    this.probes =
        new BlockProbes(
            cells.blocks(),
            cells.blockBits() / Long.SIZE,
            cells.wordsPerKey(),
            cells.bitsPerWord());
    this.counters = counters;
  }

  /**
   * A filter with 4-bit counters for a number of keys and a rate, with blocks as {@link
   * BlockedBloomFilter#create} chooses them.
   *
   * @param expectedKeys how many distinct keys it will hold at a time, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static BlockedCountingFilter create(long expectedKeys, double falsePositiveRate) {
    return create(BlockedCountingShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape blocks, hashes per key, width of counters
   * @return an empty filter
   */
  public static BlockedCountingFilter create(BlockedCountingShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape blocks, hashes per key, width of counters
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static BlockedCountingFilter create(BlockedCountingShape shape, Hasher hasher) {
    return create(shape, hasher, Writers.MANY);
  }

  /**
   * A filter of a given shape and hasher, for one writer or many.
   *
   * @param shape blocks, hashes per key, width of counters
   * @param hasher turns keys into hashes
   * @param writers how many threads may add and remove at the same time
   * @return an empty filter
   */
  public static BlockedCountingFilter create(
      BlockedCountingShape shape, Hasher hasher, Writers writers) {
    Objects.requireNonNull(shape, "shape");
    SlicedCounters counters =
        SlicedCounters.allocate(wordsOf(shape), shape.counterBits(), writers == Writers.MANY);
    return new BlockedCountingFilter(shape, hasher, counters);
  }

  private static long wordsOf(BlockedCountingShape shape) {
    return shape.cells().sizeInBits() / Long.SIZE;
  }

  private Frame encode() {
    SlicedCounters snapshot = counters.flags().isReadOnly() ? counters : counters.copy();
    return Frame.of(hasher()).put(shape()).section(snapshot.flags()).section(snapshot.planes());
  }

  private static BlockedCountingFilter decode(Frame frame) throws IOException {
    BlockedCountingShape shape = frame.shape(BlockedCountingShape.class);
    long words = wordsOf(shape);
    SlicedCounters counters =
        SlicedCounters.of(
            frame.section(0, words),
            frame.section(1, words * (shape.counterBits() - 1)),
            shape.counterBits());
    frame.requireOfWords(counters::isSound, "a counter of 0 has bits in section 1");
    return new BlockedCountingFilter(shape, frame.hasher(), counters);
  }

  @Override
  public FilterKind<BlockedCountingFilter> kind() {
    return KIND;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return probes.allSet(hash, counters.flags());
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hash(key));
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    return probes.allSet(hashes, from, to, hits, counters.flags());
  }

  @Override
  public boolean addHash(long hash) {
    return probes.raiseAll(hash, counters);
  }

  @Override
  public boolean add(long key) {
    return addHash(hash(key));
  }

  /** {@inheritDoc} Here {@code false} means certainly absent. */
  @Override
  public boolean removeHash(long hash) {
    counters.flags().writable();
    if (!mightContainHash(hash)) {
      return false;
    }
    probes.lowerAll(hash, counters);
    return true;
  }

  /** {@inheritDoc} Here: that of {@link #toBlockedBloomFilter}. */
  @Override
  public double falsePositiveRate() {
    return probes.coveredShare(counters.flags());
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
  public double fillRatio() {
    return (double) counters.flags().bitCount() / shape().cells().sizeInBits();
  }

  /** {@inheritDoc} Here: that of {@link #toBlockedBloomFilter}. */
  @Override
  public double cardinality() {
    return toBlockedBloomFilter().cardinality();
  }

  /**
   * How many counters are at their highest value. They are never lowered again, so their keys are
   * still reported present after removal.
   *
   * @return the number of saturated counters
   */
  public long overflowedCounters() {
    return counters.saturated();
  }

  /**
   * How many counters hold each value.
   *
   * @return element {@code i} is the number of counters that hold {@code i}
   */
  public long[] histogram() {
    long[] histogram = new long[shape().maxCount() + 1];
    for (long i = 0; i < shape().cells().sizeInBits(); i++) {
      histogram[counters.get(i)]++;
    }
    return histogram;
  }

  /**
   * The blocked Bloom filter of the keys that are in this filter now, which takes a fraction of the
   * memory: bit for bit the filter that adding these keys would produce, unless counters are or
   * were saturated.
   *
   * @return a new filter that shares nothing with this one
   */
  public BlockedBloomFilter toBlockedBloomFilter() {
    Words flags = counters.flags();
    return WordAccess.over(BlockedBloomFilter.KIND, shape().cells(), hasher(), flags).copy();
  }

  @Override
  public boolean isCompatible(BlockedCountingFilter other) {
    return fits(other);
  }

  /**
   * {@inheritDoc} Every counter is added to the other's; sums above the highest value saturate. The
   * count of a key that both filters hold is the sum of its two counts, and it must be removed that
   * many times.
   */
  @Override
  public void merge(BlockedCountingFilter other) {
    requireFits(other);
    counters.flags().writable();
    if (other != this) {
      counters.addAll(other.counters);
    }
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public BlockedCountingFilter copy() {
    return new BlockedCountingFilter(shape(), hasher(), counters.copy());
  }

  /** Removes every key and resets saturated counters. */
  public void clear() {
    counters.clear();
  }
}
