package io.bloomery.frozen;

import io.bloomery.ConstructionException;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.HashedFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.numeric.RibbonLayout;
import io.bloomery.internal.solve.KeyHashes;
import io.bloomery.internal.solve.Ribbon;
import java.io.IOException;
import java.util.Objects;

/**
 * A frozen set as the solution of linear equations, one for each key: the smallest filter here. It
 * never reports a member absent, and an outsider matches with a probability that can be any number
 * from 2^-32 on, not only a power of two. It takes 1.006 times the least possible memory for a
 * million keys at 2^-8, and 1.017 times for 1 %, in which 28 % of the keys have a fingerprint of 6
 * bits and the others one of 7.
 *
 * <p>A query computes r parities in two neighbouring segments of r words each; that takes about
 * three times as long as the three reads of a {@code FuseFilter} that is in the cache, and twice as
 * long if it is not. So this kind is for sets that are kept or sent many times, or where memory is
 * short. Small sets do not gain: below 1,500 keys it takes 64 bits per column at least, and about 9
 * % more than the ideal.
 *
 * <p>Building takes 9 to 12 bytes per key beside the hashes and 1.5 MB per thread, so with the
 * hashes less than 24 bytes per key from 200,000 keys on. The same set of hashes gives the same
 * bytes for a seed, whatever their order, however often each occurs, and on any number of threads.
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
public final class RibbonFilter implements HashedFilter, Storable {

  /** How files name this kind. */
  public static final FilterKind<RibbonFilter> KIND =
      new FilterKind<>(
          42,
          "ribbon",
          "is x in the frozen set? linear equations: the smallest filter",
          RibbonFilter.class,
          RibbonFilter::encode,
          RibbonFilter::decode,
          () ->
              FilterRecipe.building(
                  RibbonShape.class,
                  RibbonShape::forKeys,
                  RibbonShape::forBudget,
                  order -> builder().form(order.shape()).making(order)));

  private final Hasher hasher;
  private final RibbonShape shape;
  private final Ribbon ribbon;

  private RibbonFilter(Hasher hasher, RibbonShape shape, Ribbon ribbon) {
    this.hasher = hasher;
    this.shape = shape;
    this.ribbon = ribbon;
  }

  /**
   * A filter with a given rate.
   *
   * @param hashes the keys' hashes by {@link Hasher#xxh3()}, in any order, with duplicates; not
   *     changed
   * @param falsePositiveRate the rate, 2^-32 … 1
   * @return the filter
   * @throws ConstructionException if no random trial succeeded
   */
  public static RibbonFilter build(long[] hashes, double falsePositiveRate) {
    return build(hashes, falsePositiveRate, Hasher.xxh3());
  }

  /**
   * A filter with a given rate of keys that were hashed in a given way.
   *
   * @param hashes the keys' hashes by {@code hasher}, in any order, with duplicates; not changed
   * @param falsePositiveRate the rate, 2^-32 … 1
   * @param hasher turns keys into hashes
   * @return the filter
   * @throws ConstructionException if no random trial succeeded
   */
  public static RibbonFilter build(long[] hashes, double falsePositiveRate, Hasher hasher) {
    Objects.requireNonNull(hashes, "hashes");
    return builder()
        .falsePositiveRate(falsePositiveRate)
        .hasher(hasher)
        .solve(KeyHashes.of(hashes));
  }

  /**
   * A filter whose rate is 2^-columns.
   *
   * @param hashes the keys' hashes by {@link Hasher#xxh3()}, in any order, with duplicates; not
   *     changed
   * @param columns 1 … 32
   * @return the filter
   * @throws ConstructionException if no random trial succeeded
   */
  public static RibbonFilter build(long[] hashes, int columns) {
    Objects.requireNonNull(hashes, "hashes");
    return builder().columns(columns).solve(KeyHashes.of(hashes));
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("keys", shape.keys())
        .put("columns", shape.columns())
        .put("narrow share", shape.narrowShare())
        .put("seed", ribbon.seed())
        .put("trial", ribbon.trial())
        .section(ribbon.words());
  }

  private static RibbonFilter decode(Frame frame) throws IOException {
    RibbonShape shape;
    try {
      shape =
          new RibbonShape(
              frame.number("keys", 0, RibbonShape.MAX_FILTER_KEYS),
              (int) frame.number("columns", 1, RibbonLayout.MAX_COLUMNS),
              (int) frame.number("narrow share", 0, RibbonLayout.SHARES - 1));
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    long seed = frame.number("seed", Long.MIN_VALUE, Long.MAX_VALUE);
    int trial = (int) frame.number("trial", 0, Ribbon.MAX_TRIAL);
    RibbonLayout layout = new RibbonLayout(shape.keys(), shape.columns(), shape.narrowShare());
    return new RibbonFilter(
        frame.hasher(), shape, new Ribbon(layout, seed, trial, frame.section(0, layout.words())));
  }

  @Override
  public FilterKind<RibbonFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The parameters.
   *
   * @return keys and columns
   */
  public RibbonShape shape() {
    return shape;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return ribbon.matches(hash);
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hasher.hash(key));
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

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * All options, and keys that come one by one.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects keys and options. */
  public static final class Builder extends FrozenBuilder<Builder, RibbonFilter> {

    private static final int DEFAULT_COLUMNS = 8;

    private int columns;
    private RibbonShape form;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The rate as a power of two, instead of {@link #falsePositiveRate}.
     *
     * @param columns 1 … 32 for the rate 2^-columns; 8 if neither this nor a rate is given
     * @return this builder
     */
    public Builder columns(int columns) {
      this.columns = Arguments.inRange("columns", columns, 1, RibbonLayout.MAX_COLUMNS);
      return this;
    }

    /** Columns and their share as another shape has them, for whatever number of keys. */
    Builder form(RibbonShape form) {
      this.form = form;
      return this;
    }

    @Override
    RibbonFilter solve(KeyHashes keys) {
      RibbonShape form = form(Math.max(1, keys.size()));
      Ribbon ribbon =
          Ribbon.build(keys, form.columns(), form.narrowShare(), seed, threads, progress);
      RibbonShape shape =
          new RibbonShape(ribbon.layout().keys(), form.columns(), form.narrowShare());
      return new RibbonFilter(hasher, shape, ribbon);
    }

    private RibbonShape form(long keys) {
      if (form != null) {
        return new RibbonShape(keys, form.columns(), form.narrowShare());
      }
      if (columns != 0 && falsePositiveRate != 0) {
        throw new IllegalArgumentException(
            "falsePositiveRate and columns were given; only one of them can be");
      }
      return falsePositiveRate == 0
          ? RibbonShape.ofColumns(keys, columns == 0 ? DEFAULT_COLUMNS : columns)
          : RibbonShape.forKeys(keys, falsePositiveRate);
    }
  }
}
