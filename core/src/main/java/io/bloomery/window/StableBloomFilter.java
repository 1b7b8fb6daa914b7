package io.bloomery.window;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Was x seen recently, on an endless stream in fixed memory? Each add first decrements a few
 * randomly chosen cells, so that old keys fade and the share of zeros, and with it the
 * false-positive rate, settles at a fixed point. It errs in both directions: an added key is
 * reported absent with a probability that grows with the number of keys added since ({@link
 * StableShape#falseNegativeRate}).
 *
 * <p>Use it where memory is too small for any window; {@link RecentFilter} never forgets a key
 * inside its window.
 *
 * <p>Threads: lock-free, any number may add and query. Concurrent adds may decrement each other's
 * cells, as consecutive adds do.
 *
 * <p>Deng and Rafiei 2006, "Approximately Detecting Duplicates for Streaming Data using Stable
 * Bloom Filters". Deviations: the decremented cells are consecutive from a random start, as the
 * paper allows (sec. 3.2); the start is drawn from the number of adds, so that equal histories give
 * equal filters; and the cells of a key lie in different slices, so that they differ and the
 * formulas are exact.
 */
public final class StableBloomFilter extends ShapedFilter<StableShape> implements AddableFilter {

  public static final FilterKind<StableBloomFilter> KIND =
      Kind.of(33, "stable", StableBloomFilter.class)
          .question("was x seen lately? endless streams in fixed memory, old keys fade")
          .codec(StableBloomFilter::encode, StableBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("stable", StableShape.class)
                          .meets(Need.WINDOW)
                          .misses("it also forgets some keys of the window")
                          .onlyFor(Need.WINDOW)
                          .forKeys(StableShape::forKeys)
                          .searchBudget()
                          .reads(StableShape::hashesPerKey)
                          .works(shape -> 1.7 * shape.hashesPerKey())
                          .absentByThree(shape -> shape.hashesPerKey(), shape -> 8)
                          .why(
                              "Old keys fade at random: fixed memory on endless streams, with a"
                                  + " false-negative rate as high as the false-positive rate at the"
                                  + " end of the window")
                          .orderMatters()
                          .creates(StableBloomFilter::create)));

  private final Counters cells;
  private final AtomicLong adds;
  private final Modulus slice;
  private final long stride;

  private StableBloomFilter(StableShape shape, Hasher hasher, Counters cells, long adds) {
    super(shape, hasher);
    this.cells = cells;
    this.adds = new AtomicLong(adds);
    this.stride = shape.cells() / shape.hashesPerKey();
    this.slice = new Modulus(stride);
  }

  /**
   * The smallest filter for a window of adds; see {@link StableShape#forKeys} for its guarantee.
   *
   * @param expectedKeys adds that make a window, 0 or more
   * @param falsePositiveRate the rate in the limit of infinitely many adds, and the false-negative
   *     rate of a key at the end of the window, above 0, below 1
   * @return an empty filter
   */
  public static StableBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(StableShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape cells, their width, how many a key sets and how many it decrements
   * @return an empty filter
   */
  public static StableBloomFilter create(StableShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape cells, their width, how many a key sets and how many it decrements
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static StableBloomFilter create(StableShape shape, Hasher hasher) {
    Counters cells = Counters.allocate(shape.cells(), shape.cellBits(), false, true);
    return new StableBloomFilter(shape, hasher, cells, 0);
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).put("adds", adds()).section(cells.words());
  }

  private static StableBloomFilter decode(Frame frame) throws IOException {
    StableShape shape = frame.shape(StableShape.class);
    long adds = frame.number("adds", 0, Long.MAX_VALUE);
    Counters cells = frame.counters(0, shape.cells(), shape.cellBits(), false);
    return new StableBloomFilter(shape, frame.hasher(), cells, adds);
  }

  @Override
  public FilterKind<StableBloomFilter> kind() {
    return KIND;
  }

  /**
   * How many adds there were, repeated keys included.
   *
   * @return 0 or more
   */
  public long adds() {
    long counted = adds.get();
    return counted < 0 ? Long.MAX_VALUE : counted; // it has overflowed
  }

  /**
   * {@inheritDoc} Here both answers may be wrong.
   *
   * @return {@code false}: never added, or added long ago; {@code true}: probably added recently
   */
  @Override
  public boolean mightContainHash(long hash) {
    int hashesPerKey = shape().hashesPerKey();
    for (int i = 0; i < hashesPerKey; i++) {
      if (cells.get(cell(hash, i)) == 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Adds a key by its hash and lets other keys fade.
   *
   * @return {@code true}: it was absent; {@code false}: it was probably present. Neither is certain
   */
  @Override
  public boolean addHash(long hash) {
    cells.words().writable();
    boolean absent = !mightContainHash(hash);
    StableShape shape = shape();
    long m = shape.cells();
    long start = Mix.reduce(Mix.mix((adds.getAndIncrement() + 1) * Mix.GOLDEN), m);
    long end = start + shape.decrements();
    cells.decrease(start, Math.min(end, m));
    cells.decrease(0, Math.max(0, end - m));
    for (int i = 0; i < shape.hashesPerKey(); i++) {
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
    for (int i = 0; i < shape().hashesPerKey(); i++) {
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
    return (double) zeros(0, shape().cells()) / shape().cells();
  }

  private long zeros(long from, long to) {
    long zeros = 0;
    for (long i = from; i < to; i++) {
      zeros += cells.get(i) == 0 ? 1 : 0;
    }
    return zeros;
  }

  /**
   * An independent heap copy.
   *
   * @return a filter with the same state
   */
  public StableBloomFilter copy() {
    return new StableBloomFilter(shape(), hasher(), cells.copy(), adds.get());
  }
}
