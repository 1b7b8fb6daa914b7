package io.bloomery.frequency;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.FrequencyFilter;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.probe.Probes;
import java.io.IOException;

/**
 * Counts in a plain bit array: a key has k bits and then an unlimited sequence of further ones, and
 * each addition sets the first bit of that sequence that is 0. A count is the length of the
 * sequence's run of ones. It is never too low unless {@link #isSaturated}; it is too high by the
 * ones of other keys in the run.
 *
 * <p>How much too high: a key whose additions found the filter filled to φ_1, φ_2, … and that is
 * asked for at a fill of φ has the expected count {@code 1/(1-φ_1) + 1/(1-φ_2) + … + φ/(1-φ)}. With
 * k = 4 and keys in turn the sum of all counts is 1.27 times the truth at a fill of .246 (5
 * additions a key), 1.37 at .366 and 2.41 at .756 (10 additions a key). A key that was never added
 * is counted with the probability {@code φ^(k+1)}.
 *
 * <p>The cost of an addition or a count grows with the count. The scan ends at {@link #maxCount}
 * bits: from then on additions of that key are lost and {@link #isSaturated} is true for ever. By
 * default that is {@code 64 + 40·ln m}, about 600, enough for any run by chance up to a fill of 0.9
 * and for counts of some hundreds; {@link Builder#scanLimit} raises it.
 *
 * <p>Threads: lock-free. Any number of threads may add and query; every addition sets a bit of its
 * own, so none is lost, and a key whose {@code add} returned is found and counted by every later
 * query of a thread that can see that return.
 *
 * <p>Matsumoto, Hazeyama and Kadobayashi 2008, "Adaptive Bloom Filter: A Space-Efficient Counting
 * Algorithm for Unpredictable Network Traffic"; Tarkoma, Rothenberg and Lagerspetz 2012, sec.
 * III-K. Deviations: a key whose first counting bit is 0 is answered "absent", which spares a
 * factor φ of false positives; the limit of the scan is fixed, because one that grows with the fill
 * would forget that a key was saturated. There is no merge: runs of one key in two filters do not
 * add up.
 */
public final class AdaptiveBloomFilter implements FrequencyFilter, Storable {

  /** How files name this kind. */
  public static final FilterKind<AdaptiveBloomFilter> KIND =
      new FilterKind<>(
          30,
          "adaptive",
          "how often was x seen, at most? one more bit a time",
          AdaptiveBloomFilter.class,
          AdaptiveBloomFilter::encode,
          AdaptiveBloomFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  AdaptiveShape.class,
                  AdaptiveShape::forKeys,
                  AdaptiveShape::forBudget,
                  order ->
                      builder()
                          .bits(order.shape().bits())
                          .probes(order.shape().probes())
                          .hasher(order.hasher())
                          .build()));

  /** The fewest and the most bits of a scan. */
  private static final int MIN_SCAN = 64;

  private static final int MAX_SCAN = 1 << 30;

  /** The fill up to which no run by chance reaches the default limit. */
  private static final double FULL = 0.9;

  private final Hasher hasher;
  private final AdaptiveShape shape;
  private final Probes probes;
  private final Modulus modulus;
  private final CountedBits bits;
  private final int scanLimit;

  private AdaptiveBloomFilter(Hasher hasher, AdaptiveShape shape, CountedBits bits, int scanLimit) {
    this.hasher = hasher;
    this.shape = shape;
    this.probes = new Probes(IndexScheme.INDEPENDENT, shape.bits(), shape.probes());
    this.modulus = new Modulus(shape.bits());
    this.bits = bits;
    this.scanLimit = scanLimit;
  }

  /**
   * The smallest filter for a number of keys, of additions, and a rate.
   *
   * @param expectedKeys how many different keys will be added, 1 or more
   * @param expectedAdds how often keys will be added in all, {@code expectedKeys} or more
   * @param falsePositiveRate the highest acceptable rate then, above 0, below 1
   * @return an empty filter
   */
  public static AdaptiveBloomFilter create(
      long expectedKeys, long expectedAdds, double falsePositiveRate) {
    return builder()
        .expectedKeys(expectedKeys)
        .expectedAdds(expectedAdds)
        .falsePositiveRate(falsePositiveRate)
        .build();
  }

  /**
   * A filter whose size is given, as papers do.
   *
   * @param bits m, 2 or more
   * @param probes k, 1…255
   * @return an empty filter
   */
  public static AdaptiveBloomFilter ofBits(long bits, int probes) {
    return builder().bits(bits).probes(probes).build();
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("bits", shape.bits())
        .put("probes", shape.probes())
        .put("scan limit", scanLimit)
        .section(bits.words());
  }

  private static AdaptiveBloomFilter decode(Frame frame) throws IOException {
    long bits = frame.number("bits", 2, AdaptiveShape.MAX_BITS);
    int probes = (int) frame.number("probes", 1, Math.min(AdaptiveShape.MAX_PROBES, bits));
    int scanLimit = (int) frame.number("scan limit", MIN_SCAN, MAX_SCAN);
    return new AdaptiveBloomFilter(
        frame.hasher(),
        new AdaptiveShape(bits, probes),
        new CountedBits(frame.bits(0, bits), bits),
        scanLimit);
  }

  @Override
  public FilterKind<AdaptiveBloomFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The fixed parameters.
   *
   * @return the shape, with its rate formula
   */
  public AdaptiveShape shape() {
    return shape;
  }

  /** {@inheritDoc} Here: how many counting bits of a key are looked at. */
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
    return Draws.index(hash, shape.probes() + i, modulus);
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
    for (int i = 0; i < shape.probes(); i++) {
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
    return Math.pow(fillRatio(), shape.probes() + 1);
  }

  @Override
  public long sizeInBits() {
    return shape.bits();
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
    return new AdaptiveBloomFilter(hasher, shape, bits.copy(), scanLimit);
  }

  @Override
  public String toString() {
    return "AdaptiveBloomFilter[" + shape + ", scan limit " + scanLimit + ", " + hasher + "]";
  }

  /** Options of a filter: expected keys, additions and rate, or bits and probes. */
  public static final class Builder extends SizedBuilder<Builder> {
    private long expectedAdds;
    private long bits;
    private int probes;
    private int scanLimit;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * How often keys will be added in all; each once if never called.
     *
     * @param expectedAdds expected keys or more
     * @return this
     */
    public Builder expectedAdds(long expectedAdds) {
      this.expectedAdds =
          Arguments.inRange("expectedAdds", expectedAdds, 1, AdaptiveShape.MAX_BITS);
      return this;
    }

    /**
     * The size, instead of keys and a rate.
     *
     * @param bits 2 or more
     * @return this
     */
    public Builder bits(long bits) {
      this.bits = Arguments.inRange("bits", bits, 2, AdaptiveShape.MAX_BITS);
      return this;
    }

    /**
     * The bits of a key besides those that count, together with {@link #bits}.
     *
     * @param probes 1…255
     * @return this
     */
    public Builder probes(int probes) {
      this.probes = Arguments.inRange("probes", probes, 1, AdaptiveShape.MAX_PROBES);
      return this;
    }

    /**
     * How many counting bits of a key are looked at, which is the highest count. At a fill of φ a
     * key of c additions has a run of about {@code c/(1-φ)}.
     *
     * @param scanLimit 64…2^30; {@code 64 + 40·ln m} if never called
     * @return this
     */
    public Builder scanLimit(int scanLimit) {
      this.scanLimit = Arguments.inRange("scanLimit", scanLimit, MIN_SCAN, MAX_SCAN);
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     */
    public AdaptiveBloomFilter build() {
      AdaptiveShape shape = shape();
      double byChance = 4 * Math.log((double) shape.bits()) / (1 - FULL);
      int limit = scanLimit == 0 ? MIN_SCAN + (int) Math.ceil(byChance) : scanLimit;
      return new AdaptiveBloomFilter(hasher, shape, CountedBits.allocate(shape.bits()), limit);
    }

    private AdaptiveShape shape() {
      if (bits == 0) {
        if (probes != 0) {
          throw new IllegalArgumentException("probes " + probes + " need bits as well");
        }
        long adds = expectedAdds == 0 ? expectedKeys : expectedAdds;
        return AdaptiveShape.forAdds(expectedKeys, adds, falsePositiveRate);
      }
      if (falsePositiveRate != 0) {
        throw new IllegalArgumentException(
            "bits " + bits + " and falsePositiveRate " + falsePositiveRate + " exclude each other");
      }
      if (probes == 0) {
        throw new IllegalArgumentException("bits " + bits + " need probes as well");
      }
      return new AdaptiveShape(bits, probes);
    }
  }
}
