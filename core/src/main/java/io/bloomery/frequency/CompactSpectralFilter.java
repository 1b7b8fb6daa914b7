package io.bloomery.frequency;

import io.bloomery.FrequencyFilter;
import io.bloomery.RemovableFilter;
import io.bloomery.frequency.SpectralShape.Method;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.bits.EliasCounters;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.CounterRows;
import java.util.Objects;
import java.util.Optional;

/**
 * How often was a key added, in memory close to that of a Bloom filter: a {@link SpectralFilter}
 * whose counters have variable lengths. It gives the same answers as the spectral filter of its
 * shape, in about one fourteenth of the memory for keys that are added once or twice; every query
 * decodes up to 128 codes per row, which takes about a microsecond in total, and every addition
 * shifts up to a few hundred bytes.
 *
 * <p>A key that is added once costs two to two and a half times the bits of the Bloom filter of the
 * same rate, and a key that is added c times 2·log2 c bits more in each row: counts take memory in
 * proportion to their logarithm, as the paper says, and its "similar to a Bloom filter" means a
 * factor of two.
 *
 * <p>Counts stop at 2^31 − 2. The recurring minimum is not supported. It exists only in memory:
 * {@link #toSpectralFilter} makes a filter that can be saved, and {@link #of} converts it back.
 *
 * <p>Threads: needs a lock, for queries too while another thread adds.
 *
 * <p>Cohen and Matias 2003, "Spectral Bloom Filters", sec. 4; Tarkoma, Rothenberg and Lagerspetz
 * 2012, sec. III-F. Deviation: groups of 1,024 counters with the positions of eight blocks instead
 * of the paper's string-array index of three levels.
 */
public final class CompactSpectralFilter implements FrequencyFilter {

  /** The highest count. */
  public static final long MAX_COUNT = EliasCounters.MAX;

  private final SpectralShape shape;
  private final Hasher hasher;
  private final EliasCounters counters;

  private CompactSpectralFilter(SpectralShape shape, Hasher hasher) {
    this.shape = Objects.requireNonNull(shape, "shape");
    this.hasher = Objects.requireNonNull(hasher, "hasher");
    if (shape.method() == Method.RECURRING_MINIMUM) {
      throw new IllegalArgumentException("method = RECURRING_MINIMUM has a second table");
    }
    this.counters = new EliasCounters(shape.rows() * shape.width());
  }

  /**
   * A filter by minimal increase for a number of keys and a rate.
   *
   * @param expectedKeys how many distinct keys will be added, 1…2^36
   * @param falsePositiveRate how often a key that was never added may have a count above 0, above
   *     0, below 1
   * @return an empty filter
   */
  public static CompactSpectralFilter create(long expectedKeys, double falsePositiveRate) {
    return create(SpectralShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape rows, their width and how counters change; the width of a counter is ignored
   * @return an empty filter
   * @throws IllegalArgumentException if the method is the recurring minimum
   */
  public static CompactSpectralFilter create(SpectralShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape rows, their width and how counters change; the width of a counter is ignored
   * @param hasher turns keys into hashes
   * @return an empty filter
   * @throws IllegalArgumentException if the method is the recurring minimum
   */
  public static CompactSpectralFilter create(SpectralShape shape, Hasher hasher) {
    return new CompactSpectralFilter(shape, hasher);
  }

  /**
   * A compact copy of a spectral filter.
   *
   * @param filter a filter by minimum selection or minimal increase
   * @return a filter with the same counts
   * @throws IllegalArgumentException if the method is the recurring minimum, or a counter is above
   *     {@link #MAX_COUNT}
   */
  public static CompactSpectralFilter of(SpectralFilter filter) {
    CompactSpectralFilter compact = new CompactSpectralFilter(filter.shape(), filter.hasher());
    Counters from = filter.primary().counters();
    for (long i = 0; i < from.count(); i++) {
      if (from.get(i) != 0) {
        compact.counters.set(i, Arguments.inRange("counter", from.get(i), 0, MAX_COUNT));
      }
    }
    return compact;
  }

  /**
   * A copy with counters of fixed width, which can be saved and mapped.
   *
   * @return a filter with the same counts
   * @throws IllegalStateException if a count does not fit the width of the shape's counters
   */
  public SpectralFilter toSpectralFilter() {
    CounterRows rows =
        CounterRows.allocate(shape.rows(), shape.width(), shape.counterBits(), false);
    long at = 0;
    for (int group = 0; group < counters.groups(); group++) {
      for (long value : counters.values(group)) {
        if (value > rows.max()) {
          throw new IllegalStateException(
              value + " does not fit into " + shape.counterBits() + " bits");
        }
        rows.counters().set(at++, value);
      }
    }
    return SpectralFilter.of(shape, hasher, rows);
  }

  /**
   * The shape; its size is that of counters of fixed width.
   *
   * @return the shape that it was created with
   */
  public SpectralShape shape() {
    return shape;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  @Override
  public long maxCount() {
    return MAX_COUNT;
  }

  @Override
  public long countHash(long hash) {
    long count = Long.MAX_VALUE;
    for (int row = 0; row < shape.rows() && count > 0; row++) {
      count = Math.min(count, counters.get(CounterRows.index(hash, row, shape.width())));
    }
    return count;
  }

  @Override
  public boolean addHash(long hash, long times) {
    Arguments.inRange("times", times, 0, Long.MAX_VALUE);
    long count = countHash(hash);
    if (times == 0) {
      return false;
    }
    boolean lowest = shape.method() == Method.MINIMAL_INCREASE;
    for (int row = 0; row < shape.rows(); row++) {
      long at = CounterRows.index(hash, row, shape.width());
      long value = counters.get(at);
      long next = sum(lowest ? count : value, times);
      if (next > value) {
        counters.set(at, next);
      }
    }
    return count == 0;
  }

  private static long sum(long value, long more) {
    return value + Math.min(more, MAX_COUNT - value);
  }

  /**
   * This filter with deletes.
   *
   * @return a view; empty for {@link Method#MINIMAL_INCREASE}
   */
  @Override
  public Optional<? extends RemovableFilter> removable() {
    return shape.method() == Method.MINIMAL_INCREASE
        ? Optional.empty()
        : Optional.of(new Removable(this));
  }

  private boolean removeHash(long hash) {
    if (countHash(hash) == 0) {
      return false;
    }
    for (int row = 0; row < shape.rows(); row++) {
      long at = CounterRows.index(hash, row, shape.width());
      long value = counters.get(at);
      if (value < MAX_COUNT) {
        counters.set(at, value - 1);
      }
    }
    return true;
  }

  /** {@inheritDoc} Here: the product of the shares of counters above 0, row by row. */
  @Override
  public double falsePositiveRate() {
    long[] used = new long[shape.rows()];
    long at = 0;
    for (int group = 0; group < counters.groups(); group++) {
      for (long value : counters.values(group)) {
        used[(int) (at++ / shape.width())] += value == 0 ? 0 : 1;
      }
    }
    double rate = 1;
    for (long row : used) {
      rate *= (double) row / shape.width();
    }
    return rate;
  }

  /** {@inheritDoc} Here: the current size of codes and positions. */
  @Override
  public long sizeInBits() {
    return counters.sizeInBits();
  }

  @Override
  public String toString() {
    return "CompactSpectralFilter[" + shape + ", " + hasher + "]";
  }

  /** The view with deletes. */
  private record Removable(CompactSpectralFilter filter) implements RemovableFilter {

    @Override
    public Hasher hasher() {
      return filter.hasher();
    }

    @Override
    public boolean mightContainHash(long hash) {
      return filter.mightContainHash(hash);
    }

    @Override
    public boolean addHash(long hash) {
      return filter.addHash(hash);
    }

    @Override
    public boolean removeHash(long hash) {
      return filter.removeHash(hash);
    }

    @Override
    public double falsePositiveRate() {
      return filter.falsePositiveRate();
    }

    @Override
    public long sizeInBits() {
      return filter.sizeInBits();
    }
  }
}
