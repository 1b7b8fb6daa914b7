package io.bloomery.deletable;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.Mergeable;
import io.bloomery.RemovableFilter;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import java.io.IOException;
import java.util.Objects;

/**
 * A counting filter in which a key adds a number of its own, L … 2L - 1, to each of its counters: a
 * counter then shows of most other keys that they cannot be part of it, so that false positives are
 * much rarer than in a {@link CountingBloomFilter} of the same memory. It never reports a key
 * absent that is in it, as long as only keys that are in it are removed: a saturated counter stays
 * as it is and passes every key.
 *
 * <p>A counter c passes a key that adds v if {@code c = v} or {@code c - v ≥ L}, since sums of such
 * numbers are 0 or L and more. Removing a key that is certainly absent changes nothing and says so.
 * Removing a key that was never added but is answered "probably present" leaves counters that fit
 * none or not all of their keys: of a counter with one, two or three keys all may be lost, of one
 * with more none at once; so at most {@code 3k} other keys are lost at once. Adding a key again
 * changes counters, and can turn other keys into false positives.
 *
 * <p>Threads: lock-free. Each counter changes by the whole increment in one atomic replacement, so
 * at every moment it is the sum of the increments of keys that are in it, coming or leaving. A key
 * whose {@code add} returned, and whose removal has not begun, is found by every query of a thread
 * that can see that return. A removal must follow an addition of its own, as in {@link
 * CountingBloomFilter}. {@link #clear} needs that no other thread writes.
 *
 * <p>Rottenstreich, Kanizo and Keslassy 2012, "The Variable-Increment Counting Bloom Filter", the
 * scheme with D_L. Deviation: L is a power of two, positions are always independent draws, and the
 * rate is the one of {@link VariableIncrementShape}.
 */
public final class VariableIncrementCountingFilter
    implements RemovableFilter, Mergeable<VariableIncrementCountingFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<VariableIncrementCountingFilter> KIND =
      new FilterKind<>(
          16,
          "variable-increment",
          "is x in the set, and may it leave again? counters of sums, fewer false positives",
          VariableIncrementCountingFilter.class,
          VariableIncrementCountingFilter::encode,
          VariableIncrementCountingFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  VariableIncrementShape.class,
                  (keys, rate) ->
                      VariableIncrementShape.forKeys(
                          keys,
                          rate,
                          VariableIncrementShape.DEFAULT_COUNTER_BITS,
                          VariableIncrementShape.DEFAULT_BASE),
                  (keys, bits) ->
                      VariableIncrementShape.forBudget(
                          keys,
                          bits,
                          VariableIncrementShape.DEFAULT_COUNTER_BITS,
                          VariableIncrementShape.DEFAULT_BASE),
                  order -> builder().shape(order.shape()).hasher(order.hasher()).build()));

  /** Increments come from outputs of the mixing stream that no position uses. */
  private static final int FIRST_OUTPUT = 256;

  private final Hasher hasher;
  private final VariableIncrementShape shape;
  private final Modulus modulus;
  private final int stepBits;
  private final int fields;
  private final Counters counters;

  private VariableIncrementCountingFilter(
      Hasher hasher, VariableIncrementShape shape, Counters counters) {
    this.hasher = hasher;
    this.shape = shape;
    this.modulus = new Modulus(shape.counters());
    this.stepBits = Integer.numberOfTrailingZeros(shape.base());
    this.fields = Long.SIZE / stepBits;
    this.counters = counters;
  }

  /**
   * The smallest filter of 6-bit counters and L = 4 for a number of keys and a rate.
   *
   * @param expectedKeys how many different keys will be in it at a time, 1 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static VariableIncrementCountingFilter create(
      long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * A filter of a given shape.
   *
   * @param shape number and width of counters, probes, smallest increment
   * @return an empty filter
   */
  public static VariableIncrementCountingFilter ofShape(VariableIncrementShape shape) {
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
        .put("counters", shape.counters())
        .put("counter bits", shape.counterBits())
        .put("probes", shape.probes())
        .put("base", shape.base())
        .section(counters.words());
  }

  private static VariableIncrementCountingFilter decode(Frame frame) throws IOException {
    long count = frame.number("counters", 2, VariableIncrementShape.MAX_BITS);
    int counterBits = (int) frame.number("counter bits", 4, 16);
    int probes = (int) frame.number("probes", 1, VariableIncrementShape.MAX_PROBES);
    int base = (int) frame.number("base", 2, 1 << 14);
    VariableIncrementShape shape;
    try {
      shape = new VariableIncrementShape(count, counterBits, probes, base);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new VariableIncrementCountingFilter(
        frame.hasher(), shape, frame.counters(0, count, counterBits, true));
  }

  @Override
  public FilterKind<VariableIncrementCountingFilter> kind() {
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
  public VariableIncrementShape shape() {
    return shape;
  }

  /** What a hash adds to its counter {@code i}. */
  private long increment(long hash, int i) {
    long output = Mix.stream(hash, FIRST_OUTPUT + i / fields);
    return shape.base() + (output >>> (i % fields * stepBits) & (shape.base() - 1));
  }

  @Override
  public boolean mightContainHash(long hash) {
    for (int i = 0; i < shape.probes(); i++) {
      if (!passes(counters.get(Draws.index(hash, i, modulus)), increment(hash, i))) {
        return false;
      }
    }
    return true;
  }

  private boolean passes(long value, long increment) {
    return value == increment || value - increment >= shape.base() || value == counters.max();
  }

  @Override
  public boolean addHash(long hash) {
    counters.words().writable();
    boolean isNew = !mightContainHash(hash);
    for (int i = 0; i < shape.probes(); i++) {
      counters.add(Draws.index(hash, i, modulus), increment(hash, i));
    }
    return isNew;
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
    for (int i = 0; i < shape.probes(); i++) {
      counters.subtract(Draws.index(hash, i, modulus), increment(hash, i));
    }
    return true;
  }

  /** {@inheritDoc} Here: the k-th power of the mean share of increments that counters pass. */
  @Override
  public double falsePositiveRate() {
    int base = shape.base();
    double sum = 0;
    for (long i = 0; i < counters.count(); i++) {
      long value = counters.get(i);
      // Increments up to value - L, and value itself if it is one.
      long passed = Math.max(0, Math.min(base, value - 2L * base + 1));
      passed += value >= base && value < 2L * base ? 1 : 0;
      sum += value == counters.max() ? base : passed;
    }
    return Math.pow(sum / base / counters.count(), shape.probes());
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * How many counters are at their highest value. They never fall again, and pass every key.
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
    return counters.histogram(shape.maxValue());
  }

  @Override
  public boolean isCompatible(VariableIncrementCountingFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, shape, other.shape);
  }

  /**
   * {@inheritDoc} Every counter is added to the other's; those that exceed the highest stay there.
   */
  @Override
  public void merge(VariableIncrementCountingFilter other) {
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
  public VariableIncrementCountingFilter copy() {
    return new VariableIncrementCountingFilter(hasher, shape, counters.copy());
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
  public boolean sameCounters(VariableIncrementCountingFilter other) {
    return isCompatible(other) && counters.words().sameBits(other.counters.words());
  }

  @Override
  public String toString() {
    return "VariableIncrementCountingFilter[" + shape + ", " + hasher + "]";
  }

  /** Options of a filter: expected keys and rate, with width and base, or a shape. */
  public static final class Builder extends SizedBuilder<Builder> {
    private int counterBits = VariableIncrementShape.DEFAULT_COUNTER_BITS;
    private int base = VariableIncrementShape.DEFAULT_BASE;
    private VariableIncrementShape shape;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The width of a counter in bits.
     *
     * @param counterBits 4…16; 6 if never called
     * @return this
     */
    public Builder counterBits(int counterBits) {
      this.counterBits = counterBits;
      return this;
    }

    /**
     * The smallest increment L; increments are L … 2L - 1. Higher ones tell more keys apart and
     * need wider counters.
     *
     * @param base a power of two from 2 on, a quarter of the range of a counter at most; 4 if never
     *     called
     * @return this
     */
    public Builder base(int base) {
      this.base = base;
      return this;
    }

    /**
     * The shape, instead of a rate, width and base.
     *
     * @param shape the fixed parameters
     * @return this
     */
    public Builder shape(VariableIncrementShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     */
    public VariableIncrementCountingFilter build() {
      if (shape != null && falsePositiveRate != 0) {
        throw new IllegalArgumentException(
            "shape "
                + shape
                + " and falsePositiveRate "
                + falsePositiveRate
                + " exclude each other");
      }
      VariableIncrementShape chosen =
          shape != null
              ? shape
              : VariableIncrementShape.forKeys(expectedKeys, falsePositiveRate, counterBits, base);
      return new VariableIncrementCountingFilter(
          hasher, chosen, Counters.allocate(chosen.counters(), chosen.counterBits(), true, true));
    }
  }
}
