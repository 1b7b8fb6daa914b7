package io.bloomery.deletable;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.HashedFilter;
import io.bloomery.Mergeable;
import io.bloomery.RemovableFilter;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.GroupProbes;
import java.io.IOException;
import java.util.Objects;

/**
 * A counting filter that keeps all counters of a key in one group of at most a cache line, so that
 * every operation costs one memory access. It never reports a key absent that is in it, as long as
 * only keys that are in it are removed: saturated counters are never lowered. For the same rate it
 * takes some percent more memory than {@link CountingBloomFilter} with groups of 512 bits, and much
 * more with narrow ones, whose few counters also saturate soon: see {@link #overflowedCounters}.
 *
 * <p>Removing a key that is certainly absent changes nothing and says so. Removing a key that was
 * never added but is answered "probably present" makes at most {@code k} counters stand for one key
 * too few, and so loses at most {@code k} other keys at a time, all of the same group.
 *
 * <p>Threads: lock-free, with the promises of {@link CountingBloomFilter}: counters change by
 * atomic replacements, and a key whose {@code add} returned is found as long as its removal has not
 * begun; a removal must follow an addition of its own. {@link #clear} needs that no other thread
 * writes.
 *
 * <p>Qiao, Li and Chen, "Fast Bloom Filters and Their Generalization", sec. 5 (proposed there, not
 * worked out). Deviation: the exact rate instead of the one for independent counters ({@link
 * OneWordCountingShape}), and groups of several machine words.
 */
public final class OneWordCountingFilter
    implements RemovableFilter, Mergeable<OneWordCountingFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<OneWordCountingFilter> KIND =
      new FilterKind<>(
          15,
          "one-word-counting",
          "is x in the set, and may it leave again? k counters in one cache line",
          OneWordCountingFilter.class,
          OneWordCountingFilter::encode,
          OneWordCountingFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  OneWordCountingShape.class,
                  (keys, rate) ->
                      OneWordCountingShape.forKeys(
                          keys,
                          rate,
                          OneWordCountingShape.DEFAULT_GROUP_BITS,
                          OneWordCountingShape.DEFAULT_COUNTER_BITS),
                  (keys, bits) ->
                      OneWordCountingShape.forBudget(
                          keys,
                          bits,
                          OneWordCountingShape.DEFAULT_GROUP_BITS,
                          OneWordCountingShape.DEFAULT_COUNTER_BITS),
                  order -> builder().shape(order.shape()).hasher(order.hasher()).build()));

  private final Hasher hasher;
  private final OneWordCountingShape shape;
  private final GroupProbes probes;
  private final Counters counters;

  private OneWordCountingFilter(Hasher hasher, OneWordCountingShape shape, Counters counters) {
    this.hasher = hasher;
    this.shape = shape;
    this.probes =
        new GroupProbes(shape.groups(), shape.groupBits(), shape.counterBits(), shape.probes());
    this.counters = counters;
  }

  /**
   * The smallest filter of 512-bit groups with 4-bit counters for a number of keys and a rate.
   *
   * @param expectedKeys how many different keys will be in it at a time, 1 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static OneWordCountingFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * A filter of a given shape.
   *
   * @param shape number and width of groups, width of counters, probes
   * @return an empty filter
   */
  public static OneWordCountingFilter ofShape(OneWordCountingShape shape) {
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
    return Frame.of(hasher)
        .put("groups", shape.groups())
        .put("group bits", shape.groupBits())
        .put("counter bits", shape.counterBits())
        .put("probes", shape.probes())
        .section(counters.words());
  }

  private static OneWordCountingFilter decode(Frame frame) throws IOException {
    long groups = frame.number("groups", 1, OneWordCountingShape.MAX_BITS / Long.SIZE);
    int groupBits = (int) frame.number("group bits", 64, 512);
    int counterBits = (int) frame.number("counter bits", 2, 16);
    int count = (int) frame.number("probes", 1, OneWordCountingShape.MAX_PROBES);
    OneWordCountingShape shape;
    try {
      shape = new OneWordCountingShape(groups, groupBits, counterBits, count);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new OneWordCountingFilter(
        frame.hasher(), shape, frame.counters(0, countersOf(shape), counterBits, true));
  }

  private static long countersOf(OneWordCountingShape shape) {
    return shape.groups() * shape.countersPerGroup();
  }

  @Override
  public FilterKind<OneWordCountingFilter> kind() {
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
  public OneWordCountingShape shape() {
    return shape;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return probes.allPositive(hash, counters);
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hasher.hash(key));
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
    return counters.histogram(shape.maxCount());
  }

  @Override
  public boolean isCompatible(OneWordCountingFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, shape, other.shape);
  }

  /**
   * {@inheritDoc} Every counter is added to the other's; those that exceed the highest stay there.
   */
  @Override
  public void merge(OneWordCountingFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape, other.shape);
    counters.words().writable();
    if (other != this) {
      counters.addAll(other.counters);
    }
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public OneWordCountingFilter copy() {
    return new OneWordCountingFilter(hasher, shape, counters.copy());
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
  public boolean sameCounters(OneWordCountingFilter other) {
    return isCompatible(other) && counters.words().sameBits(other.counters.words());
  }

  @Override
  public String toString() {
    return "OneWordCountingFilter[" + shape + ", " + hasher + "]";
  }

  /** Options of a filter: expected keys and rate, with the widths, or a shape. */
  public static final class Builder extends SizedBuilder<Builder> {
    private int groupBits = OneWordCountingShape.DEFAULT_GROUP_BITS;
    private int counterBits = OneWordCountingShape.DEFAULT_COUNTER_BITS;
    private OneWordCountingShape shape;
    private boolean shared = true;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The width of a group in bits.
     *
     * @param groupBits 64, 128, 256 or 512; 512 if never called
     * @return this
     */
    public Builder groupBits(int groupBits) {
      this.groupBits = groupBits;
      return this;
    }

    /**
     * The width of a counter in bits.
     *
     * @param counterBits 2, 4, 8 or 16, at most an eighth of a group; 4 if never called
     * @return this
     */
    public Builder counterBits(int counterBits) {
      this.counterBits = counterBits;
      return this;
    }

    /**
     * The shape, instead of a rate and widths.
     *
     * @param shape the fixed parameters
     * @return this
     */
    public Builder shape(OneWordCountingShape shape) {
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
    public OneWordCountingFilter build() {
      if (shape != null && falsePositiveRate != 0) {
        throw new IllegalArgumentException(
            "shape "
                + shape
                + " and falsePositiveRate "
                + falsePositiveRate
                + " exclude each other");
      }
      OneWordCountingShape chosen =
          shape != null
              ? shape
              : OneWordCountingShape.forKeys(
                  expectedKeys, falsePositiveRate, groupBits, counterBits);
      return new OneWordCountingFilter(
          hasher,
          chosen,
          Counters.allocate(countersOf(chosen), chosen.counterBits(), true, shared));
    }
  }
}
