package io.bloomery.frequency;

import io.bloomery.FilterKind;
import io.bloomery.FrequencyFilter;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.probe.Probes;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;

/**
 * Counts in a plain bit array: a key has k bits followed by an unlimited sequence of further bits,
 * and each addition sets the first bit of that sequence that is 0. A count is the length of the
 * sequence's run of ones. It is never too low unless {@link #isSaturated}; it is too high by the
 * number of ones in the run that belong to other keys.
 *
 * <p>How much too high: a key whose additions found the filter filled to φ_1, φ_2, … and that is
 * queried at a fill of φ has the expected count {@code 1/(1-φ_1) + 1/(1-φ_2) + … + φ/(1-φ)}. With k
 * = 4 and keys added in turn, the sum of all counts is 1.27 times the truth at a fill of .246 (5
 * additions per key), 1.37 at .366 and 2.41 at .756 (10 additions per key). A key that was never
 * added is counted with the probability {@code φ^(k+1)}.
 *
 * <p>The cost of an addition or a count grows with the count. The scan ends at {@link #maxCount}
 * bits: from then on additions of that key are lost and {@link #isSaturated} is true forever. By
 * default that is {@code 64 + 40·ln m}, about 600, enough for any run by chance up to a fill of 0.9
 * and for counts of some hundreds; {@link AdaptiveShape#withScanLimit} raises it.
 *
 * <p>Threads: lock-free. Any number of threads may add and query; every addition sets a different
 * bit, so none is lost, and a key whose {@code add} returned is found and counted by every query
 * that happens after that return.
 *
 * <p>Matsumoto, Hazeyama and Kadobayashi 2008, "Adaptive Bloom Filter: A Space-Efficient Counting
 * Algorithm for Unpredictable Network Traffic"; Tarkoma, Rothenberg and Lagerspetz 2012, sec.
 * III-K. Deviations: a key whose first counting bit is 0 is answered "absent", which removes a
 * factor φ of false positives; the limit of the scan is fixed, because a limit that grows with the
 * fill would no longer detect that a key was saturated. There is no merge: the runs of a key in two
 * filters cannot be added.
 */
public final class AdaptiveBloomFilter extends ShapedFilter<AdaptiveShape>
    implements FrequencyFilter, QueryCost {

  public static final FilterKind<AdaptiveBloomFilter> KIND =
      Kind.of(30, "adaptive", AdaptiveBloomFilter.class)
          .question("how often was x seen, at most? one more bit per addition")
          .codec(AdaptiveBloomFilter::encode, AdaptiveBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("adaptive", AdaptiveShape.class)
                          .meetsPartly(
                              Need.COUNTS, "each further addition of a key takes a bit or two")
                          .onlyFor(Need.COUNTS)
                          .forKeys(AdaptiveShape::forKeys)
                          .forBudget(AdaptiveShape::forBudget)
                          .reads(shape -> shape.hashesPerKey() + 2)
                          .works(shape -> 1.7 * (shape.hashesPerKey() + 2))
                          .absentByThree(shape -> shape.hashesPerKey(), shape -> 9)
                          .why(
                              "Upper bounds of low counts in plain bits; sized for one addition per"
                                  + " key, and each further one takes a bit or two")
                          .orderMatters()
                          .storesDuplicates()
                          .creates(AdaptiveBloomFilter::create)));

  private final Probes probes;
  private final Modulus modulus;
  private final CountedBits bits;
  private final int scanLimit;

  private AdaptiveBloomFilter(AdaptiveShape shape, Hasher hasher, CountedBits bits) {
    super(shape, hasher);
    this.probes = new Probes(IndexScheme.INDEPENDENT, shape.bits(), shape.hashesPerKey());
    this.modulus = new Modulus(shape.bits());
    this.bits = bits;
    this.scanLimit = shape.scanLimit();
  }

  /**
   * The smallest filter for a number of keys, each added once, and a rate; {@link
   * AdaptiveShape#forAdds} sizes it for more additions.
   *
   * @param expectedKeys how many distinct keys will be added, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that load, above 0, below 1
   * @return an empty filter
   */
  public static AdaptiveBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(AdaptiveShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape bits, hashes per key and the scan limit
   * @return an empty filter
   */
  public static AdaptiveBloomFilter create(AdaptiveShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape bits, hashes per key and the scan limit
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static AdaptiveBloomFilter create(AdaptiveShape shape, Hasher hasher) {
    return new AdaptiveBloomFilter(shape, hasher, CountedBits.allocate(shape.bits()));
  }

  private Frame encode() {
    return Frame.of(hasher()).put(shape()).section(bits.words());
  }

  private static AdaptiveBloomFilter decode(Frame frame) throws IOException {
    AdaptiveShape shape = frame.shape(AdaptiveShape.class);
    CountedBits bits = new CountedBits(frame.bits(0, shape.bits()), shape.bits());
    return new AdaptiveBloomFilter(shape, frame.hasher(), bits);
  }

  @Override
  public FilterKind<AdaptiveBloomFilter> kind() {
    return KIND;
  }

  /** {@inheritDoc} Here: how many counting bits of a key are read at most. */
  @Override
  public long maxCount() {
    return scanLimit;
  }

  /** {@inheritDoc} Here: whether the k bits of the key and its first counting bit are set. */
  @Override
  public boolean mightContainHash(long hash) {
    return probes.allSet(hash, bits.words()) && bits.get(counting(hash, 0));
  }

  /** Counting bit {@code i} of a key. */
  private long counting(long hash, int i) {
    return Draws.index(hash, probes.count() + i, modulus);
  }

  /** {@inheritDoc} Here: the run of ones among the key's counting bits; never too low. */
  @Override
  public long countHash(long hash) {
    return probes.allSet(hash, bits.words()) ? run(hash) : 0;
  }

  private int run(long hash) {
    int run = 0;
    while (run < scanLimit && bits.get(counting(hash, run))) {
      run++;
    }
    return run;
  }

  /**
   * Whether additions of a key may have been lost, so that its count is too low.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return true if its run is as long as the scan
   */
  public boolean isSaturated(long hash) {
    return countHash(hash) == scanLimit;
  }

  @Override
  public boolean addHash(long hash, long times) {
    Arguments.inRange("times", times, 0, Long.MAX_VALUE);
    bits.words().writable();
    if (times == 0) {
      return false;
    }
    boolean isNew = !bits.get(counting(hash, 0));
    for (int i = 0; i < probes.count(); i++) {
      isNew |= bits.set(Draws.index(hash, i, modulus));
    }
    long left = times;
    for (int i = 0; i < scanLimit && left > 0; i++) {
      if (bits.set(counting(hash, i))) {
        left--;
      }
    }
    return isNew;
  }

  /** {@inheritDoc} Here: the fill to the power of k + 1. */
  @Override
  public double falsePositiveRate() {
    return Math.pow(fillRatio(), probes.count() + 1);
  }

  @Override
  public int hashBits() {
    return shape().hashBits();
  }

  @Override
  public int memoryAccesses() {
    return shape().memoryAccesses();
  }

  /**
   * The share of bits that are set.
   *
   * @return 0…1
   */
  public double fillRatio() {
    return bits.fill();
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public AdaptiveBloomFilter copy() {
    return new AdaptiveBloomFilter(shape(), hasher(), bits.copy());
  }
}
