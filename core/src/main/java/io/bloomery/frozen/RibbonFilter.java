package io.bloomery.frozen;

import io.bloomery.ConstructionException;
import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.RibbonLayout;
import io.bloomery.internal.solve.Ribbon;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.function.LongFunction;

/**
 * A static set as the solution of linear equations, one per key: the smallest filter here. It never
 * reports a member absent, and any other key matches with a probability that can be any number from
 * 2^-32 on, not only a power of two. It takes 1.006 times the least possible memory for a million
 * keys at 2^-8, and 1.017 times for 1 %, in which 28 % of the keys have a fingerprint of 6 bits and
 * the others one of 7.
 *
 * <p>A query computes r parities in two neighbouring segments of r words each; that takes about
 * three times as long as the three reads of a {@code FuseFilter} that is in the cache, and twice as
 * long if it is not. So use this kind for sets that are stored or sent many times, or where memory
 * is scarce. Small sets do not benefit: below 1,500 keys it takes 64 bits per column at least, and
 * about 9 % more than the ideal.
 *
 * <p>Building takes the filter's own memory and 2 MB per thread beside the hashes, which are sorted
 * in place; hashes that are given in an array are copied first. The same set of hashes gives the
 * same bytes for a seed, whatever their order, however often each occurs, and on any number of
 * threads.
 *
 * <p>Immutable; any number of threads may query.
 *
 * <p>Source: Dillinger, Hübschle-Schneider, Sanders and Walzer, "Fast Succinct Retrieval and
 * Approximate Membership using Ribbon", 2022 (bumped ribbon, width 64, thresholds of 2 bits for 128
 * slots); Dillinger and Walzer, "Ribbon filter: practically smaller than Bloom and Xor", 2021
 * (elimination, interleaved columns, columns that are partly narrower). Deviations: layers are cut
 * into chunks of about 2^16 slots that are solved apart, in little memory and on several threads;
 * the sizes of all layers are fixed by the number of keys; the last layer is a plain ribbon that is
 * tried again with another salt if it fails.
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
                          .computes(shape -> 10)
                          .addsLike(1.5)
                          .why(
                              "Linear equations: close to the least memory that there is, with more"
                                  + " to compute per query than other static filters")
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
   * @param shape a shape for any number of keys; the filter has {@link RibbonShape#withKeys that}
   *     for the actual number of keys
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
   * All options, and keys added one by one.
   *
   * @return a builder of 8 columns, unless it is given a rate or a shape
   */
  public static FrozenBuilder<RibbonShape, RibbonFilter> builder() {
    return new FrozenBuilder<>(
        new FrozenSolver<>(
            RibbonShape::forKeys, RibbonShape.ofColumns(1, DEFAULT_COLUMNS), RibbonFilter::solve));
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

  /**
   * {@inheritDoc} Here: exact for the filter as it was built. Reads the thresholds, 1/64 bit per
   * key.
   */
  @Override
  public double falsePositiveRate() {
    return ribbon.matchRate();
  }
}
