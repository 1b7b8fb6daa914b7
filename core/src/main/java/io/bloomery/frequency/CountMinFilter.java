package io.bloomery.frequency;

import io.bloomery.CardinalityFilter;
import io.bloomery.FilterKind;
import io.bloomery.FrequencyFilter;
import io.bloomery.Mergeable;
import io.bloomery.ShapedFilter;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.CounterRows;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How often was a key seen, or how many bytes has a flow sent: it has rows of counters; a key has
 * one counter in each row, and its count is the lowest of them. A count is never too low; it is too
 * high by more than {@link CountMinShape#epsilon} times {@link #total} for a share of at most
 * {@link CountMinShape#delta} of the keys. So no key whose true amount reaches a threshold is
 * missed.
 *
 * <p>With {@linkplain CountMinShape#withConservativeUpdate conservative update} an addition
 * increases the counters of a key only as far as its count needs, which halves the error, for one
 * more pass over the counters. {@link HeavyHitters} keeps the keys with the largest counts next to
 * a filter.
 *
 * <p>Amounts are whole numbers from 0 to 2^63 - 1. Counters have 64 bits by default; a counter that
 * would exceed its width stays at its highest value, after which counts may be too low; {@link
 * #saturatedCounters} returns how many there are.
 *
 * <p>Threads: with plain updates any number of threads may add, merge and query without a lock,
 * unless the filter was created for {@linkplain Writers#ONE one writer}. With conservative update,
 * only one thread may write at a time; queries that happen after an addition see it.
 *
 * <p>Estan and Varghese 2002, "New Directions in Traffic Measurement and Accounting" (parallel
 * multistage filter, conservative update); Broder and Mitzenmacher 2004, "Network Applications of
 * Bloom Filters", sec. 8.1; Cormode and Muthukrishnan 2005 (count-min). Deviation: rows take their
 * indexes from independent mixes of one 64-bit hash instead of pairwise independent functions.
 */
public final class CountMinFilter extends ShapedFilter<CountMinShape>
    implements FrequencyFilter, CardinalityFilter, Mergeable<CountMinFilter> {

  public static final FilterKind<CountMinFilter> KIND =
      Kind.of(28, "count-min", CountMinFilter.class)
          .question("how often, or how much of it, was x seen? never too low")
          .codec(CountMinFilter::encode, CountMinFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("count-min", CountMinShape.class)
                          .meets(Need.COUNTS)
                          .onlyFor(Need.COUNTS)
                          .forKeys(CountMinShape::forKeys)
                          .forBudget(CountMinShape::forBudget)
                          .reads(CountMinShape::rows)
                          .works(CountMinShape::rows)
                          .absent(shape -> 0.65 * shape.rows(), shape -> 0.85 * shape.rows())
                          .why(
                              "Sums of amounts such as bytes up to 2^63, never too low, by any"
                                  + " number of threads")
                          .mergesExactly()
                          .storesDuplicates()
                          .createsFor(CountMinFilter::create),
                      VariantBuilder.of("count-min-32", CountMinShape.class)
                          .meets(Need.COUNTS)
                          .onlyFor(Need.COUNTS)
                          .forKeys((n, p) -> CountMinShape.forKeys(n, p, Integer.SIZE))
                          .forBudget((n, m) -> CountMinShape.forBudget(n, m, Integer.SIZE))
                          .reads(CountMinShape::rows)
                          .works(CountMinShape::rows)
                          .absent(shape -> 0.65 * shape.rows(), shape -> 0.85 * shape.rows())
                          .why("Counts up to 4 billion, never too low, by any number of threads")
                          .mergesExactly()
                          .storesDuplicates()
                          .createsFor(CountMinFilter::create)));

  private final boolean conservative;
  private final CounterRows rows;

  /** The sum of all amounts, kept if it is not the sum of a row. */
  private long total;

  private CountMinFilter(CountMinShape shape, Hasher hasher, CounterRows rows, long total) {
    super(shape, hasher);
    this.conservative = shape.conservative();
    this.rows = rows;
    this.total = total;
  }

  /**
   * The filter with the fewest counters for a number of keys and a rate, with plain updates: nearly
   * all counts are exact, for 614 bits per key at 1 %. If counts may be too high by a small share
   * of all adds, {@link CountMinShape#forError} takes a memory that does not grow with the keys.
   *
   * @param expectedKeys how many distinct keys will be added, 1…2^36
   * @param falsePositiveRate how often a key that was never added may have a count above 0, above
   *     0, below 1
   * @return an empty filter
   */
  public static CountMinFilter create(long expectedKeys, double falsePositiveRate) {
    return create(CountMinShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape rows, their width, the width of a counter, and plain or conservative update
   * @return an empty filter
   */
  public static CountMinFilter create(CountMinShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher: for many writers with plain updates, for one with
   * conservative update.
   *
   * @param shape rows, their width, the width of a counter, and plain or conservative update
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static CountMinFilter create(CountMinShape shape, Hasher hasher) {
    return create(shape, hasher, shape.conservative() ? Writers.ONE : Writers.MANY);
  }

  /**
   * A filter of a given shape and hasher, for one writer or many.
   *
   * @param shape rows, their width, the width of a counter, and plain or conservative update
   * @param hasher turns keys into hashes
   * @param writers how many threads may add at the same time; many need plain updates
   * @return an empty filter
   * @throws IllegalArgumentException if conservative update is combined with many writers
   */
  public static CountMinFilter create(CountMinShape shape, Hasher hasher, Writers writers) {
    boolean shared = writers == Writers.MANY;
    if (shared && shape.conservative()) {
      throw new IllegalArgumentException(
          "writers = MANY and conservative = true exclude each other: of two threads that raise the"
              + " same counters one would lose its addition");
    }
    CounterRows cells =
        CounterRows.allocate(shape.rows(), shape.width(), shape.counterBits(), shared);
    return new CountMinFilter(shape, hasher, cells, 0);
  }

  private Frame encode() {
    Frame frame = Frame.of(hasher()).put(shape());
    if (conservative) {
      frame.put("total", total);
    }
    return frame.section(rows.words());
  }

  private static CountMinFilter decode(Frame frame) throws IOException {
    CountMinShape shape = frame.shape(CountMinShape.class);
    long total = shape.conservative() ? frame.number("total", 0, Long.MAX_VALUE) : 0;
    Words words =
        frame.counters(0, shape.rows() * shape.width(), shape.counterBits(), true).words();
    return new CountMinFilter(
        shape,
        frame.hasher(),
        new CounterRows(words, shape.rows(), shape.width(), shape.counterBits()),
        total);
  }

  @Override
  public FilterKind<CountMinFilter> kind() {
    return KIND;
  }

  /**
   * {@inheritDoc}
   *
   * @return the number of additions or the amount, never too low while no counter is saturated
   */
  @Override
  public long countHash(long hash) {
    return rows.min(hash);
  }

  @Override
  public long maxCount() {
    return rows.max();
  }

  @Override
  public boolean addHash(long hash, long times) {
    if (times <= 0) {
      Arguments.inRange("times", times, 0, Long.MAX_VALUE);
      rows.words().writable();
      return false;
    }
    if (!conservative) {
      return rows.add(hash, times);
    }
    boolean isNew = rows.raise(hash, times) == 0;
    total += Math.min(times, Long.MAX_VALUE - total);
    return isNew;
  }

  @Override
  public void addHashes(long[] hashes, int from, int to) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromToIndex(from, to, hashes.length);
    if (!conservative) {
      rows.addEach(hashes, from, to);
      return;
    }
    for (int i = from; i < to; i++) {
      addHash(hashes[i], 1);
    }
  }

  /**
   * The sum of all amounts. With plain updates it is read from the counters of one row.
   *
   * @return 0 or more; 2^63 - 1 if it is more than that; too low if a counter is saturated
   */
  public long total() {
    return conservative ? total : rows.sumOfFirstRow();
  }

  /**
   * The most by which a count is too high, except for a share {@link CountMinShape#delta} of the
   * keys: epsilon times the total.
   *
   * @return the bound, rounded up
   */
  public long errorBound() {
    return (long) Math.ceil(shape().epsilon() * total());
  }

  /** {@inheritDoc} Here: the product of the shares of counters above 0, row by row. */
  @Override
  public double falsePositiveRate() {
    return rows.hitRate();
  }

  /** {@inheritDoc} Here: the counters above 0. */
  @Override
  public double fillRatio() {
    return shape().table().fillRatio(rows.used());
  }

  /** {@inheritDoc} Here: ln(1 − X/w) / ln(1 − 1/w) for the X of w counters of a row, averaged. */
  @Override
  public double cardinality() {
    return shape().table().cardinality(rows.used());
  }

  @Override
  public Optional<CountError> countError() {
    return Optional.of(new CountError(total(), errorBound(), shape().delta(), saturatedCounters()));
  }

  /**
   * How many counters are at the highest value of their width.
   *
   * @return 0 unless amounts exceeded it
   */
  public long saturatedCounters() {
    return rows.saturated();
  }

  @Override
  public boolean isCompatible(CountMinFilter other) {
    return fits(other);
  }

  /**
   * {@inheritDoc} Counts are added. With plain updates the result is the filter of both streams,
   * bit for bit. With conservative update counts are still never too low, but up to the sum of both
   * errors too high, which is more than one filter of both streams would have.
   */
  @Override
  public void merge(CountMinFilter other) {
    requireFits(other);
    if (other != this) {
      rows.addAll(other.rows);
      total += Math.min(other.total, Long.MAX_VALUE - total);
    }
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same counts, writable even if this one is mapped
   */
  public CountMinFilter copy() {
    return new CountMinFilter(shape(), hasher(), rows.copy(), total);
  }

  /** Removes all counts, for example before the next interval. */
  public void clear() {
    rows.clear();
    total = 0;
  }
}
