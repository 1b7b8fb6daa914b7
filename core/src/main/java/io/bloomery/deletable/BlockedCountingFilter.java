package io.bloomery.deletable;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.HashedFilter;
import io.bloomery.Mergeable;
import io.bloomery.RemovableFilter;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.SlicedCounters;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.BlockProbes;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import java.io.IOException;
import java.util.Objects;

/**
 * A blocked Bloom filter whose keys may leave again: the fastest counting filter of this library.
 * It never reports a key absent that is in it, as long as only keys that are in it are removed:
 * saturated counters are never lowered.
 *
 * <p>The bits of the blocked filter lie apart from what their counters are above 1. So a question
 * is that of {@link BlockedBloomFilter}, bit for bit and in the same time, whatever the counters
 * take; a key that is added touches that cache line, and one more for each of its words in which a
 * bit was set before. For the same rate it takes some percent more memory than {@link
 * CountingBloomFilter}. Counters of b bits count to {@code 2^(b - 1)}; see {@link
 * #overflowedCounters}.
 *
 * <p>Removing a key that is certainly absent changes nothing and says so. Removing a key that was
 * never added but is answered "probably present" makes at most {@code k} counters stand for one key
 * too few, and so loses at most {@code k} other keys at a time, all of the same block.
 *
 * <p>Threads: any number may add, remove and ask. Questions never wait; writers wait for each other
 * where they meet in the same stripe of words, and while a copy is taken or the filter is saved. A
 * key whose {@code add} returned is found as long as its removal has not begun; a removal must
 * follow an addition of its own. {@link #clear} needs that no other thread writes.
 *
 * <p>Qiao, Li and Chen, "Fast Bloom Filters and Their Generalization", sec. 5, propose counters for
 * filters of one memory access; {@link OneWordCountingFilter} is that to the letter. This is its
 * idea on the blocked filter of Putze, Sanders and Singler 2007, with counters in slices: one
 * logical operation raises a bit of all counters of a word.
 */
public final class BlockedCountingFilter
    implements RemovableFilter, Mergeable<BlockedCountingFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<BlockedCountingFilter> KIND =
      new FilterKind<>(
          23,
          "blocked-counting",
          "is x in the set, and may it leave again? asks like a blocked filter: the fastest",
          BlockedCountingFilter.class,
          BlockedCountingFilter::encode,
          BlockedCountingFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  BlockedCountingShape.class,
                  (keys, rate) ->
                      BlockedCountingShape.forKeys(
                          keys, rate, BlockedCountingShape.DEFAULT_COUNTER_BITS),
                  (keys, bits) ->
                      BlockedCountingShape.forBudget(
                          keys, bits, BlockedCountingShape.DEFAULT_COUNTER_BITS),
                  order -> builder().shape(order.shape()).hasher(order.hasher()).build()));

  private final Hasher hasher;
  private final BlockedCountingShape shape;
  private final BlockProbes probes;
  private final SlicedCounters counters;

  private BlockedCountingFilter(
      Hasher hasher, BlockedCountingShape shape, SlicedCounters counters) {
    this.hasher = hasher;
    this.shape = shape;
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
   * @param expectedKeys how many different keys will be in it at a time, 1 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static BlockedCountingFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * A filter of a given shape.
   *
   * @param shape blocks, probes, width of counters
   * @return an empty filter
   */
  public static BlockedCountingFilter ofShape(BlockedCountingShape shape) {
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
    SlicedCounters snapshot = counters.flags().isReadOnly() ? counters : counters.copy();
    return blocks()
        .put("counter bits", shape.counterBits())
        .section(snapshot.flags())
        .section(snapshot.planes());
  }

  /** What a frame of this kind and one of the blocked filter begin with. */
  private Frame blocks() {
    BlockShape cells = shape.cells();
    return Frame.of(hasher)
        .put("blocks", cells.blocks())
        .put("block bits", cells.blockBits())
        .put("words per key", cells.wordsPerKey())
        .put("probes", cells.probes());
  }

  private static BlockedCountingFilter decode(Frame frame) throws IOException {
    BlockedCountingShape shape;
    try {
      BlockShape cells =
          new BlockShape(
              frame.number("blocks", 1, Words.MAX_WORDS),
              (int) frame.number("block bits", 64, 512),
              (int) frame.number("words per key", 1, 8),
              (int) frame.number("probes", 1, 128));
      shape = new BlockedCountingShape(cells, (int) frame.number("counter bits", 2, 8));
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    long words = wordsOf(shape);
    SlicedCounters counters =
        SlicedCounters.of(
            frame.section(0, words),
            frame.section(1, words * (shape.counterBits() - 1)),
            shape.counterBits());
    return new BlockedCountingFilter(frame.hasher(), shape, counters);
  }

  private static long wordsOf(BlockedCountingShape shape) {
    return shape.cells().sizeInBits() / Long.SIZE;
  }

  @Override
  public FilterKind<BlockedCountingFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The fixed parameters.
   *
   * @return the shape, with its rate formula
   */
  public BlockedCountingShape shape() {
    return shape;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return probes.allSet(hash, counters.flags());
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hasher.hash(key));
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
    return addHash(hasher.hash(key));
  }

  /**
   * {@inheritDoc}
   *
   * @return {@code false}: the key was certainly absent and nothing changed; {@code true}: it was
   *     there once less than before, or it was a false positive and other keys may be lost
   */
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
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * How many counters are at their highest value. They never fall again and keep keys that have
   * left.
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
    long[] histogram = new long[shape.maxCount() + 1];
    for (long i = 0; i < shape.cells().sizeInBits(); i++) {
      histogram[counters.get(i)]++;
    }
    return histogram;
  }

  /**
   * The blocked Bloom filter of the keys that are in this filter now, which takes a fraction of the
   * memory: bit for bit the one that they would give if they were added to it, unless counters are
   * or were saturated.
   *
   * @return a new filter that shares nothing with this one
   */
  public BlockedBloomFilter toBlockedBloomFilter() {
    try {
      return BlockedBloomFilter.KIND.decode(blocks().section(counters.flags())).copy();
    } catch (IOException e) {
      throw new AssertionError("a frame in memory is whole", e);
    }
  }

  @Override
  public boolean isCompatible(BlockedCountingFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, shape, other.shape);
  }

  /**
   * {@inheritDoc} Every counter is added to the other's; those that exceed the highest stay there.
   */
  @Override
  public void merge(BlockedCountingFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape, other.shape);
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
    return new BlockedCountingFilter(hasher, shape, counters.copy());
  }

  /** Removes every key and forgets which counters were saturated. */
  public void clear() {
    counters.clear();
  }

  /**
   * Whether two filters have equal shapes, hashers and counters.
   *
   * @param other another filter
   * @return true if they answer alike for ever
   */
  public boolean sameCounters(BlockedCountingFilter other) {
    return isCompatible(other) && counters.sameCounters(other.counters);
  }

  @Override
  public String toString() {
    return "BlockedCountingFilter[" + shape + ", " + hasher + "]";
  }

  /** Options of a filter: expected keys and rate with a width of counters, or a shape. */
  public static final class Builder extends SizedBuilder<Builder> {
    private int counterBits = BlockedCountingShape.DEFAULT_COUNTER_BITS;
    private BlockedCountingShape shape;
    private boolean shared = true;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The width of a counter in bits.
     *
     * @param counterBits 2…8; 4 if never called, which counts to 8
     * @return this
     */
    public Builder counterBits(int counterBits) {
      this.counterBits = counterBits;
      return this;
    }

    /**
     * The shape, instead of a rate and a width.
     *
     * @param shape the fixed parameters
     * @return this
     */
    public Builder shape(BlockedCountingShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      return this;
    }

    /**
     * Whether several threads may add and remove at the same time, which is the default. Without it
     * both are faster, and the caller sees to it that one thread writes at a time.
     *
     * @param shared false for one writer at a time
     * @return this
     */
    public Builder shared(boolean shared) {
      this.shared = shared;
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     */
    public BlockedCountingFilter build() {
      if (shape != null && falsePositiveRate != 0) {
        throw new IllegalArgumentException(
            "shape "
                + shape
                + " and falsePositiveRate "
                + falsePositiveRate
                + " exclude each other");
      }
      BlockedCountingShape chosen =
          shape != null
              ? shape
              : BlockedCountingShape.forKeys(expectedKeys, falsePositiveRate, counterBits);
      return new BlockedCountingFilter(
          hasher, chosen, SlicedCounters.allocate(wordsOf(chosen), chosen.counterBits(), shared));
    }
  }
}
