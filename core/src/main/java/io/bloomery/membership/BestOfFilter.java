package io.bloomery.membership;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.HashedFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Probes;
import java.io.IOException;
import java.util.Objects;

/**
 * A frozen Bloom filter that was built N times with different hash families and kept with the
 * luckiest of them; it never reports a member absent.
 *
 * <p>Luckiest is the family that sets the fewest bits, or the one that answers yes to the fewest of
 * given outsiders. Only tiny filters vary enough for that to pay: with 40 keys in 256 bits and N =
 * 8 the rate falls from 4.9 % to 3.8 %, with 2^16 bits by 2 % of itself. Building costs N times the
 * work, a query nothing.
 *
 * <p>Source: Tarkoma, Rothenberg and Lagerspetz 2012, sec. IV-F (the power proxy) and the d
 * forwarding tables of LIPSIN (Jokela et al., SIGCOMM 2009, sec. 3.2). Deviation: family j sees a
 * 64-bit mix of the hash.
 *
 * <p>Immutable; any number of threads may query.
 */
public final class BestOfFilter implements HashedFilter, Storable {

  /** How files name this kind. */
  public static final FilterKind<BestOfFilter> KIND =
      new FilterKind<>(
          11,
          "best-of",
          "is x in the small frozen set? the luckiest of N filters",
          BestOfFilter.class,
          BestOfFilter::encode,
          BestOfFilter::decode,
          () ->
              FilterRecipe.ofArray(
                  BestOfShape.class,
                  BestOfShape::forKeys,
                  FilterRecipe.byRate(BestOfShape::forKeys),
                  (order, hashes) -> build(hashes, order.shape(), order.hasher())));

  private final Hasher hasher;
  private final BestOfShape shape;
  private final int family;
  private final Probes probes;
  private final Words words;

  private BestOfFilter(Hasher hasher, BestOfShape shape, int family, Words words) {
    this.hasher = hasher;
    this.shape = shape;
    this.family = family;
    this.probes = new Probes(IndexScheme.INDEPENDENT, shape.bits(), shape.probes());
    this.words = words;
  }

  /**
   * The best of 8 filters by set bits, of the smallest size for a rate.
   *
   * @param hashes the keys' hashes by {@link Hasher#xxh3()}
   * @param falsePositiveRate the rate, within (0, 1)
   * @return the filter
   */
  public static BestOfFilter build(long[] hashes, double falsePositiveRate) {
    long keys = Math.max(1, hashes.length);
    return build(hashes, BestOfShape.forKeys(keys, falsePositiveRate), Hasher.xxh3());
  }

  /**
   * The filter of the family that sets the fewest bits; of equal ones the first.
   *
   * @param hashes the keys' hashes by {@code hasher}
   * @param shape bits, probes and number of families
   * @param hasher turns keys into hashes
   * @return the filter
   */
  public static BestOfFilter build(long[] hashes, BestOfShape shape, Hasher hasher) {
    return build(hashes, new long[0], shape, hasher);
  }

  /**
   * The filter of the family that answers yes to the fewest outsiders; of equal ones the one with
   * the fewest set bits, then the first. Outsiders that are asked often are worth listing; for all
   * others the rate is that of the fill.
   *
   * @param hashes the keys' hashes by {@code hasher}
   * @param outsiders hashes of keys that should be answered no
   * @param shape bits, probes and number of families
   * @param hasher turns keys into hashes
   * @return the filter
   */
  public static BestOfFilter build(
      long[] hashes, long[] outsiders, BestOfShape shape, Hasher hasher) {
    Objects.requireNonNull(hasher, "hasher");
    BestOfFilter best = null;
    long fewestHits = Long.MAX_VALUE;
    long fewestOnes = Long.MAX_VALUE;
    for (int family = 0; family < shape.families(); family++) {
      BestOfFilter filter =
          new BestOfFilter(hasher, shape, family, Words.forBits(shape.bits(), false));
      for (long hash : hashes) {
        filter.probes.setAll(Draws.family(hash, family), filter.words);
      }
      long hits = 0;
      for (long outsider : outsiders) {
        hits += filter.mightContainHash(outsider) ? 1 : 0;
      }
      long ones = filter.words.bitCount();
      if (hits < fewestHits || (hits == fewestHits && ones < fewestOnes)) {
        best = filter;
        fewestHits = hits;
        fewestOnes = ones;
      }
    }
    return best;
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("bits", shape.bits())
        .put("probes", shape.probes())
        .put("families", shape.families())
        .put("family", family)
        .section(words);
  }

  private static BestOfFilter decode(Frame frame) throws IOException {
    long bits = frame.number("bits", 2, BestOfShape.MAX_BITS);
    int probes = (int) frame.number("probes", 1, Math.min(BestOfShape.MAX_PROBES, bits));
    int families = (int) frame.number("families", 1, BestOfShape.MAX_FAMILIES);
    int family = (int) frame.number("family", 0, families - 1);
    return new BestOfFilter(
        frame.hasher(), new BestOfShape(bits, probes, families), family, frame.bits(0, bits));
  }

  @Override
  public FilterKind<BestOfFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The fixed parameters.
   *
   * @return bits, probes and number of families
   */
  public BestOfShape shape() {
    return shape;
  }

  /**
   * The family that was chosen.
   *
   * @return 0…families-1
   */
  public int family() {
    return family;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return probes.allSet(Draws.family(hash, family), words);
  }

  @Override
  public double falsePositiveRate() {
    return Math.pow(fillRatio(), shape.probes());
  }

  /**
   * The share of bits that are set. Reads the whole filter.
   *
   * @return 0…1
   */
  public double fillRatio() {
    return (double) words.bitCount() / shape.bits();
  }

  /**
   * {@inheritDoc}
   *
   * @return the bits and the number of the chosen family together
   */
  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }
}
