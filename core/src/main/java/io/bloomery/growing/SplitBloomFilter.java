package io.bloomery.growing;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.Mergeable;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.layer.Layer;
import io.bloomery.internal.probe.Mix;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * A Bloom filter of several rows, one of which the hash chooses for each key, that knows when it is
 * too full and is then built anew from the keys. It never reports an added key absent.
 *
 * <p>Nothing is lost when more keys come than it is for: they are added, the rate rises above the
 * {@link #bound}, and {@link #isOverfull} says so. Then either {@link #rebuild} it with the hashes
 * of all keys, which only the caller has, or tell it once with {@link #rebuildFrom} where to get
 * them, and it does so by itself. Without the keys no filter can be made larger; {@link
 * ScalableBloomFilter} grows without them.
 *
 * <p>Threads: any number may add and query without a lock, as long as no rebuild runs; {@link
 * #copy} and saving hold every key added before the call began. With {@link #rebuildFrom} one
 * thread adds at a time, because an add may rebuild. Queries may always run.
 *
 * <p>Tarkoma, Rothenberg and Lagerspetz 2012, sec. III-P, after Xiao, Dai and Li 2004, "Split Bloom
 * Filter". The survey does not say how a key gets its row: here the hash decides, by an output of
 * its mixing stream that no position uses. A query then reads one row.
 */
public final class SplitBloomFilter
    implements AddableFilter, Mergeable<SplitBloomFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<SplitBloomFilter> KIND =
      new FilterKind<>(
          26,
          "split",
          "is x in the set? fixed rows, rebuilt from the keys when too full",
          SplitBloomFilter.class,
          SplitBloomFilter::encode,
          SplitBloomFilter::decode,
          () -> FilterRecipe.none("needs its keys again to grow, which a file does not hold"));

  /** The bits are looked at after one new key for so many of them: each 1 % of the keys at 1 %. */
  private static final int BITS_PER_LOOK = 1000;

  /** The output of a hash's mixing stream that chooses its row. */
  private static final int ROW_OUTPUT = -1;

  private final Hasher hasher;
  private final double bound;
  private final AtomicLong keys;
  private volatile Matrix matrix;
  private Supplier<LongStream> source;
  private long newKeys;

  /** The rows as they are until the next rebuild. */
  private static final class Matrix {

    private final SplitShape shape;
    private final Layer[] rows;

    Matrix(SplitShape shape, Layer[] rows) {
      this.shape = shape;
      this.rows = rows;
    }

    static Matrix empty(SplitShape shape) {
      Layer[] rows = new Layer[shape.rows()];
      for (int i = 0; i < rows.length; i++) {
        rows[i] = layer(shape, i, Words.forBits(shape.rowBits(), true));
      }
      return new Matrix(shape, rows);
    }

    static Layer layer(SplitShape shape, int row, Words words) {
      return new Layer(
          BloomShape.of(shape.rowBits(), shape.probes()), words, row, Shape.MAX_LOAD, 0);
    }

    Layer row(long hash) {
      return rows[(int) Mix.reduce(Mix.stream(hash, ROW_OUTPUT), rows.length)];
    }

    double rate() {
      double sum = 0;
      for (Layer row : rows) {
        sum += row.rate();
      }
      return sum / rows.length;
    }

    Matrix copy() {
      Layer[] copies = new Layer[rows.length];
      for (int i = 0; i < copies.length; i++) {
        copies[i] = rows[i].copy();
      }
      return new Matrix(shape, copies);
    }
  }

  private SplitBloomFilter(Hasher hasher, double bound, Matrix matrix, long keys) {
    this.hasher = hasher;
    this.bound = bound;
    this.matrix = matrix;
    this.keys = new AtomicLong(keys);
  }

  /**
   * The smallest filter of eight rows for a number of keys and a rate, which is its bound.
   *
   * @param expectedKeys how many different keys will be added, 1 or more
   * @param falsePositiveRate the rate at that number of keys, above which it is to be rebuilt
   * @return an empty filter
   */
  public static SplitBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * A filter of a given shape.
   *
   * @param shape rows, their size, and bits per key
   * @param bound the rate above which it is to be rebuilt, above 0, below 1
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static SplitBloomFilter of(SplitShape shape, double bound, Hasher hasher) {
    Arguments.rate("bound", bound);
    Objects.requireNonNull(hasher, "hasher");
    return new SplitBloomFilter(hasher, bound, Matrix.empty(shape), 0);
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
    Matrix now = matrix;
    Frame frame =
        Frame.of(hasher)
            .put("rows", now.shape.rows())
            .put("row bits", now.shape.rowBits())
            .put("probes", now.shape.probes())
            .put("bound", bound)
            .put("keys", keys.get());
    for (Layer row : now.rows) {
      frame.section(row.words());
    }
    return frame;
  }

  private static SplitBloomFilter decode(Frame frame) throws IOException {
    int rows = (int) frame.number("rows", 1, SplitShape.MAX_ROWS);
    long rowBits = frame.number("row bits", 2, Shape.MAX_BITS / rows);
    long probes = frame.number("probes", 1, Math.min(Shape.MAX_PROBES, rowBits));
    double bound = frame.real("bound", Double.MIN_VALUE, Math.nextDown(1.0));
    long keys = frame.number("keys", 0, Shape.MAX_LOAD);
    SplitShape shape = new SplitShape(rows, rowBits, (int) probes);
    Layer[] layers = new Layer[rows];
    for (int i = 0; i < rows; i++) {
      layers[i] = Matrix.layer(shape, i, frame.bits(i, rowBits));
    }
    return new SplitBloomFilter(frame.hasher(), bound, new Matrix(shape, layers), keys);
  }

  @Override
  public FilterKind<SplitBloomFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The rows as they are; a rebuild changes their size.
   *
   * @return the shape, with its rate formula
   */
  public SplitShape shape() {
    return matrix.shape;
  }

  /**
   * The rate above which the filter is to be rebuilt.
   *
   * @return above 0, below 1
   */
  public double bound() {
    return bound;
  }

  /**
   * How many keys were certainly new when they were added. Less than the number of different keys,
   * by about the false-positive rate; after a merge at least those of the filter that had more.
   *
   * @return a number that the keys of a rebuild must reach
   */
  public long keyCount() {
    return keys.get();
  }

  @Override
  public boolean mightContainHash(long hash) {
    return matrix.row(hash).allSet(hash);
  }

  /**
   * {@inheritDoc} With {@link #rebuildFrom} it may rebuild the filter; the key is in it even if the
   * source does not give it yet.
   *
   * @throws IllegalStateException if the filter is a read-only view of a mapped file, or if the
   *     source of a rebuild gives fewer keys than were added; the key is in the filter then
   */
  @Override
  public boolean addHash(long hash) {
    Layer row = matrix.row(hash);
    row.words().writable();
    if (!row.setAll(hash)) {
      return false;
    }
    keys.getAndIncrement();
    if (source != null && ++newKeys * BITS_PER_LOOK >= sizeInBits()) {
      newKeys = 0;
      if (isOverfull()) {
        rebuild(2 * keyCount(), LongStream.concat(source.get(), LongStream.of(hash)));
      }
    }
    return true;
  }

  /**
   * Whether the rate is above the bound. Reads the whole filter.
   *
   * @return true if the filter should be rebuilt
   */
  public boolean isOverfull() {
    return falsePositiveRate() > bound;
  }

  /**
   * Builds the filter anew, with as many rows of another size, so that it keeps its bound. No other
   * thread may add meanwhile.
   *
   * @param expectedKeys how many different keys it will have, 1 or more
   * @param hashes the hashes of all keys so far by {@link #hasher}, in any order, repeated or not
   * @throws IllegalStateException if there are fewer than {@link #keyCount}; nothing changed
   */
  public void rebuild(long expectedKeys, LongStream hashes) {
    Objects.requireNonNull(hashes, "hashes");
    Matrix old = matrix;
    old.rows[0].words().writable();
    Matrix fresh = Matrix.empty(SplitShape.forKeys(expectedKeys, bound, old.shape.rows()));
    long[] counts = new long[2];
    hashes
        .sequential()
        .forEach(
            hash -> {
              counts[0]++;
              counts[1] += fresh.row(hash).setAll(hash) ? 1 : 0;
            });
    if (counts[0] < keys.get()) {
      throw new IllegalStateException(
          "a rebuild needs the hashes of all keys: at least "
              + keys.get()
              + " were added, "
              + counts[0]
              + " are given");
    }
    matrix = fresh;
    keys.set(counts[1]);
  }

  /**
   * From now on rebuilds the filter for twice its keys whenever an add finds its rate above the
   * bound. The rate is looked at after each new 1 % of the keys or so, which keeps adds O(1) on
   * average. The source is not saved with the filter.
   *
   * @param hashes gives the hashes of all keys so far by {@link #hasher}; the key that is being
   *     added may be missing
   */
  public void rebuildFrom(Supplier<LongStream> hashes) {
    source = Objects.requireNonNull(hashes, "hashes");
  }

  /** {@inheritDoc} Here: the mean over the rows of the k-th power of their fill. */
  @Override
  public double falsePositiveRate() {
    return matrix.rate();
  }

  /**
   * The share of bits that are set in a row.
   *
   * @param row 0 … rows - 1
   * @return 0…1
   */
  public double rowFill(int row) {
    Matrix now = matrix;
    Objects.checkIndex(row, now.rows.length);
    return (double) now.rows[row].words().bitCount() / now.shape.rowBits();
  }

  @Override
  public long sizeInBits() {
    return matrix.shape.sizeInBits();
  }

  @Override
  public boolean isCompatible(SplitBloomFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, shape(), other.shape());
  }

  /** {@inheritDoc} The result is bit for bit the filter of the union of both key sets. */
  @Override
  public void merge(SplitBloomFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape(), other.shape());
    Matrix ours = matrix;
    Matrix theirs = other.matrix;
    for (int i = 0; i < ours.rows.length; i++) {
      ours.rows[i].words().orAll(theirs.rows[i].words());
    }
    keys.accumulateAndGet(other.keys.get(), Math::max);
  }

  /**
   * A copy in heap memory that shares nothing with this filter and has no source of keys.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public SplitBloomFilter copy() {
    long count = keys.get();
    return new SplitBloomFilter(hasher, bound, matrix.copy(), count);
  }

  @Override
  public String toString() {
    return "SplitBloomFilter[" + shape() + ", bound " + bound + ", " + hasher + "]";
  }

  /** Options of a filter. */
  public static final class Builder extends SizedBuilder<Builder> {
    private int rows = SplitShape.DEFAULT_ROWS;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * How many rows there are.
     *
     * @param rows 1 … 4096; 8 if never called
     * @return this
     */
    public Builder rows(int rows) {
      this.rows = Arguments.inRange("rows", rows, 1, SplitShape.MAX_ROWS);
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     */
    public SplitBloomFilter build() {
      return of(
          SplitShape.forKeys(expectedKeys, falsePositiveRate, rows), falsePositiveRate, hasher);
    }
  }
}
