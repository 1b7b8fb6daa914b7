package io.bloomery.deletable;

import io.bloomery.FilterKind;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.variant.EarlyExit;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A counting filter in which a key adds a key-dependent increment, L … 2L - 1, to each of its
 * counters. A counter then rules out most other keys, so that false positives are much rarer than
 * in a {@link CountingBloomFilter} of the same memory. It never reports a stored key absent, as
 * long as only stored keys are removed: a saturated counter stays as it is and passes every key.
 *
 * <p>A counter c passes a key that adds v if {@code c = v} or {@code c - v ≥ L}, since sums of such
 * numbers are 0 or at least L. Removing a key that is certainly absent changes nothing and returns
 * false. Removing a key that was never added but is reported present leaves counters that no longer
 * pass some or all of their keys: a counter with one, two or three keys may lose all of them at
 * once, one with more loses none; so at most {@code 3k} other keys are lost at once. What is then
 * left of a counter below L counts as 0, so that it hides no key that is added later. Adding a key
 * again changes counters, and can turn other keys into false positives.
 *
 * <p>Threads: lock-free. Each counter changes by the whole increment in one atomic replacement, so
 * at every moment it is the sum of the increments of keys that are in it or are being added or
 * removed. Once {@code add} has returned, every query that happens after it finds the key until its
 * removal begins. A key's removal must follow its addition, as in {@link CountingBloomFilter}.
 * {@link #clear} requires that no other thread writes.
 *
 * <p>Rottenstreich, Kanizo and Keslassy 2012, "The Variable-Increment Counting Bloom Filter", the
 * scheme with D_L. Deviation: L is a power of two, positions are always independent draws, and the
 * rate is that of {@link VariableIncrementShape}.
 */
public final class VariableIncrementCountingFilter
    extends CounterFilter<VariableIncrementShape, VariableIncrementCountingFilter> {

  public static final FilterKind<VariableIncrementCountingFilter> KIND =
      Kind.of(16, "variable-increment", VariableIncrementCountingFilter.class)
          .question("is x in the set, with deletes? counters of sums, fewer false positives")
          .codec(VariableIncrementCountingFilter::encode, VariableIncrementCountingFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("variable-increment", VariableIncrementShape.class)
                          .meets(Need.DELETES)
                          .onlyFor(Need.DELETES)
                          .forKeys(VariableIncrementShape::forKeys)
                          .forBudget(VariableIncrementShape::forBudget)
                          .reads(VariableIncrementShape::hashesPerKey)
                          .works(shape -> 7.3 * shape.hashesPerKey())
                          .absent(
                              shape -> EarlyExit.oneByOne(shape.hashesPerKey()),
                              shape -> 6.5 * EarlyExit.oneByOne(shape.hashesPerKey()))
                          // The next counter is fetched while one is tested.
                          .fetches(shape -> Math.max(1, shape.hashesPerKey() / 2.0), shape -> 1)
                          .falseDeletion("loses at most 3k other keys")
                          .why("Counters of sums, smaller than plain counters for the same rate")
                          .mergesExactly()
                          .storesDuplicates()
                          .createsFor(VariableIncrementCountingFilter::create)));

  /** Increments come from outputs of the mixing stream that no position uses. */
  private static final int FIRST_OUTPUT = 256;

  private final Modulus modulus;
  private final int hashesPerKey;
  private final int base;
  private final int stepBits;
  private final int fields;

  private VariableIncrementCountingFilter(
      VariableIncrementShape shape, Hasher hasher, Counters counters) {
    super(shape, hasher, counters);
    this.modulus = new Modulus(shape.counters());
    this.hashesPerKey = shape.hashesPerKey();
    this.base = shape.base();
    this.stepBits = Integer.numberOfTrailingZeros(base);
    this.fields = Long.SIZE / stepBits;
  }

  /**
   * The smallest filter of 6-bit counters and L = 4 for a number of keys and a rate.
   *
   * @param expectedKeys how many distinct keys it will hold at a time, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static VariableIncrementCountingFilter create(
      long expectedKeys, double falsePositiveRate) {
    return create(VariableIncrementShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape number and width of counters, hashes per key, smallest increment
   * @return an empty filter
   */
  public static VariableIncrementCountingFilter create(VariableIncrementShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape number and width of counters, hashes per key, smallest increment
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static VariableIncrementCountingFilter create(
      VariableIncrementShape shape, Hasher hasher) {
    return create(shape, hasher, Writers.MANY);
  }

  /**
   * A filter of a given shape and hasher, for one writer or many.
   *
   * @param shape number and width of counters, hashes per key, smallest increment
   * @param hasher turns keys into hashes
   * @param writers how many threads may add and remove at the same time
   * @return an empty filter
   */
  public static VariableIncrementCountingFilter create(
      VariableIncrementShape shape, Hasher hasher, Writers writers) {
    Objects.requireNonNull(shape, "shape");
    Counters counters =
        Counters.allocate(shape.counters(), shape.counterBits(), true, writers == Writers.MANY);
    return new VariableIncrementCountingFilter(shape, hasher, counters);
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(counters.words());
  }

  private static VariableIncrementCountingFilter decode(Frame frame) throws IOException {
    VariableIncrementShape shape = frame.shape(VariableIncrementShape.class);
    Counters counters = frame.counters(0, shape.counters(), shape.counterBits(), true);
    return new VariableIncrementCountingFilter(shape, frame.hasher(), counters);
  }

  @Override
  public FilterKind<VariableIncrementCountingFilter> kind() {
    return KIND;
  }

  /** The increment of a hash for its counter {@code i}. */
  private long increment(long hash, int i) {
    long output = Mix.stream(hash, FIRST_OUTPUT + i / fields);
    return base + (output >>> (i % fields * stepBits) & (base - 1));
  }

  @Override
  public boolean mightContainHash(long hash) {
    for (int i = 0; i < hashesPerKey; i++) {
      if (!passes(counters.get(Draws.index(hash, i, modulus)), increment(hash, i))) {
        return false;
      }
    }
    return true;
  }

  private boolean passes(long value, long increment) {
    return value == increment || value - increment >= base || value == counters.max();
  }

  @Override
  public boolean addHash(long hash) {
    counters.words().writable();
    boolean isNew = !mightContainHash(hash);
    for (int i = 0; i < hashesPerKey; i++) {
      raise(Draws.index(hash, i, modulus), increment(hash, i));
    }
    return isNew;
  }

  /** Adds an increment, or several, in one replacement. */
  private void raise(long index, long by) {
    while (true) {
      long value = counters.get(index);
      long next = Math.min(counters.max(), value < base ? by : value + by);
      if (counters.replace(index, value, next)) {
        return;
      }
    }
  }

  /** Subtracts an increment from a counter that is not saturated, in one replacement. */
  private void lower(long index, long by) {
    while (true) {
      long value = counters.get(index);
      long left = value - by;
      long next = value == counters.max() ? value : left < base ? 0 : left;
      if (counters.replace(index, value, next)) {
        return;
      }
    }
  }

  /** {@inheritDoc} Here {@code false} means certainly absent. */
  @Override
  public boolean removeHash(long hash) {
    counters.words().writable();
    if (!mightContainHash(hash)) {
      return false;
    }
    for (int i = 0; i < hashesPerKey; i++) {
      lower(Draws.index(hash, i, modulus), increment(hash, i));
    }
    return true;
  }

  @Override
  public void merge(VariableIncrementCountingFilter other) {
    requireFits(other);
    counters.words().writable();
    for (long i = 0; other != this && i < counters.count(); i++) {
      long added = other.counters.get(i);
      if (added >= base) {
        raise(i, added);
      }
    }
  }

  /**
   * {@inheritDoc} Here: the k-th power of the share of increments that a counter passes, averaged
   * over the counters.
   */
  @Override
  public double falsePositiveRate() {
    double sum = 0;
    for (long i = 0; i < counters.count(); i++) {
      long value = counters.get(i);
      // Increments up to value - L, and value itself if it is one.
      long passed = Math.max(0, Math.min(base, value - 2L * base + 1));
      passed += value >= base && value < 2L * base ? 1 : 0;
      sum += value == counters.max() ? base : passed;
    }
    return Math.pow(sum / base / counters.count(), hashesPerKey);
  }

  /** {@inheritDoc} Here: −(m/k)·ln(1 − X/m), for the X of m counters that are above 0. */
  @Override
  public double cardinality() {
    return Estimates.cardinality(counters.count(), hashesPerKey, counters.nonZero());
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public VariableIncrementCountingFilter copy() {
    return new VariableIncrementCountingFilter(shape(), hasher(), counters.copy());
  }
}
