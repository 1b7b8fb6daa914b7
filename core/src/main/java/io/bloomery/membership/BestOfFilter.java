package io.bloomery.membership;

import io.bloomery.FilterKind;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Probes;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import io.bloomery.theory.HashBits;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * A static Bloom filter that is built N times with different hash families, keeping the best of
 * them; it never reports a member absent.
 *
 * <p>The best family sets the fewest bits, or reports the fewest of a given list of absent keys
 * present. Only tiny filters vary enough for this to pay off: with 40 keys in 256 bits and N = 8
 * the rate falls from 4.9 % to 3.8 %, with 2^16 bits by a relative 2 %. Building costs N times the
 * work; queries cost nothing extra.
 *
 * <p>Source: Tarkoma, Rothenberg and Lagerspetz 2012, sec. IV-F (the power proxy) and the d
 * forwarding tables of LIPSIN (Jokela et al., SIGCOMM 2009, sec. 3.2). Deviation: family j sees a
 * 64-bit mix of the hash.
 *
 * <p>Immutable; any number of threads may query.
 */
public final class BestOfFilter extends ShapedFilter<BestOfShape> implements QueryCost {

  public static final FilterKind<BestOfFilter> KIND =
      Kind.of(11, "best-of", BestOfFilter.class)
          .question("is x in the small static set? the luckiest of N filters")
          .codec(BestOfFilter::encode, BestOfFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("best-of", BestOfShape.class)
                          .onlyFor(Need.FROZEN_SET)
                          .forKeys(BestOfShape::forKeys)
                          .searchBudget()
                          .reads(BestOfShape::hashesPerKey)
                          .works(shape -> 2.1 * shape.hashesPerKey())
                          .absentByThree(shape -> shape.hashesPerKey(), shape -> 10)
                          .addsLike(16)
                          .why(
                              "The luckiest of eight Bloom filters, for eight times the work to"
                                  + " build")
                          .buildsOf((shape, hasher, hashes) -> ofHashes(hashes, shape, hasher))));

  private final int family;
  private final Probes probes;
  private final Words words;

  private BestOfFilter(BestOfShape shape, Hasher hasher, int family, Words words) {
    super(shape, hasher);
    this.family = family;
    this.probes = new Probes(IndexScheme.INDEPENDENT, shape.bits(), shape.hashesPerKey());
    this.words = words;
  }

  /**
   * The best of 8 filters by set bits, of the smallest size for a rate.
   *
   * @param hashes the keys' hashes, computed by {@link Hasher#xxh3()}
   * @param falsePositiveRate the rate, within (0, 1)
   * @return the filter
   */
  public static BestOfFilter ofHashes(long[] hashes, double falsePositiveRate) {
    long keys = Math.max(1, hashes.length);
    return ofHashes(hashes, BestOfShape.forKeys(keys, falsePositiveRate), Hasher.xxh3());
  }

  /**
   * The best of 8 filters of numbers by set bits, of the smallest size for a rate.
   *
   * @param keys the keys; each is hashed by {@link Hasher#xxh3()}
   * @param falsePositiveRate the rate, within (0, 1)
   * @return the filter
   */
  public static BestOfFilter ofKeys(long[] keys, double falsePositiveRate) {
    return ofHashes(Hasher.xxh3().hashAll(keys), falsePositiveRate);
  }

  /**
   * The filter of the family that sets the fewest bits; ties go to the first.
   *
   * @param hashes the keys' hashes, computed by {@code hasher}
   * @param shape bits, hashes per key and number of families
   * @param hasher turns keys into hashes
   * @return the filter
   */
  public static BestOfFilter ofHashes(long[] hashes, BestOfShape shape, Hasher hasher) {
    return ofHashes(hashes, new long[0], shape, hasher);
  }

  /**
   * The filter of the family that reports the fewest absent keys present; ties go to the fewest set
   * bits, then to the first. List absent keys that are queried often; for all others the rate
   * follows from the fill.
   *
   * @param hashes the keys' hashes, computed by {@code hasher}
   * @param absent hashes of keys that should be reported absent
   * @param shape bits, hashes per key and number of families
   * @param hasher turns keys into hashes
   * @return the filter
   */
  public static BestOfFilter ofHashes(
      long[] hashes, long[] absent, BestOfShape shape, Hasher hasher) {
    BestOfFilter best = null;
    long fewestHits = Long.MAX_VALUE;
    long fewestOnes = Long.MAX_VALUE;
    for (int family = 0; family < shape.families(); family++) {
      BestOfFilter filter =
          new BestOfFilter(shape, hasher, family, Words.forBits(shape.bits(), false));
      for (long hash : hashes) {
        filter.probes.setAll(Draws.family(hash, family), filter.words);
      }
      long hits = 0;
      for (long hash : absent) {
        hits += filter.mightContainHash(hash) ? 1 : 0;
      }
      long ones = filter.words.bitCount();
      if (hits < fewestHits || (hits == fewestHits && ones < fewestOnes)) {
        best = filter;
        fewestHits = hits;
        fewestOnes = ones;
      }
    }
    return Objects.requireNonNull(best, "there is a family");
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).put("family", family).section(words);
  }

  private static BestOfFilter decode(Frame frame) throws IOException {
    BestOfShape shape = frame.shape(BestOfShape.class);
    int family = (int) frame.number("family", 0, shape.families() - 1);
    return new BestOfFilter(shape, frame.hasher(), family, frame.bits(0, shape.bits()));
  }

  @Override
  public FilterKind<BestOfFilter> kind() {
    return KIND;
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
    return Math.pow(fillRatio(), probes.count());
  }

  /** {@inheritDoc} Here: k·log2 m. */
  @Override
  public int hashBits() {
    return HashBits.bloom(probes.bits(), probes.count());
  }

  /** {@inheritDoc} Here: k. */
  @Override
  public int memoryAccesses() {
    return probes.count();
  }

  /**
   * The share of bits that are set. Reads the whole filter.
   *
   * @return 0…1
   */
  public double fillRatio() {
    return (double) words.bitCount() / probes.bits();
  }
}
