package io.bloomery.frozen;

import io.bloomery.ConstructionException;
import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.RibbonLayout;
import io.bloomery.internal.solve.Ribbon;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A static set as the solution of linear equations, one per key: the smallest filter here. It never
 * reports a member absent, and any other key matches with a given probability of at least 2^-32,
 * not only a power of two. It takes 1.006 times the least possible memory for a million keys at
 * 2^-8, and 1.017 times for 1 %, where 28 % of the keys have fingerprints of 6 bits and the others
 * of 7.
 *
 * <p>A query computes r parities in two neighbouring segments of r words each; that takes about
 * three times as long as the three reads of a {@code FuseFilter} that is in the cache, and twice as
 * long if it is not. So use this kind for sets that are stored or sent many times, or where memory
 * is scarce. Small sets do not benefit: below 1,500 keys it takes at least 64 bits per column, and
 * about 9 % more than the ideal.
 *
 * <p>Building takes the filter's own memory and 2 MB per thread beside the hashes, which are sorted
 * in place; hashes that are given in an array are copied first. For a seed, the same set of hashes
 * gives the same bytes, regardless of order, repetitions and number of threads.
 *
 * <p>Immutable; any number of threads may query.
 *
 * <p>Source: Dillinger, Hübschle-Schneider, Sanders and Walzer, "Fast Succinct Retrieval and
 * Approximate Membership using Ribbon", 2022 (bumped ribbon, width 64, thresholds of 2 bits for 128
 * slots); Dillinger and Walzer, "Ribbon filter: practically smaller than Bloom and Xor", 2021
 * (elimination, interleaved columns, columns that are partly narrower). Deviations: layers are cut
 * into chunks of about 2^16 slots that are solved separately, in little memory and on several
 * threads; the sizes of all layers are fixed by the number of keys; the last layer is a plain
 * ribbon that is tried again with another salt if it fails.
 */
public final class RibbonFilter extends ShapedFilter<RibbonShape> {

  public static final FilterKind<RibbonFilter> KIND =
      Kind.of(42, "ribbon", RibbonFilter.class)
          .question("is x in the static set? linear equations: the smallest filter")
          .codec(RibbonFilter::encode, RibbonFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("ribbon", RibbonShape.class)
                          .meets(Need.FROZEN_SET)
                          .onlyFor(Need.FROZEN_SET)
                          .forKeys(RibbonShape::forKeys)
                          .forBudget(RibbonShape::forBudget)
                          .reads(RibbonShape::cacheLines, shape -> 2 * shape.columns())
                          .works(
                              shape -> 1.25 * shape.cacheLines(),
                              shape -> 7 + 0.78 * shape.columns())
                          .absent(shape -> 1.25 * shape.cacheLines(), shape -> 10)
                          .addsLike(4)
                          .why(
                              "Linear equations: close to the least memory that there is, with more"
                                  + " to compute per query than other static filters")
                          .sharded()
                          .builds(
                              (shape, hasher, threads) ->
                                  builder().planned(shape, hasher, threads))));

  private static final int DEFAULT_COLUMNS = 8;

  private final Ribbon ribbon;

  private RibbonFilter(RibbonShape shape, Hasher hasher, Ribbon ribbon) {
    super(shape, hasher);
    this.ribbon = ribbon;
  }

  /**
   * A filter of keys given by their hashes, with a given rate.
   *
   * @param hashes the keys' hashes by {@link Hasher#xxh3()}, in any order, duplicates allowed; not
   *     modified
   * @param falsePositiveRate 2^-32 … 1
   * @return the filter
   * @throws ConstructionException if every random trial failed
   */
  public static RibbonFilter ofHashes(long[] hashes, double falsePositiveRate) {
    return builder().falsePositiveRate(falsePositiveRate).buildOf(KeyHashes.of(hashes));
  }

  /**
   * A filter of keys given by their hashes, of given columns and a given hasher.
   *
   * @param hashes the keys' hashes by {@code hasher}, in any order, duplicates allowed; not
   *     modified
   * @param shape a shape for any number of keys; the filter uses the {@link RibbonShape#withKeys
   *     shape} for the actual number of keys
   * @param hasher turns keys into hashes
   * @return the filter
   * @throws ConstructionException if every random trial failed
   */
  public static RibbonFilter ofHashes(long[] hashes, RibbonShape shape, Hasher hasher) {
    return builder().shape(shape).hasher(hasher).buildOf(KeyHashes.of(hashes));
  }

  /**
   * A filter of numbers, with a given rate.
   *
   * @param keys the keys, in any order, duplicates allowed; each is hashed by {@link Hasher#xxh3()}
   * @param falsePositiveRate 2^-32 … 1
   * @return the filter
   * @throws ConstructionException if every random trial failed
   */
  public static RibbonFilter ofKeys(long[] keys, double falsePositiveRate) {
    return builder().falsePositiveRate(falsePositiveRate).buildOfKeys(keys);
  }

  /**
   * A builder with all options, to which keys are added one at a time.
   *
   * @return a builder of 8 columns, unless it is given a rate or a shape
   */
  public static FrozenBuilder<RibbonShape, RibbonFilter> builder() {
    return new FrozenBuilder<>(
        new FrozenSolver<>(
            RibbonShape::forKeys,
            RibbonShape::withKeys,
            RibbonShape.ofColumns(1, DEFAULT_COLUMNS),
            RibbonFilter::solve));
  }

  private static RibbonFilter solve(
      KeyHashes hashes, LongFunction<RibbonShape> shapes, FrozenSolver.Construction how) {
    RibbonShape form = shapes.apply(hashes.size());
    Ribbon ribbon =
        Ribbon.build(
            hashes, form.columns(), form.narrowShare(), how.seed(), how.threads(), how.progress());
    return new RibbonFilter(shapes.apply(ribbon.layout().keys()), how.hasher(), ribbon);
  }

  private Frame encode() {
    return Frame.of(hasher())
        .put(shape())
        .put("seed", ribbon.seed())
        .put("trial", ribbon.trial())
        .section(ribbon.words());
  }

  private static RibbonFilter decode(Frame frame) throws IOException {
    RibbonShape shape = frame.shape(RibbonShape.class);
    long seed = frame.number("seed", Long.MIN_VALUE, Long.MAX_VALUE);
    int trial = (int) frame.number("trial", 0, Ribbon.MAX_TRIAL);
    RibbonLayout layout = new RibbonLayout(shape.keyCount(), shape.columns(), shape.narrowShare());
    return new RibbonFilter(
        shape, frame.hasher(), new Ribbon(layout, seed, trial, frame.section(0, layout.words())));
  }

  @Override
  public FilterKind<RibbonFilter> kind() {
    return KIND;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return ribbon.matches(hash);
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hash(key));
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    return ribbon.matches(hashes, from, to, hits);
  }

  /** {@inheritDoc} Exact for the filter as built. Reads the thresholds, 1/64 bit per key. */
  @Override
  public double falsePositiveRate() {
    return ribbon.matchRate();
  }

  /**
   * The words of a ribbon filter without a frame around them, for files that hold thousands of
   * small ones and keep the few numbers that describe each in a table. Immutable; any number of
   * threads may query.
   */
  public static final class Embedded {

    /** Highest {@link #trial}. */
    public static final int MAX_TRIAL = Ribbon.MAX_TRIAL;

    private static final long SEED = 0;
    private static final int SHARES = RibbonLayout.SHARES;

    private final Ribbon ribbon;

    private Embedded(Ribbon ribbon) {
      this.ribbon = ribbon;
    }

    /**
     * Builds the filter of some hashes.
     *
     * @param hashes different hashes, from index 0 on
     * @param count how many of the array are taken
     * @param rate the target rate, 2^-32 … 1 (excluded)
     * @param maxBytes the limit for the words; if the target rate needs more, the rate is the
     *     lowest that fits
     * @return the filter, or null if not even the highest rate fits
     */
    public static @Nullable Embedded build(long[] hashes, int count, double rate, long maxBytes) {
      RibbonLayout layout = layout(count, rate, maxBytes / Long.BYTES);
      return layout == null
          ? null
          : new Embedded(
              Ribbon.build(
                  KeyHashes.of(hashes, count),
                  layout.columns(),
                  layout.narrowShare(),
                  SEED,
                  1,
                  (phase, done, total) -> {}));
    }

    private static @Nullable RibbonLayout layout(int count, double rate, long maxWords) {
      if (count == 0) {
        return new RibbonLayout(0, 1, 0);
      }
      int columns = Math.max(1, -Math.getExponent(rate));
      double excess = Math.scalb(rate, columns) - 1;
      int fewest = (RibbonLayout.MAX_COLUMNS - columns) * SHARES + (int) (excess * SHARES);
      int most = RibbonLayout.MAX_COLUMNS * SHARES - 1;
      if (layout(count, most).words() > maxWords) {
        return null;
      }
      // Searches from the target table to the narrowest for the first that fits.
      while (fewest < most) {
        int middle = (fewest + most) >>> 1;
        if (layout(count, middle).words() <= maxWords) {
          most = middle;
        } else {
          fewest = middle + 1;
        }
      }
      return layout(count, most);
    }

    /** The table of a step; each step is narrower. */
    private static RibbonLayout layout(int count, int step) {
      return new RibbonLayout(count, RibbonLayout.MAX_COLUMNS - step / SHARES, step % SHARES);
    }

    /**
     * A filter that was built before.
     *
     * @param keyCount as {@link #keyCount()} was
     * @param columns as {@link #columns()} was
     * @param narrowShare as {@link #narrowShare()} was
     * @param trial as {@link #trial()} was
     * @param words little-endian, in a buffer of any order; more may follow. Read when a query
     *     needs them
     * @param start where in the buffer the words start
     * @throws IllegalArgumentException if a number is outside its range or the words are too few
     */
    public static Embedded of(
        int keyCount, int columns, int narrowShare, int trial, ByteBuffer words, int start) {
      RibbonLayout layout = new RibbonLayout(keyCount, columns, narrowShare);
      LongBuffer longs =
          words.slice(start, words.limit() - start).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
      if (longs.limit() < layout.words() || trial < 0 || trial > MAX_TRIAL) {
        throw new IllegalArgumentException(
            "%d words and trial %d do not fit a filter of %d words"
                .formatted(longs.limit(), trial, layout.words()));
      }
      Words view = Words.view(longs.limit((int) layout.words()));
      return new Embedded(new Ribbon(layout, SEED, trial, view));
    }

    /**
     * Whether a hash may be among those that the filter was built from.
     *
     * @param hash of the key
     */
    public boolean mightContainHash(long hash) {
      return ribbon.matches(hash);
    }

    /** How many different hashes it was built from. */
    public int keyCount() {
      return (int) ribbon.layout().keys();
    }

    /** Bits of a fingerprint. */
    public int columns() {
      return ribbon.layout().columns();
    }

    /** How many of 65536 parts of the table have one bit less. */
    public int narrowShare() {
      return ribbon.layout().narrowShare();
    }

    /** The number of the random trial that succeeded. */
    public int trial() {
      return ribbon.trial();
    }

    /** The expected rate of false positives. */
    public double rate() {
      return ribbon.layout().matchRate();
    }

    /** The words, little-endian. */
    public byte[] bytes() {
      Words words = ribbon.words();
      ByteBuffer bytes =
          ByteBuffer.allocate((int) words.length() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      words.copyTo(0, bytes.asLongBuffer());
      return bytes.array();
    }
  }
}
