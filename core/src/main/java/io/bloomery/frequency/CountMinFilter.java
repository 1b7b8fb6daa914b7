package io.bloomery.frequency;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.FrequencyFilter;
import io.bloomery.Mergeable;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.CounterRows;
import java.io.IOException;
import java.util.Objects;

/**
 * How often was a key seen, or how many bytes has a flow sent: rows of counters, in each of which a
 * key has one, and its count is the lowest of them. A count is never too low; it is too high by
 * more than {@link CountMinShape#epsilon} times {@link #total} for a share of at most {@link
 * CountMinShape#delta} of the keys. So no key whose true amount reaches a threshold is missed.
 *
 * <p>With {@linkplain Builder#conservative conservative update} an addition raises the counters of
 * a key only as far as its count needs, which leaves about half of the error for one more pass over
 * the counters. {@link HeavyHitters} keeps the keys of the largest counts beside a filter.
 *
 * <p>Amounts are whole numbers from 0 to 2^63 - 1. Counters have 64 bits by default; a counter that
 * would exceed its width stays at its highest value, from where on counts may be too low, and
 * {@link #saturatedCounters} says how many there are.
 *
 * <p>Threads: one writer at a time, and queries see what it has written when it has told them of
 * it. With {@link Builder#shared shared(true)} any number of threads may add, merge into and query
 * a filter with plain updates without a lock; so they may one that was opened from a file.
 *
 * <p>Estan and Varghese 2002, "New Directions in Traffic Measurement and Accounting" (parallel
 * multistage filter, conservative update); Broder and Mitzenmacher 2004, "Network Applications of
 * Bloom Filters", sec. 8.1; Cormode and Muthukrishnan 2005 (count-min). Deviation: rows take their
 * indexes from independent mixes of one 64-bit hash instead of pairwise independent functions.
 */
public final class CountMinFilter implements FrequencyFilter, Mergeable<CountMinFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<CountMinFilter> KIND =
      new FilterKind<>(
          28,
          "count-min",
          "how often, or how much of it, was x seen? never too low",
          CountMinFilter.class,
          CountMinFilter::encode,
          CountMinFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  CountMinShape.class,
                  (keys, rate) ->
                      CountMinShape.forKeys(keys, rate, CountMinShape.DEFAULT_COUNTER_BITS),
                  (keys, bits) ->
                      CountMinShape.forBudget(keys, bits, CountMinShape.DEFAULT_COUNTER_BITS),
                  CountMinFilter::made));

  private final Hasher hasher;
  private final CountMinShape shape;
  private final boolean conservative;
  private final CounterRows rows;

  /** The sum of all amounts, kept if it is not the sum of a row. */
  private long total;

  private CountMinFilter(
      Hasher hasher, CountMinShape shape, boolean conservative, CounterRows rows, long total) {
    this.hasher = hasher;
    this.shape = shape;
    this.conservative = conservative;
    this.rows = rows;
    this.total = total;
  }

  /**
   * The filter of the fewest counters for a number of keys and a rate, with plain updates.
   *
   * @param expectedKeys how many different keys will be added, 1…2^36
   * @param falsePositiveRate how often a key that was never added may have a count above 0, above
   *     0, below 1
   * @return an empty filter
   */
  public static CountMinFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * The filter that keeps an error bound, with plain updates: 1 % of the keys may have counts that
   * are too high by more than 0.1 % of the total with {@code forError(0.001, 0.01)}.
   *
   * @param epsilon the share of the total of all amounts by which a count may be too high, above 0,
   *     below 1
   * @param delta the share of keys whose count may be too high by more, above 0, below 1
   * @return an empty filter
   */
  public static CountMinFilter forError(double epsilon, double delta) {
    return builder().error(epsilon, delta).build();
  }

  /**
   * A filter whose size is given, as papers do, with plain updates.
   *
   * @param rows counters per key, 1…255
   * @param width counters per row, 1 or more
   * @return an empty filter
   */
  public static CountMinFilter ofRows(int rows, long width) {
    return builder().rows(rows).width(width).build();
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private static CountMinFilter made(FilterRecipe.Order<CountMinShape> order) {
    CountMinShape shape = order.shape();
    return builder()
        .rows(shape.rows())
        .width(shape.width())
        .counterBits(shape.counterBits())
        .shared(true)
        .hasher(order.hasher())
        .build();
  }

  private Frame encode() {
    Frame frame =
        Frame.of(hasher)
            .put("rows", shape.rows())
            .put("width", shape.width())
            .put("counter bits", shape.counterBits())
            .put("conservative", conservative ? 1 : 0);
    if (conservative) {
      frame.put("total", total);
    }
    return frame.section(rows.words());
  }

  private static CountMinFilter decode(Frame frame) throws IOException {
    int rows = (int) frame.number("rows", 1, CountMinShape.MAX_PROBES);
    long width = frame.number("width", 1, CountMinShape.MAX_BITS);
    int counterBits = (int) frame.number("counter bits", 8, 64);
    boolean conservative = frame.number("conservative", 0, 1) == 1;
    long total = conservative ? frame.number("total", 0, Long.MAX_VALUE) : 0;
    CountMinShape shape;
    try {
      shape = new CountMinShape(rows, width, counterBits);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    Words words = frame.bits(0, shape.sizeInBits());
    return new CountMinFilter(
        frame.hasher(),
        shape,
        conservative,
        new CounterRows(words, rows, width, counterBits),
        total);
  }

  @Override
  public FilterKind<CountMinFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The filter's fixed parameters.
   *
   * @return the shape, which also tells error and rate
   */
  public CountMinShape shape() {
    return shape;
  }

  /**
   * Whether additions raise only the counters that must rise.
   *
   * @return true for conservative update
   */
  public boolean isConservative() {
    return conservative;
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
      return rows.add(hash, times) == 0;
    }
    boolean isNew = rows.raise(hash, times) == 0;
    total += Math.min(times, Long.MAX_VALUE - total);
    return isNew;
  }

  @Override
  public void addHashes(long[] hashes, int from, int to) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromToIndex(from, to, hashes.length);
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
   * By how much a count is too high at most, but for a share {@link CountMinShape#delta} of the
   * keys: epsilon times the total.
   *
   * @return the bound, rounded up
   */
  public long errorBound() {
    return (long) Math.ceil(shape.epsilon() * total());
  }

  /** {@inheritDoc} Here: the product of the shares of counters above 0, row by row. */
  @Override
  public double falsePositiveRate() {
    return rows.hitRate();
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
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
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, layout(), other.layout());
  }

  private Layout layout() {
    return new Layout(shape.rows(), shape.width(), shape.counterBits(), conservative);
  }

  private record Layout(int rows, long width, int counterBits, boolean conservative) {}

  /**
   * {@inheritDoc} Counts are added. With plain updates the result is the filter of both streams,
   * bit for bit. With conservative update counts are still never too low, but up to the sum of both
   * errors too high, which is more than one filter of both streams would have.
   */
  @Override
  public void merge(CountMinFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, layout(), other.layout());
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
    return new CountMinFilter(hasher, shape, conservative, rows.copy(), total);
  }

  /** Removes every key, for the next interval. */
  public void clear() {
    rows.clear();
    total = 0;
  }

  @Override
  public String toString() {
    return "CountMinFilter[" + layout() + ", " + hasher + "]";
  }

  /** Options: expected keys and rate, or an error bound, or rows and width. */
  public static final class Builder extends SizedBuilder<Builder> {
    private double epsilon;
    private double delta;
    private int rows;
    private long width;
    private int counterBits = CountMinShape.DEFAULT_COUNTER_BITS;
    private boolean conservative;
    private boolean shared;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The error bound, instead of keys and rate.
     *
     * @param epsilon the share of the total by which a count may be too high, above 0, below 1
     * @param delta the share of keys whose count may be too high by more, above 0, below 1
     * @return this builder
     */
    public Builder error(double epsilon, double delta) {
      this.epsilon = Arguments.rate("epsilon", epsilon);
      this.delta = Arguments.rate("delta", delta);
      return this;
    }

    /**
     * Counters per key, together with {@link #width}.
     *
     * @param rows 1…255
     * @return this builder
     */
    public Builder rows(int rows) {
      this.rows = Arguments.inRange("rows", rows, 1, CountMinShape.MAX_PROBES);
      return this;
    }

    /**
     * Counters per row, together with {@link #rows}.
     *
     * @param width 1 or more
     * @return this builder
     */
    public Builder width(long width) {
      this.width = Arguments.inRange("width", width, 1, CountMinShape.MAX_BITS);
      return this;
    }

    /**
     * The width of a counter.
     *
     * @param bits 8, 16, 32, or 64, which is the default
     * @return this builder
     */
    public Builder counterBits(int bits) {
      this.counterBits = bits;
      return this;
    }

    /**
     * Whether an addition raises only the counters that must rise: less error, but merged counts
     * err more, and adding takes about twice as long.
     *
     * @param conservative true for conservative update, false, the default, for plain
     * @return this builder
     */
    public Builder conservative(boolean conservative) {
      this.conservative = conservative;
      return this;
    }

    /**
     * Whether several threads may add at the same time, for plain updates only. Adding then takes
     * longer.
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
     *     or if a conservative filter is to be shared
     */
    public CountMinFilter build() {
      if (shared && conservative) {
        throw new IllegalArgumentException(
            "shared = true and conservative = true exclude each other: two threads that raise the"
                + " same counters would lose one of two additions");
      }
      CountMinShape shape = shape();
      CounterRows cells =
          CounterRows.allocate(shape.rows(), shape.width(), shape.counterBits(), shared);
      return new CountMinFilter(hasher, shape, conservative, cells, 0);
    }

    private CountMinShape shape() {
      boolean byRows = rows != 0 || width != 0;
      boolean byError = epsilon != 0;
      boolean byKeys = expectedKeys != 0 || falsePositiveRate != 0;
      if ((byRows ? 1 : 0) + (byError ? 1 : 0) + (byKeys ? 1 : 0) > 1) {
        throw new IllegalArgumentException(
            "rows and width, error, and expectedKeys and falsePositiveRate exclude each other");
      }
      if (byRows) {
        return new CountMinShape(rows, width, counterBits);
      }
      return byError
          ? CountMinShape.forError(epsilon, delta, counterBits)
          : CountMinShape.forKeys(expectedKeys, falsePositiveRate, counterBits);
    }
  }
}
