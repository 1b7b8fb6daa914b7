package io.bloomery.frequency;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.FrequencyFilter;
import io.bloomery.Mergeable;
import io.bloomery.RemovableFilter;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.frequency.SpectralShape.Method;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.CounterRows;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Probes;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;

/**
 * How often was a key added: a Bloom filter of counters, whose answer is the lowest counter of the
 * key. A count is never too low (see the recurring minimum for its reservation) and too high for
 * only few keys: with minimum selection for the share {@link SpectralShape#errorRate}, with the two
 * other methods for about half of that.
 *
 * <ul>
 *   <li>{@link Method#MINIMUM_SELECTION}: every counter of the key counts. Exact merge, removal.
 *   <li>{@link Method#MINIMAL_INCREASE}, the default: only the lowest counters of the key are
 *       raised. The fewest errors for the memory; no removal, and merged counts err more.
 *   <li>{@link Method#RECURRING_MINIMUM}: a key whose lowest counter is alone, which hints at an
 *       error, is marked and from then on counted in a second table of half the size too. Removal,
 *       for a good half more memory. A key that looks like a marked one without being marked may be
 *       counted too low; {@link #lowCountRate} says how likely that is, below 1e-7 up to as many
 *       distinct keys as a row has counters.
 * </ul>
 *
 * <p>Counters have 32 bits by default, enough for 2^32 - 1 additions of one key. A counter that
 * would exceed its width stays at its highest value for ever, so counts from there on may be too
 * low; {@link #saturatedCounters} says how many there are.
 *
 * <p>Threads: one writer at a time, and queries see what it has written when it has told them of
 * it. With {@link Builder#shared shared(true)} any number of threads may add to, merge into and
 * query a filter of minimum selection without a lock.
 *
 * <p>Cohen and Matias 2003, "Spectral Bloom Filters"; Tarkoma, Rothenberg and Lagerspetz 2012, sec.
 * III-F. Deviations: each of the k counters of a key lies in a row of its own, so that they are
 * distinct and the rate formula is exact. Counters have one fixed width, in files too: coding them
 * by their length saves memory only where a reader decodes a block for every counter that it reads,
 * and a stored form that cannot be mapped would save disk space that any compressor saves. The
 * second table is asked for marked keys only, and never for 0.
 */
public final class SpectralFilter implements FrequencyFilter, Mergeable<SpectralFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<SpectralFilter> KIND =
      new FilterKind<>(
          27,
          "spectral",
          "how often was x added? by minimum, minimal increase or recurring minimum",
          SpectralFilter.class,
          SpectralFilter::encode,
          SpectralFilter::decode,
          () ->
              FilterRecipe.locked(
                  SpectralShape.class,
                  (keys, rate) ->
                      SpectralShape.forKeys(
                          keys, rate, SpectralShape.DEFAULT_COUNTER_BITS, Method.MINIMAL_INCREASE),
                  (keys, bits) ->
                      SpectralShape.forBudget(
                          keys, bits, SpectralShape.DEFAULT_COUNTER_BITS, Method.MINIMAL_INCREASE),
                  SpectralFilter::made));

  private static final int SECONDARY_FAMILY = 0;
  private static final int MARKER_FAMILY = 1;

  private final Hasher hasher;
  private final SpectralShape shape;
  private final boolean recurring;
  private final CounterRows primary;

  // Only for the recurring minimum.
  private final CounterRows secondary;
  private final Probes marks;
  private final Words marker;

  private SpectralFilter(
      Hasher hasher,
      SpectralShape shape,
      CounterRows primary,
      CounterRows secondary,
      Words marker) {
    this.hasher = hasher;
    this.shape = shape;
    this.recurring = shape.method() == Method.RECURRING_MINIMUM;
    this.primary = primary;
    this.secondary = secondary;
    this.marker = marker;
    this.marks =
        recurring
            ? new Probes(IndexScheme.INDEPENDENT, shape.markerBits(), SpectralShape.MARKER_PROBES)
            : null;
  }

  /**
   * The smallest filter for a number of keys and a rate, by minimal increase.
   *
   * @param expectedKeys how many different keys will be added, 1…2^36
   * @param falsePositiveRate how often a key that was never added may have a count above 0, above
   *     0, below 1; of the keys that were added about half that share have too high a count
   * @return an empty filter
   */
  public static SpectralFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private static SpectralFilter made(FilterRecipe.Order<SpectralShape> order) {
    SpectralShape shape = order.shape();
    return builder()
        .method(shape.method())
        .rows(shape.rows())
        .width(shape.width())
        .counterBits(shape.counterBits())
        .hasher(order.hasher())
        .build();
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("rows", shape.rows())
        .put("width", shape.width())
        .put("counter bits", shape.counterBits())
        .put("method", shape.method().wireId())
        .section(primary.words())
        .section(recurring ? secondary.words() : marker)
        .section(marker);
  }

  private static SpectralFilter decode(Frame frame) throws IOException {
    int rows = (int) frame.number("rows", 1, SpectralShape.MAX_PROBES);
    long width = frame.number("width", 1, SpectralShape.MAX_BITS);
    int counterBits = (int) frame.number("counter bits", 8, 64);
    Method method = Method.ofWireId((int) frame.number("method", 1, 3));
    SpectralShape shape;
    try {
      shape = new SpectralShape(rows, width, counterBits, method);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    Words first = frame.bits(0, rows * width * counterBits);
    Words second = frame.bits(1, rows * shape.secondaryWidth() * counterBits);
    Words marker = frame.bits(2, shape.markerBits());
    return new SpectralFilter(
        frame.hasher(),
        shape,
        new CounterRows(first, rows, width, counterBits),
        method == Method.RECURRING_MINIMUM
            ? new CounterRows(second, rows, shape.secondaryWidth(), counterBits)
            : null,
        marker);
  }

  @Override
  public FilterKind<SpectralFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The filter's fixed parameters.
   *
   * @return the shape, which also tells the rate and the share of wrong counts
   */
  public SpectralShape shape() {
    return shape;
  }

  @Override
  public long countHash(long hash) {
    long count = primary.min(hash);
    if (!recurring || count == 0 || !isMarked(hash)) {
      return count;
    }
    long second = secondary.min(Draws.family(hash, SECONDARY_FAMILY));
    return second == 0 ? count : Math.min(count, second);
  }

  @Override
  public long maxCount() {
    return primary.max();
  }

  private boolean isMarked(long hash) {
    return marks.allSet(Draws.family(hash, MARKER_FAMILY), marker);
  }

  @Override
  public boolean addHash(long hash, long times) {
    Arguments.inRange("times", times, 0, Long.MAX_VALUE);
    primary.words().writable();
    if (times == 0) {
      return false;
    }
    if (shape.method() == Method.MINIMAL_INCREASE) {
      return primary.raise(hash, times) == 0;
    }
    boolean isNew = primary.add(hash, times) == 0;
    if (recurring) {
      addToSecondary(hash, times);
    }
    return isNew;
  }

  private void addToSecondary(long hash, long times) {
    long second = Draws.family(hash, SECONDARY_FAMILY);
    if (isMarked(hash)) {
      secondary.add(second, times);
    } else if (primary.hasSingleMinimum(hash)) {
      marks.setAll(Draws.family(hash, MARKER_FAMILY), marker);
      secondary.add(second, primary.min(hash));
    }
  }

  /** {@inheritDoc} Here: the product of the shares of counters above 0, row by row. */
  @Override
  public double falsePositiveRate() {
    return primary.hitRate();
  }

  /**
   * The probability that a key was taken for a marked one that is none, at the present fill of the
   * filter of marked keys: at most so many counts are too low.
   *
   * @return a probability, 0 for methods that never count too low
   */
  public double lowCountRate() {
    return recurring
        ? Math.pow((double) marker.bitCount() / shape.markerBits(), SpectralShape.MARKER_PROBES)
        : 0;
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * How many counters of the first table are at the highest value of their width.
   *
   * @return 0 unless additions exceeded it
   */
  public long saturatedCounters() {
    return primary.saturated();
  }

  /**
   * This filter as one that keys may leave again.
   *
   * @return a view of this filter, or nothing for {@link Method#MINIMAL_INCREASE}, whose counters
   *     do not hold enough to take a key away
   */
  public Optional<Removable> removable() {
    return shape.method() == Method.MINIMAL_INCREASE
        ? Optional.empty()
        : Optional.of(new Removable(this));
  }

  private boolean removeHash(long hash, long times) {
    Arguments.inRange("times", times, 0, Long.MAX_VALUE);
    primary.words().writable();
    if (times == 0 || countHash(hash) < times) {
      return false;
    }
    primary.subtract(hash, times);
    if (recurring && isMarked(hash)) {
      secondary.subtract(Draws.family(hash, SECONDARY_FAMILY), times);
    }
    return true;
  }

  @Override
  public boolean isCompatible(SpectralFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, shape, other.shape);
  }

  /**
   * {@inheritDoc} Counts are added. With minimum selection the result is the filter of both
   * streams, bit for bit. With minimal increase counts are still never too low, but up to the sum
   * of both errors too high. With the recurring minimum a key may be marked in one filter and not
   * in the other, so all marks are given up: counts are those of minimum selection until keys come
   * again.
   */
  @Override
  public void merge(SpectralFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape, other.shape);
    if (other == this) {
      return;
    }
    if (recurring && !other.primary.isEmpty()) {
      if (primary.isEmpty()) {
        secondary.addAll(other.secondary);
        marker.orAll(other.marker);
      } else {
        secondary.clear();
        marker.clear();
      }
    }
    primary.addAll(other.primary);
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same counts, writable even if this one is mapped
   */
  public SpectralFilter copy() {
    return new SpectralFilter(
        hasher, shape, primary.copy(), recurring ? secondary.copy() : null, marker.copy());
  }

  /** Removes every key. */
  public void clear() {
    primary.clear();
    if (recurring) {
      secondary.clear();
      marker.clear();
    }
  }

  @Override
  public String toString() {
    return "SpectralFilter[" + shape + ", " + hasher + "]";
  }

  /**
   * A spectral filter that keys may leave again. It is a view: what changes here changes there.
   *
   * <p>Removing a key that was never added but has a count above 0 takes that count from the keys
   * that share its counters, which may then be counted too low; so remove only what was added.
   * Counters that are saturated stay.
   */
  public static final class Removable implements FrequencyFilter, RemovableFilter {
    private final SpectralFilter filter;

    private Removable(SpectralFilter filter) {
      this.filter = filter;
    }

    /**
     * The filter that is seen.
     *
     * @return the filter, to be saved or merged
     */
    public SpectralFilter filter() {
      return filter;
    }

    @Override
    public Hasher hasher() {
      return filter.hasher;
    }

    @Override
    public long countHash(long hash) {
      return filter.countHash(hash);
    }

    @Override
    public long maxCount() {
      return filter.maxCount();
    }

    @Override
    public boolean addHash(long hash, long times) {
      return filter.addHash(hash, times);
    }

    /** {@inheritDoc} Here: takes one addition back. */
    @Override
    public boolean removeHash(long hash) {
      return filter.removeHash(hash, 1);
    }

    /**
     * Takes several additions of a key back.
     *
     * @param hash the key's hash by {@link #hasher()}
     * @param times how many, 0 or more
     * @return {@code false}: the key was certainly not added so often and nothing changed, or
     *     {@code times} is 0; {@code true}: removed
     * @throws IllegalArgumentException if {@code times} is below 0
     */
    public boolean removeHash(long hash, long times) {
      return filter.removeHash(hash, times);
    }

    @Override
    public double falsePositiveRate() {
      return filter.falsePositiveRate();
    }

    @Override
    public long sizeInBits() {
      return filter.sizeInBits();
    }

    @Override
    public String toString() {
      return filter.toString();
    }
  }

  /** Options: expected keys and rate, or rows and width; method, width of counters, threads. */
  public static final class Builder extends SizedBuilder<Builder> {
    private Method method = Method.MINIMAL_INCREASE;
    private int rows;
    private long width;
    private int counterBits = SpectralShape.DEFAULT_COUNTER_BITS;
    private boolean shared;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * How counters change.
     *
     * @param method {@link Method#MINIMAL_INCREASE} if never called
     * @return this builder
     */
    public Builder method(Method method) {
      this.method = Objects.requireNonNull(method, "method");
      return this;
    }

    /**
     * Counters per key, k, together with {@link #width} and instead of keys and rate.
     *
     * @param rows 1…255; 2 or more for the recurring minimum
     * @return this builder
     */
    public Builder rows(int rows) {
      this.rows = Arguments.inRange("rows", rows, 1, SpectralShape.MAX_PROBES);
      return this;
    }

    /**
     * Counters per row, m/k, together with {@link #rows}.
     *
     * @param width 1 or more
     * @return this builder
     */
    public Builder width(long width) {
      this.width = Arguments.inRange("width", width, 1, SpectralShape.MAX_BITS);
      return this;
    }

    /**
     * The width of a counter.
     *
     * @param bits 8, 16, 32, which is the default, or 64
     * @return this builder
     */
    public Builder counterBits(int bits) {
      this.counterBits = bits;
      return this;
    }

    /**
     * Whether several threads may add at the same time, for minimum selection only. Adding then
     * takes longer.
     *
     * @param shared false, the default, for one writer at a time
     * @return this builder
     */
    public Builder shared(boolean shared) {
      this.shared = shared;
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     * @throws IllegalArgumentException if the size is given in two ways, in half of one or in none,
     *     or if a filter of another method than minimum selection is to be shared
     */
    public SpectralFilter build() {
      if (shared && method != Method.MINIMUM_SELECTION) {
        throw new IllegalArgumentException(
            "shared = true needs MINIMUM_SELECTION; method = "
                + method
                + " reads counters before it writes others");
      }
      boolean byRows = rows != 0 || width != 0;
      if (byRows && (expectedKeys != 0 || falsePositiveRate != 0)) {
        throw new IllegalArgumentException(
            "rows and width, and expectedKeys and falsePositiveRate exclude each other");
      }
      SpectralShape shape =
          byRows
              ? new SpectralShape(rows, width, counterBits, method)
              : SpectralShape.forKeys(expectedKeys, falsePositiveRate, counterBits, method);
      boolean recurring = method == Method.RECURRING_MINIMUM;
      return new SpectralFilter(
          hasher,
          shape,
          CounterRows.allocate(shape.rows(), shape.width(), counterBits, shared),
          recurring
              ? CounterRows.allocate(shape.rows(), shape.secondaryWidth(), counterBits, false)
              : null,
          Words.forBits(shape.markerBits(), false));
    }
  }
}
