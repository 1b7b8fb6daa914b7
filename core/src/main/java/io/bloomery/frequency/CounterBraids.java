package io.bloomery.frequency;

import io.bloomery.CardinalityFilter;
import io.bloomery.FilterKind;
import io.bloomery.FrequencyFilter;
import io.bloomery.Mergeable;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Counter braids: keys share narrow counters, whose overflows share wide ones, and given the list
 * of all keys {@link #decode(long[])} solves for the exact count of each, in about 19 bits per key.
 * For a single key {@link #countHash} returns the lowest of its counters, which is never too low
 * unless {@link #isSaturated} but is usually much too high.
 *
 * <p>How wrong: with 1.4 narrow counters per key ({@link BraidsShape#forKeys(long)}), n = 5,000
 * keys and Pareto-distributed sizes, every count is decoded exactly, in 20 filters of 20. Two keys
 * that share all their counters cannot be distinguished; such a pair occurs among n keys with a
 * probability of about 5/n; and the wide counters can be solved only if fewer than about 0.16·n
 * narrow ones have overflowed, so sizes that are mostly above 256 need wider counters. Where a
 * count is not exact, decoding says so and returns valid bounds. They are valid only if the list
 * contains every key that was added: missing keys are detected, because they leave counters
 * unexplained ({@link Counts#unexplained}), and then no count is reported as exact. Single queries
 * of such a filter are nearly useless: 69 % of the keys that were never added are reported present.
 * {@link #create(long, double)} uses enough counters for single queries.
 *
 * <p>Threads: lock-free. Any number of threads may add, merge and query, and no addition is lost; a
 * key whose {@code add} returned is found by every query that happens after that return. While an
 * addition is running, a count may lack an overflow; decode when no thread adds.
 *
 * <p>Lu, Montanari, Prabhakar, Dharmapurikar and Kabbani 2008, "Counter Braids: A Novel Counter
 * Architecture for Per-Flow Measurement". Deviations: each counter of a key lies in a different
 * slice, so that the counters of a key are distinct; where the wide counters cannot be solved,
 * their bounds are propagated to the narrow ones.
 */
public final class CounterBraids extends ShapedFilter<BraidsShape>
    implements FrequencyFilter, CardinalityFilter, Mergeable<CounterBraids> {

  public static final FilterKind<CounterBraids> KIND =
      Kind.of(32, "counter-braids", CounterBraids.class)
          .question("how often was each x of a list seen? decoded exactly")
          .codec(CounterBraids::encode, CounterBraids::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("counter-braids", BraidsShape.class)
                          .meetsPartly(
                              Need.COUNTS, "exact counts are those of a whole list at once")
                          .onlyFor(Need.COUNTS)
                          .forKeys(BraidsShape::forKeys)
                          .forBudget(BraidsShape::forBudget)
                          .reads(BraidsShape::hashesPerKey)
                          .works(shape -> 3 * shape.hashesPerKey())
                          .absent(shape -> 1.5, shape -> 3)
                          .why(
                              "Exact counts of a list of keys, decoded all at once; without a rate"
                                  + " for single queries 19 bits per key suffice")
                          .mergesExactly()
                          .storesDuplicates()
                          .creates(CounterBraids::create)));

  /** Decoding that converges does so within some dozen rounds. */
  private static final int ROUNDS = 1000;

  private final int hashesPerKey;
  private final int counterBits;
  private final BraidLayer narrow;
  private final Counters wide;
  private final long slice;
  private final long wideSlice;
  private final Modulus modulus;
  private final Modulus wideModulus;

  private CounterBraids(BraidsShape shape, Hasher hasher, BraidLayer narrow, Counters wide) {
    super(shape, hasher);
    this.hashesPerKey = shape.hashesPerKey();
    this.counterBits = shape.counterBits();
    this.narrow = narrow;
    this.wide = wide;
    this.slice = shape.counters() / shape.hashesPerKey();
    this.wideSlice = shape.wideCounters() / BraidsShape.WIDE_PROBES;
    this.modulus = new Modulus(slice);
    this.wideModulus = new Modulus(wideSlice);
  }

  /**
   * Counters from which the counts of a number of keys can be decoded exactly, with a given rate
   * for single queries; {@link BraidsShape#forKeys(long)} drops the rate.
   *
   * @param expectedKeys how many distinct keys will be added, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that number of keys, above 0, below 1
   * @return an empty filter
   */
  public static CounterBraids create(long expectedKeys, double falsePositiveRate) {
    return create(BraidsShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape the numbers and widths of the counters
   * @return an empty filter
   */
  public static CounterBraids create(BraidsShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape the numbers and widths of the counters
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static CounterBraids create(BraidsShape shape, Hasher hasher) {
    return new CounterBraids(
        shape,
        hasher,
        new BraidLayer(Counters.allocate(shape.counters(), shape.counterBits() + 1, true, true)),
        Counters.allocate(shape.wideCounters(), shape.wideBits(), true, true));
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(narrow.cells().words()).section(wide.words());
  }

  private static CounterBraids decode(Frame frame) throws IOException {
    BraidsShape shape = frame.shape(BraidsShape.class);
    return new CounterBraids(
        shape,
        frame.hasher(),
        new BraidLayer(frame.counters(0, shape.counters(), shape.counterBits() + 1, true)),
        frame.counters(1, shape.wideCounters(), shape.wideBits(), true));
  }

  @Override
  public FilterKind<CounterBraids> kind() {
    return KIND;
  }

  /** Narrow counter {@code i} of a key. */
  private long cell(long hash, int i) {
    return i * slice + modulus.of(Mix.stream(hash, i));
  }

  /** Wide counter {@code i} of a narrow one. */
  private long wideCell(long cell, int i) {
    return i * wideSlice + wideModulus.of(Mix.stream(Mix.stream(cell, 1), i));
  }

  @Override
  public boolean mightContainHash(long hash) {
    for (int i = 0; i < hashesPerKey; i++) {
      if (narrow.isZero(cell(hash, i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * {@inheritDoc} Here: the lowest of the key's counters; never too low, and often much too high.
   */
  @Override
  public long countHash(long hash) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < hashesPerKey; i++) {
      long cell = cell(hash, i);
      least = Math.min(least, narrow.value(cell) + (overflows(cell) << counterBits));
    }
    return least;
  }

  /** An upper bound on the overflows of a narrow counter, unless the wide ones are saturated. */
  private long overflows(long cell) {
    if (!narrow.hasOverflowed(cell)) {
      return 0;
    }
    long least = Long.MAX_VALUE;
    for (int i = 0; i < BraidsShape.WIDE_PROBES; i++) {
      least = Math.min(least, wide.get(wideCell(cell, i)));
    }
    return Math.max(1, least);
  }

  /**
   * {@inheritDoc} Here: the capacity of a narrow counter and its wide ones, 2^40 - 1 by default.
   */
  @Override
  public long maxCount() {
    return (1L << (counterBits + shape().wideBits())) - 1;
  }

  /**
   * Whether a count exceeds the capacity of the wide counters, so that it may be too low: with the
   * default widths, above 2^40.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return true if the count is only known to be large
   */
  public boolean isSaturated(long hash) {
    for (int i = 0; i < hashesPerKey; i++) {
      if (overflows(cell(hash, i)) < wide.max()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean addHash(long hash, long times) {
    Arguments.inRange("times", times, 0, Long.MAX_VALUE);
    wide.words().writable();
    if (times == 0) {
      return false;
    }
    boolean isNew = false;
    for (int i = 0; i < hashesPerKey; i++) {
      long cell = cell(hash, i);
      isNew |= narrow.isZero(cell);
      addOverflows(cell, narrow.add(cell, times));
    }
    return isNew;
  }

  private void addOverflows(long cell, long overflows) {
    if (overflows > 0) {
      for (int i = 0; i < BraidsShape.WIDE_PROBES; i++) {
        wide.add(wideCell(cell, i), overflows);
      }
    }
  }

  /**
   * Solves for the counts of keys, some of which may be 0.
   *
   * @param hashes the hashes of all keys that were added, and perhaps of others; all distinct
   * @return bounds on each count, in the order of the hashes
   * @throws IllegalArgumentException if two hashes are equal
   * @throws IllegalStateException if there are more than 2^31 - 9 counters of one width
   */
  public Counts decode(long[] hashes) {
    return decode(hashes, 0, ROUNDS);
  }

  /**
   * Solves for the counts of keys, given a lower bound and a maximum number of rounds. Each round
   * tightens the bounds on one side, the upper ones first.
   *
   * @param hashes the hashes of all keys that were added; all distinct
   * @param minimum a lower bound on every count, 0 or more; 1 helps if every key was added
   * @param rounds the maximum number of rounds, 1 or more
   * @return bounds on each count, in the order of the hashes
   * @throws IllegalArgumentException if two hashes are equal or a number is outside its range
   * @throws IllegalStateException if there are more than 2^31 - 9 counters of one width
   */
  public Counts decode(long[] hashes, long minimum, int rounds) {
    requireDistinct(hashes);
    Arguments.inRange("minimum", minimum, 0, Long.MAX_VALUE);
    Arguments.inRange("rounds", rounds, 1, Integer.MAX_VALUE);
    int cells = size(shape().counters());
    long[] least = new long[cells];
    long[] most = new long[cells];
    decodeNarrow(least, most);
    int degree = hashesPerKey;
    int[] cellOf = new int[Math.multiplyExact(hashes.length, degree)];
    for (int e = 0; e < cellOf.length; e++) {
      cellOf[e] = (int) cell(hashes[e / degree], e % degree);
    }
    MinSum solver = new MinSum(degree, cellOf, least, most, minimum);
    solver.run(rounds);
    return new Counts(solver.low(), solver.high(), solver.unexplained(), solver.rounds());
  }

  private static void requireDistinct(long[] hashes) {
    long[] sorted = Objects.requireNonNull(hashes, "hashes").clone();
    Arrays.sort(sorted);
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - 1]) {
        throw new IllegalArgumentException("hashes has " + sorted[i] + " twice");
      }
    }
  }

  private static int size(long counters) {
    if (counters > Integer.MAX_VALUE - 8) {
      throw new IllegalStateException(
          counters + " counters; up to " + (Integer.MAX_VALUE - 8) + " can be decoded");
    }
    return (int) counters;
  }

  /** The values the narrow counters would hold if they were wide enough. */
  private void decodeNarrow(long[] least, long[] most) {
    int[] overflowed = new int[16];
    int count = 0;
    for (int cell = 0; cell < least.length; cell++) {
      least[cell] = narrow.value(cell);
      most[cell] = least[cell];
      if (narrow.hasOverflowed(cell)) {
        if (count == overflowed.length) {
          overflowed = Arrays.copyOf(overflowed, Math.min(2 * count, least.length));
        }
        overflowed[count++] = cell;
      }
    }
    long[] wideLeast = new long[size(shape().wideCounters())];
    long[] wideMost = new long[wideLeast.length];
    for (int i = 0; i < wideLeast.length; i++) {
      wideLeast[i] = wide.get(i);
      wideMost[i] = wide.isSaturated(i) ? Long.MAX_VALUE : wideLeast[i];
    }
    int degree = BraidsShape.WIDE_PROBES;
    int[] wideOf = new int[Math.multiplyExact(count, degree)];
    for (int e = 0; e < wideOf.length; e++) {
      wideOf[e] = (int) wideCell(overflowed[e / degree], e % degree);
    }
    MinSum solver = new MinSum(degree, wideOf, wideLeast, wideMost, 1);
    solver.run(ROUNDS);
    for (int i = 0; i < count; i++) {
      int cell = overflowed[i];
      long high = solver.high()[i];
      least[cell] += solver.low()[i] << counterBits;
      most[cell] = high == Long.MAX_VALUE ? high : most[cell] + (high << counterBits);
    }
  }

  /** Decoded counts: a lower and an upper bound on each, in the order of the keys. Immutable. */
  public static final class Counts {
    private final long[] low;
    private final long[] high;
    private final int unexplained;
    private final int rounds;

    private Counts(long[] low, long[] high, int unexplained, int rounds) {
      this.low = low;
      this.high = high;
      this.unexplained = unexplained;
      this.rounds = rounds;
    }

    /**
     * How many counts there are.
     *
     * @return the number of keys
     */
    public int keyCount() {
      return low.length;
    }

    /**
     * The lower bound on a count.
     *
     * @param i which key, 0 … {@code size() - 1}
     * @return a lower bound on the key's count, if nothing is {@linkplain #unexplained unexplained}
     */
    public long low(int i) {
      return low[i];
    }

    /**
     * The upper bound on a count.
     *
     * @param i which key, 0 … {@code size() - 1}
     * @return an upper bound on the key's count; {@code Long.MAX_VALUE} if nothing is known
     */
    public long high(int i) {
      return high[i];
    }

    /**
     * Whether a count is known exactly.
     *
     * @param i which key, 0 … {@code size() - 1}
     * @return true if both bounds are equal and nothing is {@linkplain #unexplained unexplained}
     */
    public boolean isExact(int i) {
      return low[i] == high[i] && unexplained == 0;
    }

    /**
     * Whether every count is known exactly.
     *
     * @return true if each {@link #isExact(int)}
     */
    public boolean isExact() {
      return unexplained == 0 && Arrays.equals(low, high);
    }

    /**
     * How many narrow counters the bounds contradict. That is 0 if the list contains every key that
     * was added; if not, lower bounds may be wrong.
     *
     * @return a number of counters
     */
    public int unexplained() {
      return unexplained;
    }

    /**
     * The number of rounds for the narrow counters.
     *
     * @return 1 or more
     */
    public int rounds() {
      return rounds;
    }

    @Override
    public String toString() {
      return "Counts[" + keyCount() + " keys, exact " + isExact() + ", " + rounds + " rounds]";
    }
  }

  /** {@inheritDoc} Here: the product over the slices of their share of counters in use. */
  @Override
  public double falsePositiveRate() {
    double rate = 1;
    for (long used : used()) {
      rate *= (double) used / slice;
    }
    return rate;
  }

  /** {@inheritDoc} Here: the share of narrow counters. */
  @Override
  public double fillRatio() {
    return slices().fillRatio(used());
  }

  /** {@inheritDoc} Here: ln(1 − X/s) / ln(1 − 1/s) for the X of s counters of a slice, averaged. */
  @Override
  public double cardinality() {
    return slices().cardinality(used());
  }

  private Rows slices() {
    return new Rows(hashesPerKey, slice);
  }

  /** How many narrow counters of each slice are in use. */
  private long[] used() {
    long[] used = new long[hashesPerKey];
    for (int i = 0; i < hashesPerKey; i++) {
      for (long cell = i * slice; cell < (i + 1) * slice; cell++) {
        used[i] += narrow.isZero(cell) ? 0 : 1;
      }
    }
    return used;
  }

  @Override
  public boolean isCompatible(CounterBraids other) {
    return fits(other);
  }

  /** {@inheritDoc} Counts add up: the result is the filter of both streams, bit for bit. */
  @Override
  public void merge(CounterBraids other) {
    requireFits(other);
    if (other == this) {
      return;
    }
    for (long cell = 0; cell < shape().counters(); cell++) {
      addOverflows(cell, narrow.merge(cell, other.narrow));
    }
    wide.addAll(other.wide);
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same counts, writable even if this one is mapped
   */
  public CounterBraids copy() {
    return new CounterBraids(shape(), hasher(), new BraidLayer(narrow.cells().copy()), wide.copy());
  }
}
