package io.bloomery.frozen;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.LookupFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Packed;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.solve.CellLayout;
import io.bloomery.internal.solve.DistinctKeys;
import io.bloomery.internal.solve.KeyHashes;
import io.bloomery.internal.solve.PerfectHash;
import io.bloomery.internal.solve.XorTable;
import io.bloomery.plan.PeeledCells;
import java.io.IOException;
import java.util.Objects;

/**
 * A set that never changes, as a minimal perfect hash and a fingerprint for each member: it never
 * reports a member absent, an outsider matches with probability 2^-f, and the members have the
 * numbers 0 … n-1, each one of its own, under which a caller can keep something for each in an
 * array or a file.
 *
 * <p>The perfect hash takes 2.4 to 2.7 bits per key beside the f bits of the fingerprints, from
 * 10,000 keys on. A query reads three cells, a count and a fingerprint, so {@code FuseFilter} is
 * smaller above 19 bits and faster always where no numbers are needed.
 *
 * <p>Immutable; any number of threads may ask. A query does not allocate.
 *
 * <p>Sources: Tarkoma, Rothenberg and Lagerspetz, "Theory and Practice of Bloom Filters for
 * Distributed Systems", 2012, sec. II-C ("explicit hashing"), for fingerprints behind a perfect
 * hash; Botelho, Pagh and Ziviani, "Simple and Space-Efficient Minimal Perfect Hash Functions",
 * WADS 2007, for the perfect hash. Deviations: cells in neighbouring segments where they take less
 * space (Graf and Lemire 2022), and a count for each cache line. See decision 011.
 */
public final class PerfectHashFilter implements LookupFilter, Storable {

  /** How files name this kind. */
  public static final FilterKind<PerfectHashFilter> KIND =
      new FilterKind<>(
          43,
          "perfect-hash",
          "is x in the frozen set, and which number has it? a perfect hash and fingerprints",
          PerfectHashFilter.class,
          PerfectHashFilter::encode,
          PerfectHashFilter::decode,
          () ->
              FilterRecipe.building(
                  PerfectHashShape.class,
                  PerfectHashShape::forKeys,
                  PerfectHashShape::forBudget,
                  order ->
                      builder().fingerprintBits(order.shape().fingerprintBits()).making(order)));

  private final Hasher hasher;
  private final PerfectHashShape shape;
  private final PerfectHash hash;
  private final Words fingerprints;

  private PerfectHashFilter(
      Hasher hasher, PerfectHashShape shape, PerfectHash hash, Words fingerprints) {
    this.hasher = hasher;
    this.shape = shape;
    this.hash = hash;
    this.fingerprints = fingerprints;
  }

  /**
   * A filter whose rate is the largest power of two that is not above a given rate.
   *
   * @param hashes the keys' hashes by {@link Hasher#xxh3()}, in any order, with duplicates; not
   *     changed
   * @param falsePositiveRate the rate, 2^-32 … 1
   * @return the filter
   */
  public static PerfectHashFilter build(long[] hashes, double falsePositiveRate) {
    long most = Math.max(1, hashes.length);
    int bits = PerfectHashShape.forKeys(most, falsePositiveRate).fingerprintBits();
    return build(hashes, bits, Hasher.xxh3());
  }

  /**
   * A filter of fingerprints of a given width.
   *
   * @param hashes the keys' hashes by {@code hasher}, in any order, with duplicates; not changed
   * @param fingerprintBits 0…32; with 0 it is a perfect hash alone, which takes everything for a
   *     member
   * @param hasher turns keys into hashes
   * @return the filter
   */
  public static PerfectHashFilter build(long[] hashes, int fingerprintBits, Hasher hasher) {
    return build(hashes, fingerprintBits, Objects.requireNonNull(hasher, "hasher"), 0);
  }

  /**
   * All options, and keys that come one by one.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private static PerfectHashFilter build(
      long[] hashes, int fingerprintBits, Hasher hasher, long seed) {
    DistinctKeys keys = DistinctKeys.of(hashes, hashes.length, seed);
    PerfectHashShape shape = PerfectHashShape.forFingerprints(keys.count(), fingerprintBits);
    CellLayout layout = layout(shape.cells());
    PerfectHash hash = PerfectHash.of(layout, keys, keys.peel("a perfect hash", layout, false));
    Words fingerprints = Words.forBits(shape.keys() * fingerprintBits, false);
    for (int i = 0; fingerprintBits > 0 && i < keys.count(); i++) {
      long key = keys.hash(i);
      Packed.set(
          fingerprints,
          fingerprintBits,
          hash.index(key),
          XorTable.mask(key, hash.seed(), fingerprintBits));
    }
    return new PerfectHashFilter(hasher, shape, hash, fingerprints);
  }

  private static CellLayout layout(PeeledCells cells) {
    return CellLayout.of(
        cells.layout() == PeeledCells.Layout.PARTS,
        cells.perKey(),
        cells.segmentLog(),
        cells.count());
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("keys", shape.keys())
        .put("fingerprint bits", shape.fingerprintBits())
        .put("seed", hash.seed())
        .put(shape.cells())
        .section(hash.labels())
        .section(hash.counts())
        .section(fingerprints);
  }

  private static PerfectHashFilter decode(Frame frame) throws IOException {
    long keys = frame.number("keys", 0, PeeledCells.MAX_KEYS);
    int bits = (int) frame.number("fingerprint bits", 0, 32);
    long seed = frame.number("seed", Long.MIN_VALUE, Long.MAX_VALUE);
    PeeledCells cells = frame.shape(PeeledCells.class);
    PerfectHashShape shape;
    try {
      shape = new PerfectHashShape(keys, cells, bits);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    PerfectHash hash =
        new PerfectHash(
            layout(cells),
            frame.bits(0, cells.sizeInBits(2)),
            frame.bits(1, shape.counts() * Integer.SIZE),
            keys,
            seed);
    return new PerfectHashFilter(frame.hasher(), shape, hash, frame.bits(2, keys * bits));
  }

  @Override
  public FilterKind<PerfectHashFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The parameters.
   *
   * @return keys, cells and bits per fingerprint
   */
  public PerfectHashShape shape() {
    return shape;
  }

  /**
   * How many different keys the filter was built from.
   *
   * @return n
   */
  public long keyCount() {
    return shape.keys();
  }

  /**
   * The number of a member, which it shares with no other. For an outsider: {@link #ABSENT}, or any
   * number at the false-positive rate.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return 0 … n-1, or {@link #ABSENT}
   */
  @Override
  public long getHash(long hash) {
    int bits = shape.fingerprintBits();
    if (shape.keys() == 0) {
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
   * The number of a key that is known to be a member, without a look at its fingerprint.
   *
   * @param hash a member's hash by {@link #hasher()}
   * @return 0 … n-1, a number of its own; any of them if the key is no member
   * @throws IllegalStateException if the filter has no keys
   */
  public long indexOfHash(long hash) {
    if (shape.keys() == 0) {
      throw new IllegalStateException("a perfect hash of no keys has no index");
    }
    return this.hash.index(hash);
  }

  /** {@inheritDoc} Here: 2^-f, exact for a uniform hash; 0 without keys. */
  @Override
  public double falsePositiveRate() {
    return shape.falsePositiveRate(shape.keys());
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  @Override
  public String toString() {
    return "PerfectHashFilter[" + shape + ", " + hasher + "]";
  }

  /** Options of a filter and the keys for it. */
  public static final class Builder extends FrozenBuilder<Builder, PerfectHashFilter> {
    private int fingerprintBits = -1;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The width of a fingerprint, instead of a rate.
     *
     * @param fingerprintBits 0…32; 8 if neither this nor a rate is given
     * @return this
     */
    public Builder fingerprintBits(int fingerprintBits) {
      this.fingerprintBits = Arguments.inRange("fingerprintBits", fingerprintBits, 0, 32);
      return this;
    }

    @Override
    PerfectHashFilter solve(KeyHashes hashes) {
      int bits =
          fingerprintBits == 0 && falsePositiveRate == 0
              ? 0
              : Fingerprints.bits(Math.max(0, fingerprintBits), falsePositiveRate, hashes.size());
      return PerfectHashFilter.build(hashes.drain(), bits, hasher, seed);
    }
  }
}
