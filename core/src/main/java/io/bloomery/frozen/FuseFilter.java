package io.bloomery.frozen;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.HashedFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.numeric.SegmentSizes;
import io.bloomery.internal.solve.CellLayout;
import io.bloomery.internal.solve.FingerprintTable;
import io.bloomery.internal.solve.KeyHashes;
import io.bloomery.internal.solve.PeeledTable;
import java.io.IOException;
import java.util.Objects;

/**
 * A set that never changes, as a table of fingerprints in which three cells of a member always give
 * its own fingerprint: it never reports a member absent, and an outsider matches with probability
 * 2^-bits exactly. The default filter of this package: 1.125·bits per key, 9.02 at 0.4 %, where a
 * Bloom filter takes 11.5, and three memory accesses a query, all near each other.
 *
 * <p>{@link FuseShape#arity() Four cells} a key make it 4.5 % smaller and a little slower; a ribbon
 * filter is smaller still. Rates are powers of two: {@code build(hashes, 0.01)} gives 1/128.
 *
 * <p>Building takes 17 bytes per key besides the given hashes, or 17 in all when keys come through
 * the {@link #builder()}, and looks for a random seed that works; nearly every one does. A filter
 * has at most 2^27 keys; for more see {@link FrozenBuilder#buildSharded}.
 *
 * <p>Immutable; any number of threads may query.
 *
 * <p>Graf and Lemire 2022, "Binary Fuse Filters: Fast and Smaller Than Xor Filters". Deviations:
 * one multiplication instead of a full hash function remixes the hash for a seed; fingerprints of 1
 * … 32 bits are packed without gaps; the solver keeps numbers of keys instead of hashes, which
 * saves half of the memory; long tables are peeled from both ends, by two threads if wanted.
 */
public final class FuseFilter implements HashedFilter, Storable {

  /** How files name this kind. */
  public static final FilterKind<FuseFilter> KIND =
      new FilterKind<>(
          40,
          "fuse",
          "is x in the frozen set? three fingerprints near each other: fast and small",
          FuseFilter.class,
          FuseFilter::encode,
          FuseFilter::decode,
          () ->
              FilterRecipe.building(
                  FuseShape.class,
                  FuseShape::forKeys,
                  FuseShape::forBudget,
                  order ->
                      builder()
                          .arity(order.shape().arity())
                          .fingerprintBits(order.shape().fingerprintBits())
                          .making(order)));

  private final Hasher hasher;
  private final FuseShape shape;
  private final long keys;
  private final long seed;
  private final FingerprintTable table;

  // Of the shape, for queries.
  private final boolean three;
  private final int length;
  private final int span;

  private FuseFilter(Hasher hasher, FuseShape shape, long keys, long seed, FingerprintTable table) {
    this.hasher = hasher;
    this.shape = shape;
    this.keys = keys;
    this.seed = seed;
    this.table = table;
    this.three = shape.arity() == 3;
    this.length = shape.segmentLength();
    this.span = shape.starts() * length;
  }

  /**
   * A filter whose rate is the largest power of two that is not above a given rate.
   *
   * @param hashes the keys' hashes by {@link Hasher#xxh3()}, in any order, with duplicates; not
   *     changed
   * @param falsePositiveRate the rate, 2^-32 … 1
   * @return the filter
   */
  public static FuseFilter build(long[] hashes, double falsePositiveRate) {
    Objects.requireNonNull(hashes, "hashes");
    return builder().falsePositiveRate(falsePositiveRate).solve(KeyHashes.of(hashes));
  }

  /**
   * A filter of fingerprints of a given width, three cells a key.
   *
   * @param hashes the keys' hashes by {@link Hasher#xxh3()}, in any order, with duplicates; not
   *     changed
   * @param fingerprintBits 1 … 32
   * @return the filter
   */
  public static FuseFilter build(long[] hashes, int fingerprintBits) {
    return build(hashes, fingerprintBits, FuseShape.ARITY, Hasher.xxh3());
  }

  /**
   * A filter with all that decides its form.
   *
   * @param hashes the keys' hashes by {@code hasher}, in any order, with duplicates; not changed
   * @param fingerprintBits 1 … 32
   * @param arity cells of a key, 3 or 4
   * @param hasher turns keys into hashes
   * @return the filter
   */
  public static FuseFilter build(long[] hashes, int fingerprintBits, int arity, Hasher hasher) {
    Objects.requireNonNull(hashes, "hashes");
    return builder()
        .fingerprintBits(fingerprintBits)
        .arity(arity)
        .hasher(hasher)
        .solve(KeyHashes.of(hashes));
  }

  /**
   * All options, and keys that come one by one.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private static int log(FuseShape shape) {
    return Integer.numberOfTrailingZeros(shape.segmentLength());
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("keys", keys)
        .put("arity", shape.arity())
        .put("segment length", shape.segmentLength())
        .put("starts", shape.starts())
        .put("fingerprint bits", shape.fingerprintBits())
        .put("seed", seed)
        .section(table.words());
  }

  private static FuseFilter decode(Frame frame) throws IOException {
    long keys = frame.number("keys", 0, FuseShape.MAX_KEYS);
    long seed = frame.number("seed", Long.MIN_VALUE, Long.MAX_VALUE);
    FuseShape shape;
    try {
      shape =
          new FuseShape(
              (int) frame.number("arity", 3, 4),
              (int) frame.number("segment length", 1, 1 << SegmentSizes.MAX_SEGMENT_LOG),
              (int) frame.number("starts", 1, SegmentSizes.MAX_CELLS),
              (int) frame.number("fingerprint bits", 1, 32));
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    return new FuseFilter(
        frame.hasher(),
        shape,
        keys,
        seed,
        FingerprintTable.read(frame, 0, (int) shape.cells(), shape.fingerprintBits()));
  }

  @Override
  public FilterKind<FuseFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The parameters.
   *
   * @return cells and bits per cell
   */
  public FuseShape shape() {
    return shape;
  }

  /**
   * How many different keys the filter was built from.
   *
   * @return exactly
   */
  public long keyCount() {
    return keys;
  }

  /**
   * With which seed the keys' hashes were remixed: one of the few that the builder's seed stands
   * for.
   *
   * @return any number
   */
  public long seed() {
    return seed;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return difference(CellLayout.remix(hash, seed)) == 0 && keys != 0;
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hasher.hash(key));
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    int total = 0;
    for (int start = from, word = 0; start < to; start += Long.SIZE, word++) {
      int end = Math.min(start + Long.SIZE, to);
      long answers = keys == 0 ? 0 : batch(hashes, start, end);
      hits[word] = answers;
      total += Long.bitCount(answers);
    }
    return total;
  }

  private long batch(long[] hashes, int from, int to) {
    long answers = 0;
    for (int i = from; i < to; i++) {
      long difference = difference(CellLayout.remix(hashes[i], seed));
      answers |= ((difference - 1) >>> 63) << (i - from);
    }
    return answers;
  }

  /** The fingerprint against what the cells give: zero if they are equal. */
  private long difference(long mixed) {
    int segment = length;
    int a = CellLayout.group(mixed, span);
    int b = CellLayout.inSegment(mixed, a, 1, segment);
    int c = CellLayout.inSegment(mixed, a, 2, segment);
    long found =
        three ? table.xor(a, b, c) : table.xor(a, b, c, CellLayout.inSegment(mixed, a, 3, segment));
    return (found ^ CellLayout.fingerprint(mixed)) & table.mask();
  }

  /**
   * {@inheritDoc} Here: 2^-bits, exact for a uniform hash, and known without a look at the table.
   */
  @Override
  public double falsePositiveRate() {
    return shape.falsePositiveRate(keys);
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  @Override
  public String toString() {
    return "FuseFilter[" + keys + " keys, " + shape + ", " + hasher + "]";
  }

  /** Options of a filter and the keys for it. */
  public static final class Builder extends FrozenBuilder<Builder, FuseFilter> {
    private int fingerprintBits;
    private int arity = FuseShape.ARITY;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The width of a fingerprint, instead of a rate.
     *
     * @param fingerprintBits 1 … 32; 8 if neither this nor a rate is given
     * @return this
     */
    public Builder fingerprintBits(int fingerprintBits) {
      this.fingerprintBits = Arguments.inRange("fingerprintBits", fingerprintBits, 1, 32);
      return this;
    }

    /**
     * How many cells a key has: three are faster, four take 4.5 % less memory.
     *
     * @param arity 3 or 4; 3 if never called
     * @return this
     */
    public Builder arity(int arity) {
      this.arity = Arguments.inRange("arity", arity, 3, 4);
      return this;
    }

    @Override
    FuseFilter solve(KeyHashes hashes) {
      int bits = Fingerprints.bits(fingerprintBits, falsePositiveRate, hashes.size());
      PeeledTable solved =
          PeeledTable.build(
              hashes, count -> layout(shape(count, bits)), bits, seed, threads, progress);
      return new FuseFilter(
          hasher, shape(solved.keys(), bits), solved.keys(), solved.seed(), solved.table());
    }

    private FuseShape shape(int keys, int bits) {
      return FuseShape.forKeys(keys, bits, arity);
    }

    private static CellLayout layout(FuseShape shape) {
      return CellLayout.segments(shape.arity(), log(shape), shape.starts());
    }
  }
}
