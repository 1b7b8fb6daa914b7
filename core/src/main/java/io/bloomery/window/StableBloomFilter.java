package io.bloomery.window;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Was x seen lately, on an endless stream in fixed memory? Each added key first decreases a few
 * cells that chance picks, so that old keys fade and the share of zeros, and with it the
 * false-positive rate, settles at a fixed point. Errs on both sides: a key that was added is
 * reported absent with a probability that grows with the number of keys added since ({@link
 * StableShape#falseNegativeRate}).
 *
 * <p>Use it where memory is too small for any window; {@link RecentFilter} never forgets a key
 * inside its window.
 *
 * <p>Threads: lock-free, any number may add and query. Adds that run at the same time may decrease
 * each other's cells, as they may one after another.
 *
 * <p>Deng and Rafiei 2006, "Approximately Detecting Duplicates for Streaming Data using Stable
 * Bloom Filters". Deviations: the cells that decrease are consecutive from a random start, as the
 * paper allows (sec. 3.2); the start is drawn from the number of adds, so that equal histories give
 * equal filters; and the cells of a key lie in different slices, so that they differ and the
 * formulas are exact.
 */
public final class StableBloomFilter implements AddableFilter, Storable {

  /** How files name this kind. */
  public static final FilterKind<StableBloomFilter> KIND =
      new FilterKind<>(
          33,
          "stable",
          "was x seen lately? endless streams in fixed memory, old keys fade",
          StableBloomFilter.class,
          StableBloomFilter::encode,
          StableBloomFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  StableShape.class,
                  StableBloomFilter::shapeFor,
                  FilterRecipe.byRate(StableBloomFilter::shapeFor),
                  order -> builder().shape(order.shape()).hasher(order.hasher()).build()));

  private static final double MISS_RATE = 1e-6;

  private final Hasher hasher;
  private final StableShape shape;
  private final Counters cells;
  private final AtomicLong adds;
  private final Modulus slice;
  private final long stride;

  private StableBloomFilter(Hasher hasher, StableShape shape, Counters cells, long adds) {
    this.hasher = hasher;
    this.shape = shape;
    this.cells = cells;
    this.adds = new AtomicLong(adds);
    this.stride = shape.cells() / shape.probes();
    this.slice = new Modulus(stride);
  }

  /**
   * The smallest filter that remembers keys long enough.
   *
   * @param expectedKeys adds that a cell lives for on average, 1 or more
   * @param falsePositiveRate the rate after endless adds, above 0, below 1
   * @return an empty filter
   */
  public static StableBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * A filter of a given shape, as papers give it.
   *
   * @param shape cells, their width, how many a key sets and how many it decreases
   * @return an empty filter
   */
  public static StableBloomFilter ofShape(StableShape shape) {
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

  /** Of so many keys none is likely to fade before the last one came. */
  private static StableShape shapeFor(long keys, double rate) {
    return StableShape.forWindow(keys, rate, MISS_RATE / keys);
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("cells", shape.cells())
        .put("cell bits", shape.cellBits())
        .put("probes", shape.probes())
        .put("decrements", shape.decrements())
        .put("adds", adds.get())
        .section(cells.words());
  }

  private static StableBloomFilter decode(Frame frame) throws IOException {
    StableShape shape;
    try {
      shape =
          new StableShape(
              frame.number("cells", 2, Long.MAX_VALUE),
              (int) frame.number("cell bits", 1, 8),
              (int) frame.number("probes", 1, 255),
              (int) frame.number("decrements", 1, Integer.MAX_VALUE));
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    long adds = frame.number("adds", 0, Long.MAX_VALUE);
    Counters cells = CellSections.read(frame, shape.cells(), shape.cellBits());
    return new StableBloomFilter(frame.hasher(), shape, cells, adds);
  }

  @Override
  public FilterKind<StableBloomFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The fixed parameters.
   *
   * @return the shape, with its rate formulas
   */
  public StableShape shape() {
    return shape;
  }

  /**
   * How many times a key was added, those that were there already included.
   *
   * @return 0 or more
   */
  public long adds() {
    return adds.get();
  }

  /**
   * {@inheritDoc} Here both answers err.
   *
   * @return {@code false}: never added, or added long ago; {@code true}: probably added lately
   */
  @Override
  public boolean mightContainHash(long hash) {
    for (int i = 0; i < shape.probes(); i++) {
      if (cells.get(cell(hash, i)) == 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Adds a key by its hash, and lets others fade.
   *
   * @return {@code true}: it was absent; {@code false}: it probably was there. Neither is certain
   */
  @Override
  public boolean addHash(long hash) {
    cells.words().writable();
    boolean absent = !mightContainHash(hash);
    long m = shape.cells();
    long start = Mix.reduce(Mix.mix((adds.getAndIncrement() + 1) * Mix.GOLDEN), m);
    long end = start + shape.decrements();
    cells.decrease(start, Math.min(end, m));
    cells.decrease(0, Math.max(0, end - m));
    for (int i = 0; i < shape.probes(); i++) {
      cells.set(cell(hash, i), shape.max());
    }
    return absent;
  }

  private long cell(long hash, int i) {
    return i * stride + slice.of(Mix.stream(hash, i));
  }

  /** {@inheritDoc} Here: the product over the slices of the shares of cells above zero. */
  @Override
  public double falsePositiveRate() {
    double rate = 1;
    for (int i = 0; i < shape.probes(); i++) {
      rate *= 1 - zeros(i * stride, (i + 1) * stride) / (double) stride;
    }
    return rate;
  }

  /**
   * The share of cells that are zero now.
   *
   * @return 0…1
   */
  public double zeroShare() {
    return (double) zeros(0, shape.cells()) / shape.cells();
  }

  private long zeros(long from, long to) {
    long zeros = 0;
    for (long i = from; i < to; i++) {
      zeros += cells.get(i) == 0 ? 1 : 0;
    }
    return zeros;
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * An independent heap copy.
   *
   * @return a filter that answers and goes on like this one
   */
  public StableBloomFilter copy() {
    return new StableBloomFilter(hasher, shape, cells.copy(), adds.get());
  }

  @Override
  public String toString() {
    return "StableBloomFilter[" + shape + ", " + hasher + "]";
  }

  /** Options of a filter: a mean lifetime with a rate, or a shape. */
  public static final class Builder extends SizedBuilder<Builder> {
    private StableShape shape;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The whole shape, instead of a lifetime and a rate.
     *
     * @param shape the shape
     * @return this
     */
    public Builder shape(StableShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     */
    public StableBloomFilter build() {
      if (shape != null && (expectedKeys != 0 || falsePositiveRate != 0)) {
        throw new IllegalArgumentException("a shape and expectedKeys or a rate exclude each other");
      }
      StableShape chosen =
          shape == null ? StableShape.forKeys(expectedKeys, falsePositiveRate) : shape;
      return new StableBloomFilter(
          hasher, chosen, Counters.allocate(chosen.cells(), chosen.cellBits(), false, true), 0);
    }
  }
}
