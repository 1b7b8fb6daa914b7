package io.bloomery.frozen;

import io.bloomery.ConstructionException;
import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.Variant;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.solve.CellLayout;
import io.bloomery.internal.solve.FingerprintTable;
import io.bloomery.internal.solve.PeeledTable;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A static set as a table of fingerprints in which the xor of a member's three cells is its own
 * fingerprint: it never reports a member absent, and any other key matches with probability 2^-bits
 * exactly. The default filter of this package: 1.125·bits per key, 9.02 at 0.4 %, where a Bloom
 * filter takes 11.5, and three memory accesses per query, all near each other.
 *
 * <p>{@link FuseShape#arity() Four cells} per key make it 4.5 % smaller and a little slower; a
 * ribbon filter is smaller still. Rates are powers of two: 1 % becomes 1/128.
 *
 * <p>Building takes 17 bytes per key besides the given hashes, or 17 in all when keys are added
 * through the {@link #builder()}, and searches for a random seed that works, as nearly every seed
 * does. A filter has at most 2^27 keys; for more see {@link FrozenBuilder#buildSharded}.
 *
 * <p>Immutable; any number of threads may query.
 *
 * <p>Graf and Lemire 2022, "Binary Fuse Filters: Fast and Smaller Than Xor Filters". Deviations:
 * one multiplication instead of a full hash function remixes the hash for a seed; fingerprints of 1
 * … 32 bits are packed without gaps; the solver keeps numbers of keys instead of hashes, which
 * saves half of the memory; long tables are peeled from both ends, optionally by two threads.
 */
public final class FuseFilter extends ShapedFilter<FuseShape> {

  public static final FilterKind<FuseFilter> KIND =
      Kind.of(40, "fuse", FuseFilter.class)
          .question("is x in the static set? three fingerprints near each other: fast and small")
          .codec(FuseFilter::encode, FuseFilter::decode)
          .variants(
              () ->
                  List.of(
                      variant(
                          "fuse",
                          3,
                          "Three fingerprints near each other: fast to build and to query"),
                      variant(
                          "fuse-4",
                          4,
                          "Four fingerprints near each other: less memory than three, for one more"
                              + " memory access")));

  private static final int DEFAULT_BITS = 8;

  private final PeeledTable solved;

  // Of the table and the shape, for queries.
  private final boolean empty;
  private final long seed;
  private final FingerprintTable table;
  private final boolean three;
  private final int length;
  private final int span;

  /** The cells if a key has three cells of 8 bits and the filter is not empty, otherwise null. */
  private final byte @Nullable [] bytes;

  private FuseFilter(FuseShape shape, Hasher hasher, PeeledTable solved) {
    super(shape, hasher);
    this.solved = solved;
    this.empty = solved.keys() == 0;
    this.seed = solved.seed();
    this.table = solved.table();
    this.three = shape.arity() == 3;
    this.length = shape.segmentLength();
    this.span = shape.starts() * length;
    this.bytes = three && !empty ? table.bytes() : null;
  }

  private static Variant variant(String name, int arity, String why) {
    return VariantBuilder.of(name, FuseShape.class)
        .meets(Need.FROZEN_SET)
        .onlyFor(Need.FROZEN_SET)
        .forKeys((keys, rate) -> FuseShape.forKeys(keys, rate, arity))
        .forBudget((keys, bits) -> FuseShape.forBudget(keys, bits, arity))
        .reads(FuseShape::arity)
        .addsLike(4)
        .why(why)
        .sharded()
        .builds((shape, hasher, threads) -> builder().planned(shape, hasher, threads));
  }

  /**
   * A filter of keys given by their hashes, whose rate is the largest power of two that is not
   * above a given rate.
   *
   * @param hashes the keys' hashes by {@link Hasher#xxh3()}, in any order, duplicates allowed; not
   *     modified
   * @param falsePositiveRate 2^-32 … 1
   * @return the filter
   * @throws ConstructionException if every random trial failed
   */
  public static FuseFilter ofHashes(long[] hashes, double falsePositiveRate) {
    return builder().falsePositiveRate(falsePositiveRate).buildOf(KeyHashes.of(hashes));
  }

  /**
   * A filter of keys given by their hashes, of a given width and number of cells.
   *
   * @param hashes the keys' hashes by {@code hasher}, in any order, duplicates allowed; not
   *     modified
   * @param shape a shape for any number of keys; the filter uses the {@link FuseShape#withKeys
   *     shape} for the actual number of keys
   * @param hasher turns keys into hashes
   * @return the filter
   * @throws ConstructionException if every random trial failed
   */
  public static FuseFilter ofHashes(long[] hashes, FuseShape shape, Hasher hasher) {
    return builder().shape(shape).hasher(hasher).buildOf(KeyHashes.of(hashes));
  }

  /**
   * A filter of numbers, whose rate is the largest power of two that is not above a given rate.
   *
   * @param keys the keys, in any order, duplicates allowed; each is hashed by {@link Hasher#xxh3()}
   * @param falsePositiveRate 2^-32 … 1
   * @return the filter
   * @throws ConstructionException if every random trial failed
   */
  public static FuseFilter ofKeys(long[] keys, double falsePositiveRate) {
    return builder().falsePositiveRate(falsePositiveRate).buildOfKeys(keys);
  }

  /**
   * A builder with all options, to which keys are added one at a time.
   *
   * @return a builder of 8-bit fingerprints, unless it is given a rate or a shape
   */
  public static FrozenBuilder<FuseShape, FuseFilter> builder() {
    return new FrozenBuilder<>(
        new FrozenSolver<>(
            FuseShape::forKeys,
            FuseShape::withKeys,
            FuseShape.forFingerprints(1, DEFAULT_BITS, FuseShape.ARITY),
            FuseFilter::solve));
  }

  private static FuseFilter solve(
      KeyHashes hashes, LongFunction<FuseShape> shapes, FrozenSolver.Construction how) {
    PeeledTable solved =
        PeeledTable.build(
            hashes,
            count -> layout(shapes.apply(count)),
            shapes.apply(0).fingerprintBits(),
            how.seed(),
            how.threads(),
            how.progress());
    return new FuseFilter(shapes.apply(solved.keys()), how.hasher(), solved);
  }

  private static CellLayout layout(FuseShape shape) {
    int segmentLog = Integer.numberOfTrailingZeros(shape.segmentLength());
    return CellLayout.segments(shape.arity(), segmentLog, shape.starts());
  }

  private Frame encode() {
    return Fingerprints.encode(hasher(), shape(), solved);
  }

  private static FuseFilter decode(Frame frame) throws IOException {
    FuseShape shape = frame.shape(FuseShape.class);
    PeeledTable solved = Fingerprints.decode(frame, shape.cells(), shape.fingerprintBits());
    return new FuseFilter(shape, frame.hasher(), solved);
  }

  @Override
  public FilterKind<FuseFilter> kind() {
    return KIND;
  }

  /**
   * The number of distinct keys.
   *
   * @return exactly
   */
  public long keyCount() {
    return solved.keys();
  }

  /**
   * The seed with which the keys' hashes were remixed, drawn from the builder's seed.
   *
   * @return any number
   */
  public long seed() {
    return seed;
  }

  @Override
  public boolean mightContainHash(long hash) {
    long mixed = CellLayout.remix(hash, seed);
    byte[] cells = bytes;
    return cells != null ? isInBytes(mixed, cells) : difference(mixed) == 0 && !empty;
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hash(key));
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    long[] differences = new long[Long.SIZE];
    int total = 0;
    for (int start = from, word = 0; start < to; start += Long.SIZE, word++) {
      int end = Math.min(start + Long.SIZE, to);
      long answers = empty ? 0 : batch(hashes, start, end, differences);
      hits[word] = answers;
      total += Long.bitCount(answers);
    }
    return total;
  }

  /**
   * The answers for hashes {@code from…to-1}, at most 64 of them. The first loop only reads, so
   * that more cache misses overlap.
   */
  private long batch(long[] hashes, int from, int to, long[] differences) {
    for (int i = from; i < to; i++) {
      differences[i - from] = difference(CellLayout.remix(hashes[i], seed));
    }
    long answers = 0;
    for (int i = 0; i < to - from; i++) {
      answers |= ((differences[i] - 1) >>> 63) << i;
    }
    return answers;
  }

  private boolean isInBytes(long mixed, byte[] cells) {
    int segment = length;
    int a = CellLayout.group(mixed, span);
    int b = CellLayout.inSegment(mixed, a, 1, segment);
    int c = CellLayout.inSegment(mixed, a, 2, segment);
    return (byte) (cells[a] ^ cells[b] ^ cells[c] ^ CellLayout.fingerprint(mixed)) == 0;
  }

  /** The fingerprint xor the value of the cells: zero if they are equal. */
  private long difference(long mixed) {
    int segment = length;
    int a = CellLayout.group(mixed, span);
    int b = CellLayout.inSegment(mixed, a, 1, segment);
    int c = CellLayout.inSegment(mixed, a, 2, segment);
    long found =
        three ? table.xor(a, b, c) : table.xor(a, b, c, CellLayout.inSegment(mixed, a, 3, segment));
    return (found ^ CellLayout.fingerprint(mixed)) & table.mask();
  }

  /** {@inheritDoc} Here: 2^-bits, exact for a uniform hash; the table is not read. */
  @Override
  public double falsePositiveRate() {
    return shape().falsePositiveRate(solved.keys());
  }
}
