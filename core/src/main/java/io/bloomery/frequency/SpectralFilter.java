package io.bloomery.frequency;

import io.bloomery.CardinalityFilter;
import io.bloomery.FilterKind;
import io.bloomery.FrequencyFilter;
import io.bloomery.Mergeable;
import io.bloomery.RemovableFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.Writers;
import io.bloomery.frequency.SpectralShape.Method;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.CounterRows;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Probes;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How often was a key added: a Bloom filter of counters, whose answer is the lowest counter of the
 * key. A count is never too low (see the recurring minimum for its exception) and too high for only
 * a few keys: a share of {@link SpectralShape#errorRate} with minimum selection, and about half of
 * that with the other two methods.
 *
 * <ul>
 *   <li>{@link Method#MINIMUM_SELECTION}: every counter of the key is increased. Supports exact
 *       merge and removal.
 *   <li>{@link Method#MINIMAL_INCREASE}, the default: only the lowest counters of the key are
 *       increased. The fewest errors for its memory; no removal, and merged counts err more.
 *   <li>{@link Method#RECURRING_MINIMUM}: a key that has only one lowest counter, which hints at an
 *       error, is marked and from then on also counted in a second table of half the size. Supports
 *       removal, for a good half more memory. An unmarked key that is a false positive of the
 *       filter of marked keys may be counted too low; {@link #lowCountRate} is the probability of
 *       that. With as many distinct keys as a row has counters it is below 1e-8 for five rows or
 *       more, and 6.1e-7, 6.6e-5 and 7.2e-3 for four, three and two, which rates of 5 % and more
 *       lead to.
 * </ul>
 *
 * <p>Counters have 32 bits by default, enough for 2^32 - 1 additions of one key. A counter that
 * would exceed its width stays at its highest value forever, so counts from there on may be too
 * low; {@link #saturatedCounters} returns how many there are.
 *
 * <p>Threads: with minimum selection any number of threads may add, merge and query without a lock,
 * unless the filter was created for {@linkplain Writers#ONE one writer}. The other methods read
 * some counters before they write others, so only one thread may write at a time; queries that
 * happen after an addition see it.
 *
 * <p>Cohen and Matias 2003, "Spectral Bloom Filters"; Tarkoma, Rothenberg and Lagerspetz 2012, sec.
 * III-F. Deviations: each of the k counters of a key lies in a different row, so that they are
 * distinct and the rate formula is exact. Counters have a fixed width, also in files: a compact
 * stored form could not be mapped, and any compressor saves the same disk space. {@link
 * CompactSpectralFilter} has counters of variable length in memory. The second table is read for
 * marked keys only, and a 0 in it is ignored.
 */
public final class SpectralFilter extends ShapedFilter<SpectralShape>
    implements FrequencyFilter, CardinalityFilter, Mergeable<SpectralFilter> {

  public static final FilterKind<SpectralFilter> KIND =
      Kind.of(27, "spectral", SpectralFilter.class)
          .question("how often was x added? by minimum, minimal increase or recurring minimum")
          .codec(SpectralFilter::encode, SpectralFilter::decode)
          .variants(
              () ->
                  List.of(
                      variant("spectral", Method.MINIMAL_INCREASE)
                          .orderMatters()
                          .oneWriter()
                          .why(
                              "Counts that are never too low, and too high for half as many keys as"
                                  + " in a plain table of counters")
                          .createsFor(SpectralFilter::create),
                      variant("spectral-minimum", Method.MINIMUM_SELECTION)
                          .mergesExactly()
                          .meets(Need.DELETES)
                          .why("Counts that deletions lower, and tables that add up exactly")
                          .createsFor(SpectralFilter::create),
                      variant("spectral-recurring", Method.RECURRING_MINIMUM)
                          .orderMatters()
                          .meets(Need.DELETES)
                          .oneWriter()
                          .why(
                              "Counts that deletions lower, too high for half as many keys, for a"
                                  + " good half more memory")
                          .createsFor(SpectralFilter::create)));

  private static final int SECONDARY_FAMILY = 0;
  private static final int MARKER_FAMILY = 1;

  private final CounterRows primary;

  // Only for the recurring minimum.
  private final @Nullable CounterRows secondary;
  private final @Nullable Probes marks;
  private final Words marker;

  private SpectralFilter(
      SpectralShape shape,
      Hasher hasher,
      CounterRows primary,
      @Nullable CounterRows secondary,
      Words marker) {
    super(shape, hasher);
    this.primary = primary;
    this.secondary = secondary;
    this.marker = marker;
    this.marks =
        secondary == null
            ? null
            : new Probes(IndexScheme.INDEPENDENT, shape.markerBits(), SpectralShape.MARKER_PROBES);
  }

  /**
   * Counters take many times the memory of plain filters, so the planner offers them only where
   * counts are needed.
   */
  private static VariantBuilder<SpectralShape> variant(String name, Method method) {
    int tables = method == Method.RECURRING_MINIMUM ? 2 : 1;
    int marks = method == Method.RECURRING_MINIMUM ? SpectralShape.MARKER_PROBES : 0;
    return VariantBuilder.of(name, SpectralShape.class)
        .meets(Need.COUNTS)
        .onlyFor(Need.COUNTS)
        .storesDuplicates()
        .forKeys((keys, rate) -> SpectralShape.forKeys(keys, rate, method))
        .forBudget((keys, bits) -> SpectralShape.forBudget(keys, bits, method))
        .reads(shape -> tables * shape.rows() + marks)
        .works(shape -> shape.rows() + marks)
        .absent(shape -> 0.65 * shape.rows(), shape -> 0.85 * shape.rows());
  }

  /**
   * The smallest filter for a number of keys and a rate, by minimal increase.
   *
   * @param expectedKeys how many distinct keys will be added, 1…2^36
   * @param falsePositiveRate how often a key that was never added may have a count above 0, above
   *     0, below 1; about half that share of the added keys has too high a count
   * @return an empty filter
   */
  public static SpectralFilter create(long expectedKeys, double falsePositiveRate) {
    return create(SpectralShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape rows, their width, the width of a counter, and how counters change
   * @return an empty filter
   */
  public static SpectralFilter create(SpectralShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher: for many writers with minimum selection, for one with the
   * other methods.
   *
   * @param shape rows, their width, the width of a counter, and how counters change
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static SpectralFilter create(SpectralShape shape, Hasher hasher) {
    boolean many = shape.method() == Method.MINIMUM_SELECTION;
    return create(shape, hasher, many ? Writers.MANY : Writers.ONE);
  }

  /**
   * A filter of a given shape and hasher, for one writer or many.
   *
   * @param shape rows, their width, the width of a counter, and how counters change
   * @param hasher turns keys into hashes
   * @param writers how many threads may add at the same time; many need minimum selection
   * @return an empty filter
   * @throws IllegalArgumentException if the method does not allow that many writers
   */
  public static SpectralFilter create(SpectralShape shape, Hasher hasher, Writers writers) {
    boolean shared = writers == Writers.MANY;
    if (shared && shape.method() != Method.MINIMUM_SELECTION) {
      throw new IllegalArgumentException(
          "writers = MANY needs MINIMUM_SELECTION; method = "
              + shape.method()
              + " reads counters before it writes others");
    }
    int counterBits = shape.counterBits();
    return new SpectralFilter(
        shape,
        hasher,
        CounterRows.allocate(shape.rows(), shape.width(), counterBits, shared),
        shape.method() == Method.RECURRING_MINIMUM
            ? CounterRows.allocate(shape.rows(), shape.secondaryWidth(), counterBits, false)
            : null,
        Words.forBits(shape.markerBits(), false));
  }

  /** A filter of one table whose counters are given. */
  static SpectralFilter of(SpectralShape shape, Hasher hasher, CounterRows counters) {
    return new SpectralFilter(
        shape, hasher, counters, null, Words.forBits(shape.markerBits(), false));
  }

  /** The first table. */
  CounterRows primary() {
    return primary;
  }

  private Frame encode() {
    return Frame.of(hasher())
        .put(shape())
        .section(primary.words())
        .section(secondary == null ? marker : secondary.words())
        .section(marker);
  }

  private static SpectralFilter decode(Frame frame) throws IOException {
    SpectralShape shape = frame.shape(SpectralShape.class);
    int rows = shape.rows();
    int counterBits = shape.counterBits();
    Words first = frame.counters(0, rows * shape.width(), counterBits, true).words();
    Words second = frame.counters(1, rows * shape.secondaryWidth(), counterBits, true).words();
    Words marker = frame.bits(2, shape.markerBits());
    return new SpectralFilter(
        shape,
        frame.hasher(),
        new CounterRows(first, rows, shape.width(), counterBits),
        shape.method() == Method.RECURRING_MINIMUM
            ? new CounterRows(second, rows, shape.secondaryWidth(), counterBits)
            : null,
        marker);
  }

  @Override
  public FilterKind<SpectralFilter> kind() {
    return KIND;
  }

  @Override
  public long countHash(long hash) {
    long count = primary.min(hash);
    CounterRows rows = secondary;
    if (rows == null || count == 0 || !isMarked(hash)) {
      return count;
    }
    long second = rows.min(Draws.family(hash, SECONDARY_FAMILY));
    return second == 0 ? count : Math.min(count, second);
  }

  /** {@inheritDoc} Here: false for the recurring minimum, see {@link #lowCountRate}. */
  @Override
  public boolean isUpperBound() {
    return shape().method() != Method.RECURRING_MINIMUM;
  }

  @Override
  public long maxCount() {
    return primary.max();
  }

  private boolean isMarked(long hash) {
    return marks != null && marks.allSet(Draws.family(hash, MARKER_FAMILY), marker);
  }

  @Override
  public boolean addHash(long hash, long times) {
    Arguments.inRange("times", times, 0, Long.MAX_VALUE);
    primary.words().writable();
    if (times == 0) {
      return false;
    }
    if (shape().method() == Method.MINIMAL_INCREASE) {
      return primary.raise(hash, times) == 0;
    }
    boolean isNew = primary.add(hash, times);
    if (secondary != null && marks != null) {
      addTo(secondary, marks, hash, times);
    }
    return isNew;
  }

  private void addTo(CounterRows rows, Probes marks, long hash, long times) {
    long second = Draws.family(hash, SECONDARY_FAMILY);
    if (isMarked(hash)) {
      rows.add(second, times);
    } else if (primary.hasSingleMinimum(hash)) {
      marks.setAll(Draws.family(hash, MARKER_FAMILY), marker);
      rows.add(second, primary.min(hash));
    }
  }

  /** {@inheritDoc} Here: the product of the shares of counters above 0, row by row. */
  @Override
  public double falsePositiveRate() {
    return primary.hitRate();
  }

  /**
   * The probability that an unmarked key is reported as marked, at the current fill of the filter
   * of marked keys: at most that share of counts is too low.
   *
   * @return a probability, 0 for methods that never count too low
   */
  public double lowCountRate() {
    return secondary != null
        ? Math.pow((double) marker.bitCount() / shape().markerBits(), SpectralShape.MARKER_PROBES)
        : 0;
  }

  /** {@inheritDoc} Here: the counters of the first table that are above 0. */
  @Override
  public double fillRatio() {
    return shape().table().fillRatio(primary.used());
  }

  /** {@inheritDoc} Here: ln(1 − X/w) / ln(1 − 1/w) for the X of w counters of a row, averaged. */
  @Override
  public double cardinality() {
    return shape().table().cardinality(primary.used());
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
   * This filter with deletes.
   *
   * @return a view of this filter; empty for {@link Method#MINIMAL_INCREASE}, whose counters do not
   *     hold enough information to remove a key
   */
  @Override
  public Optional<Removable> removable() {
    return shape().method() == Method.MINIMAL_INCREASE
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
    if (secondary != null && isMarked(hash)) {
      secondary.subtract(Draws.family(hash, SECONDARY_FAMILY), times);
    }
    return true;
  }

  @Override
  public boolean isCompatible(SpectralFilter other) {
    return fits(other);
  }

  /**
   * {@inheritDoc} Counts are added. With minimum selection the result is the filter of both
   * streams, bit for bit. With minimal increase counts are still never too low, but up to the sum
   * of both errors too high. With the recurring minimum a key may be marked in one filter and not
   * in the other, so all marks are dropped: counts are those of minimum selection until keys are
   * added again.
   */
  @Override
  public void merge(SpectralFilter other) {
    requireFits(other);
    if (other == this) {
      return;
    }
    if (secondary != null && other.secondary != null && !other.primary.isEmpty()) {
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
        shape(),
        hasher(),
        primary.copy(),
        secondary == null ? null : secondary.copy(),
        marker.copy());
  }

  /** Removes every key. */
  public void clear() {
    primary.clear();
    if (secondary != null) {
      secondary.clear();
      marker.clear();
    }
  }

  /**
   * A spectral filter with deletes. It is a view: both share all counters.
   *
   * <p>Removing a key that was never added but has a count above 0 lowers the counters of the keys
   * that share them, which may then be counted too low; so remove only keys that were added.
   * Saturated counters stay.
   */
  public static final class Removable implements FrequencyFilter, RemovableFilter {
    private final SpectralFilter filter;

    private Removable(SpectralFilter filter) {
      this.filter = filter;
    }

    /**
     * The filter behind this view.
     *
     * @return the filter, to be saved or merged
     */
    public SpectralFilter filter() {
      return filter;
    }

    @Override
    public Hasher hasher() {
      return filter.hasher();
    }

    @Override
    public long countHash(long hash) {
      return filter.countHash(hash);
    }

    @Override
    public boolean isUpperBound() {
      return filter.isUpperBound();
    }

    @Override
    public long maxCount() {
      return filter.maxCount();
    }

    @Override
    public boolean addHash(long hash, long times) {
      return filter.addHash(hash, times);
    }

    /** {@inheritDoc} Here: undoes one addition. */
    @Override
    public boolean removeHash(long hash) {
      return filter.removeHash(hash, 1);
    }

    /**
     * Undoes several additions of a key.
     *
     * @param hash the key's hash by {@link #hasher()}
     * @param times how many, 0 or more
     * @return {@code false}: the key was certainly not added that often and nothing changed, or
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
}
