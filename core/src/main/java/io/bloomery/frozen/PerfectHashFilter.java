package io.bloomery.frozen;

import io.bloomery.ConstructionException;
import io.bloomery.FilterKind;
import io.bloomery.LookupFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.internal.bits.Packed;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.internal.solve.CellLayout;
import io.bloomery.internal.solve.DistinctKeys;
import io.bloomery.internal.solve.PerfectHash;
import io.bloomery.internal.solve.XorTable;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.function.LongFunction;

/**
 * A static set as a minimal perfect hash and a fingerprint for each member: it never reports a
 * member absent, any other key matches with probability 2^-f, and the members have the distinct
 * numbers 0 … n-1, so that a caller can store data for each member in an array or a file.
 *
 * <p>The perfect hash takes 2.4 to 2.7 bits per key besides the f bits of the fingerprints, from
 * 10,000 keys. A query reads three cells, a count and a fingerprint, so {@code FuseFilter} is
 * smaller above 19 bits and always faster where no numbers are needed.
 *
 * <p>Building takes 17 bytes per key besides the given hashes, or 17 in all when keys are added
 * through the {@link #builder()}.
 *
 * <p>Immutable; any number of threads may query. A query does not allocate.
 *
 * <p>Sources: Tarkoma, Rothenberg and Lagerspetz, "Theory and Practice of Bloom Filters for
 * Distributed Systems", 2012, sec. II-C ("explicit hashing"), for fingerprints behind a perfect
 * hash; Botelho, Pagh and Ziviani, "Simple and Space-Efficient Minimal Perfect Hash Functions",
 * WADS 2007, for the perfect hash. Deviations: cells in neighbouring segments where they take less
 * space (Graf and Lemire 2022), and one count per cache line. See decision 011.
 */
public final class PerfectHashFilter extends ShapedFilter<PerfectHashShape>
    implements LookupFilter {

  public static final FilterKind<PerfectHashFilter> KIND =
      Kind.of(43, "perfect-hash", PerfectHashFilter.class)
          .question("is x in the static set, and which number has it? a perfect hash")
          .codec(PerfectHashFilter::encode, PerfectHashFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("perfect-hash", PerfectHashShape.class)
                          .meets(Need.FROZEN_SET)
                          .onlyFor(Need.FROZEN_SET)
                          .forKeys(PerfectHashShape::forKeys)
                          .forBudget(PerfectHashShape::forBudget)
                          .reads(shape -> 6, shape -> 14)
                          .works(shape -> 19)
                          .fetches(shape -> 2, shape -> 2)
                          .why(
                              "A static set whose members have the numbers 0 to n-1, for something"
                                  + " kept beside each")
                          .sharded()
                          .builds(
                              (shape, hasher, threads) ->
                                  builder().planned(shape, hasher, threads))));

  private static final int DEFAULT_BITS = 8;

  private final PerfectHash hash;
  private final Words fingerprints;

  // Of the shape, for queries.
  private final long keys;
  private final int bits;

  private PerfectHashFilter(
      PerfectHashShape shape, Hasher hasher, PerfectHash hash, Words fingerprints) {
    super(shape, hasher);
    this.hash = hash;
    this.fingerprints = fingerprints;
    this.keys = shape.keyCount();
    this.bits = shape.fingerprintBits();
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
  public static PerfectHashFilter ofHashes(long[] hashes, double falsePositiveRate) {
    return builder().falsePositiveRate(falsePositiveRate).buildOf(KeyHashes.of(hashes));
  }

  /**
   * A filter of keys given by their hashes, of a given width and a given hasher.
   *
   * @param hashes the keys' hashes by {@code hasher}, in any order, duplicates allowed; not
   *     modified
   * @param shape a shape for any number of keys; the filter uses the {@link
   *     PerfectHashShape#withKeys shape} for the actual number of keys
   * @param hasher turns keys into hashes
   * @return the filter
   * @throws ConstructionException if every random trial failed
   */
  public static PerfectHashFilter ofHashes(long[] hashes, PerfectHashShape shape, Hasher hasher) {
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
  public static PerfectHashFilter ofKeys(long[] keys, double falsePositiveRate) {
    return builder().falsePositiveRate(falsePositiveRate).buildOfKeys(keys);
  }

  /**
   * A builder with all options, to which keys are added one at a time.
   *
   * @return a builder of 8-bit fingerprints, unless it is given a rate or a shape
   */
  public static FrozenBuilder<PerfectHashShape, PerfectHashFilter> builder() {
    return new FrozenBuilder<>(
        new FrozenSolver<>(
            PerfectHashShape::forKeys,
            PerfectHashShape::withKeys,
            PerfectHashShape.forFingerprints(1, DEFAULT_BITS),
            PerfectHashFilter::solve));
  }

  private static PerfectHashFilter solve(
      KeyHashes hashes, LongFunction<PerfectHashShape> shapes, FrozenSolver.Construction how) {
    DistinctKeys keys = DistinctKeys.inPlace(hashes.drain(), how.seed());
    PerfectHashShape shape = shapes.apply(keys.count());
    CellLayout layout = CellLayout.of(shape.peeled());
    PerfectHash hash = PerfectHash.of(layout, keys, keys.peel("a perfect hash", layout, false));
    int bits = shape.fingerprintBits();
    Words fingerprints = Words.forBits(shape.keyCount() * bits, false);
    for (int i = 0; bits > 0 && i < keys.count(); i++) {
      long key = keys.hash(i);
      Packed.set(fingerprints, bits, hash.index(key), XorTable.mask(key, hash.seed(), bits));
    }
    return new PerfectHashFilter(shape, how.hasher(), hash, fingerprints);
  }

  /** The fields of a file: those of the shape, with the seed among them. */
  private record Header(
      @FieldName("keys") long keys,
      @FieldName("fingerprint bits") int fingerprintBits,
      @FieldName("seed") long seed,
      SolvedCells.Peeled cells) {}

  private Frame encode() {
    return Frame.of(hasher())
        .put(new Header(keys, bits, hash.seed(), shape().peeled()))
        .section(hash.labels())
        .section(hash.counts())
        .section(fingerprints);
  }

  private static PerfectHashFilter decode(Frame frame) throws IOException {
    Header header = frame.shape(Header.class);
    SolvedCells.Peeled cells = header.cells;
    PerfectHashShape shape =
        frame.make(() -> PerfectHashShape.of(header.keys, header.fingerprintBits, cells));
    PerfectHash hash =
        new PerfectHash(
            CellLayout.of(cells),
            frame.bits(0, cells.sizeInBits(2)),
            frame.bits(1, shape.counts() * Integer.SIZE),
            shape.keyCount(),
            header.seed);
    frame.requireOfWords(hash::isSound, "the labels and their counts do not make the keys");
    return new PerfectHashFilter(
        shape, frame.hasher(), hash, frame.bits(2, shape.keyCount() * shape.fingerprintBits()));
  }

  @Override
  public FilterKind<PerfectHashFilter> kind() {
    return KIND;
  }

  /**
   * The number of distinct keys.
   *
   * @return n
   */
  public long keyCount() {
    return keys;
  }

  /**
   * The unique number of a member. For any other key: {@link #ABSENT}, or any number at the
   * false-positive rate.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return 0 … n-1, or {@link #ABSENT}
   */
  @Override
  public long getHash(long hash) {
    if (keys == 0) {
      return ABSENT;
    }
    long index = this.hash.index(hash);
    if (bits == 0) {
      return index;
    }
    long found = Packed.get(fingerprints, bits, index);
    return found == XorTable.mask(hash, this.hash.seed(), bits) ? index : ABSENT;
  }

  /**
   * The number of a key that is known to be a member, without checking its fingerprint.
   *
   * @param hash a member's hash by {@link #hasher()}
   * @return the key's unique number, 0 … n-1; an arbitrary one if the key is not a member
   * @throws IllegalStateException if the filter has no keys
   */
  public long indexOfHash(long hash) {
    if (keys == 0) {
      throw new IllegalStateException("a perfect hash of no keys has no index");
    }
    return this.hash.index(hash);
  }

  /** {@inheritDoc} Here: 2^-f, exact for a uniform hash; 0 without keys. */
  @Override
  public double falsePositiveRate() {
    return shape().falsePositiveRate(keys);
  }
}
