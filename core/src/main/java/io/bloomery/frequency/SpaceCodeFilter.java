package io.bloomery.frequency;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.FrequencyFilter;
import io.bloomery.Mergeable;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.probe.Probes;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A space-code Bloom filter: each addition of a key sets the bits of one of its l groups, drawn at
 * random, and the number θ of groups that are fully set tells about how often the key was added. It
 * never reports an added key absent, but a count may be too low as well as too high.
 *
 * <p>One resolution counts up to about {@code l·H_l} (129.9 for 32 groups). At 10, 30 and 60
 * additions one estimate deviates by 13 %, 15 % and 21 % (root mean square over 2,000 keys) and
 * their mean by up to 3 %, with 32 groups and hardly any collisions of bits; at a fill of 0.3 it is
 * 18 %, 16 % and 23 %, and 4 %. With several resolutions filter i takes one addition of 4^i on
 * average, and the answer comes from the filter where one more match would change the estimate
 * least: 6 resolutions reach about 130,000, and a count of 10 to 100,000 deviates by 12 % to 29 %,
 * in the mean by up to 4 %. When all groups of the last filter match the count is at least about
 * its range; {@link #isSaturated} says so.
 *
 * <p>An addition writes k bits in one or few filters. The answer of {@code add} costs a query more;
 * {@link #addHashes} gives none. A count reads up to {@code r·l·k} bits.
 *
 * <p>Threads: lock-free. Any number of threads may add, merge and query; a key whose {@code add}
 * returned is found by every later query of a thread that can see that return. Draws are numbered,
 * so one thread that adds the same keys in the same order to filters of one {@link #seed} makes the
 * same filter; several threads share the numbers as they come.
 *
 * <p>Kumar, Xu, Wang, Spatschek and Li 2004, "Space-Code Bloom Filter for Efficient Per-Flow
 * Traffic Measurement". Deviations: sampling is 1/4 per resolution as there, but the number of
 * resolutions is free; maximum likelihood is offered for the most relevant filter alone. Counts of
 * one key say something about another only if their additions are correlated, which this filter
 * does not know of.
 */
public final class SpaceCodeFilter
    implements FrequencyFilter, Mergeable<SpaceCodeFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<SpaceCodeFilter> KIND =
      new FilterKind<>(
          29,
          "space-code",
          "how often was x seen, about? one random group of bits a time",
          SpaceCodeFilter.class,
          SpaceCodeFilter::encode,
          SpaceCodeFilter::decode,
          () ->
              FilterRecipe.lockFree(
                  SpaceCodeShape.class,
                  SpaceCodeShape::forKeys,
                  SpaceCodeShape::forBudget,
                  SpaceCodeFilter::made));

  private static final int DEFAULT_PROBES = 3;

  private final Hasher hasher;
  private final SpaceCodeShape shape;
  private final Probes probes;
  private final Modulus modulus;
  private final CountedBits[] filters;
  private final long seed;
  private final AtomicLong draws;

  private SpaceCodeFilter(
      Hasher hasher, SpaceCodeShape shape, CountedBits[] filters, long seed, long draws) {
    this.hasher = hasher;
    this.shape = shape;
    this.probes = new Probes(IndexScheme.INDEPENDENT, shape.bits(), shape.probes());
    this.modulus = new Modulus(shape.bits());
    this.filters = filters;
    this.seed = seed;
    this.draws = new AtomicLong(draws);
  }

  /**
   * The smallest filter of one resolution and 32 groups.
   *
   * @param expectedKeys how many different keys will be added, 1 or more
   * @param expectedAdds how often keys will be added in all, {@code expectedKeys} or more
   * @param falsePositiveRate the highest acceptable rate then, above 0, below 1
   * @return an empty filter
   */
  public static SpaceCodeFilter create(
      long expectedKeys, long expectedAdds, double falsePositiveRate) {
    return builder()
        .expectedKeys(expectedKeys)
        .expectedAdds(expectedAdds)
        .falsePositiveRate(falsePositiveRate)
        .build();
  }

  /**
   * A filter of one resolution and 32 groups whose size is given, as papers do.
   *
   * @param bits m, 2 or more
   * @param probes k, the bits of a group, 1…255
   * @return an empty filter
   */
  public static SpaceCodeFilter ofBits(long bits, int probes) {
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

  private static SpaceCodeFilter made(FilterRecipe.Order<SpaceCodeShape> order) {
    SpaceCodeShape shape = order.shape();
    return builder()
        .bits(shape.bits())
        .probes(shape.probes())
        .groups(shape.groups())
        .resolutions(shape.resolutions())
        .hasher(order.hasher())
        .build();
  }

  private Frame encode() {
    Frame frame =
        Frame.of(hasher)
            .put("bits", shape.bits())
            .put("probes", shape.probes())
            .put("groups", shape.groups())
            .put("resolutions", shape.resolutions())
            .put("seed", seed)
            .put("draws", draws.get());
    for (CountedBits filter : filters) {
      frame.section(filter.words());
    }
    return frame;
  }

  private static SpaceCodeFilter decode(Frame frame) throws IOException {
    long bits = frame.number("bits", 2, SpaceCodeShape.MAX_BITS);
    int probes = (int) frame.number("probes", 1, Math.min(SpaceCodeShape.MAX_PROBES, bits));
    int groups = (int) frame.number("groups", 2, SpaceCodeShape.MAX_GROUPS);
    int resolutions = (int) frame.number("resolutions", 1, SpaceCodeShape.MAX_RESOLUTIONS);
    long seed = frame.number("seed", Long.MIN_VALUE, Long.MAX_VALUE);
    long draws = frame.number("draws", 0, Long.MAX_VALUE);
    CountedBits[] filters = new CountedBits[resolutions];
    for (int i = 0; i < resolutions; i++) {
      filters[i] = new CountedBits(frame.bits(i, bits), bits);
    }
    SpaceCodeShape shape = new SpaceCodeShape(bits, probes, groups, resolutions);
    return new SpaceCodeFilter(frame.hasher(), shape, filters, seed, draws);
  }

  @Override
  public FilterKind<SpaceCodeFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The fixed parameters.
   *
   * @return the shape, with its rate formula and estimators
   */
  public SpaceCodeShape shape() {
    return shape;
  }

  /**
   * What the random draws begin with.
   *
   * @return the seed
   */
  public long seed() {
    return seed;
  }

  /** {@inheritDoc} Here: whether any group of the first resolution matches. */
  @Override
  public boolean mightContainHash(long hash) {
    for (int group = 0; group < shape.groups(); group++) {
      if (isSet(hash, 0, group)) {
        return true;
      }
    }
    return false;
  }

  private boolean isSet(long hash, int resolution, int group) {
    return probes.allSet(group(hash, resolution, group), filters[resolution].words());
  }

  /** The hash whose positions are those of a group: a family of its own in every resolution. */
  private long group(long hash, int resolution, int group) {
    return Draws.family(hash, resolution * shape.groups() + group);
  }

  /**
   * How many groups of a key match, θ.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param resolution 0 … {@code shape().resolutions() - 1}
   * @return 0 … {@code shape().groups()}
   */
  public int matches(long hash, int resolution) {
    Objects.checkIndex(resolution, filters.length);
    int matches = 0;
    for (int group = 0; group < shape.groups(); group++) {
      matches += isSet(hash, resolution, group) ? 1 : 0;
    }
    return matches;
  }

  /**
   * {@inheritDoc} Here: mean value estimation by the most relevant resolution, rounded; it may be
   * too low. The end of the range, {@code l·H_l} over the sampling of the last resolution, if
   * {@link #isSaturated}.
   */
  @Override
  public long countHash(long hash) {
    return mightContainHash(hash) ? Math.max(1, Math.round(estimateHash(hash))) : 0;
  }

  /**
   * The same, not rounded and not corrected to 1 for a key that is probably present.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return mean value estimation by the most relevant resolution, 0 or more
   */
  public double estimateHash(long hash) {
    Relevant relevant = relevant(hash);
    return shape.meanValueEstimate(relevant.matches, relevant.fill) / relevant.sampling;
  }

  /**
   * The most likely number of additions, judged by the most relevant resolution.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return maximum likelihood estimation, 0 if certainly none; it may be too low
   */
  public long likelyCountHash(long hash) {
    if (!mightContainHash(hash)) {
      return 0;
    }
    Relevant relevant = relevant(hash);
    double draws = shape.likelyEstimate(relevant.matches, relevant.fill);
    return Math.max(1, Math.round(draws / relevant.sampling));
  }

  /** {@inheritDoc} Here: {@code l·H_l} over the sampling of the last resolution, rounded. */
  @Override
  public long maxCount() {
    return Math.round(shape.range() / shape.sampling(filters.length - 1));
  }

  /**
   * Whether a count is beyond what the filter can tell: all groups of the last resolution match.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return true if the count is only known to be large
   */
  public boolean isSaturated(long hash) {
    return matches(hash, filters.length - 1) == shape.groups();
  }

  private record Relevant(int matches, double fill, double sampling) {}

  /**
   * The resolution of smallest inaccuracy. Where every one has no or all groups, it is the last
   * that has all, or the first if none has any.
   */
  private Relevant relevant(long hash) {
    int chosen = 0;
    int chosenMatches = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < filters.length; i++) {
      int matches = matches(hash, i);
      if (matches == shape.groups()) {
        if (least == Double.POSITIVE_INFINITY) {
          chosen = i;
          chosenMatches = matches;
        }
      } else if (matches > 0 && shape.inaccuracy(matches) < least) {
        chosen = i;
        chosenMatches = matches;
        least = shape.inaccuracy(matches);
      }
    }
    return new Relevant(chosenMatches, filters[chosen].fill(), shape.sampling(chosen));
  }

  @Override
  public boolean addHash(long hash) {
    filters[0].words().writable();
    boolean isNew = !mightContainHash(hash);
    draw(hash);
    return isNew;
  }

  /** {@inheritDoc} Gives no answers and so asks nothing: k bits are written per key and filter. */
  @Override
  public void addHashes(long[] hashes, int from, int to) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromToIndex(from, to, hashes.length);
    for (int i = from; i < to; i++) {
      draw(hashes[i]);
    }
  }

  /**
   * {@inheritDoc} Drawn as {@code times} single additions would be, though not the same groups; the
   * cost does not grow beyond some hundred draws a resolution.
   */
  @Override
  public boolean addHash(long hash, long times) {
    Arguments.inRange("times", times, 0, Long.MAX_VALUE);
    filters[0].words().writable();
    if (times == 0) {
      return false;
    }
    boolean isNew = !mightContainHash(hash);
    for (int i = 0; i < filters.length; i++) {
      drawMany(hash, i, times);
    }
    return isNew;
  }

  private long nextDraw() {
    return Mix.mix(seed + draws.incrementAndGet() * Mix.GOLDEN);
  }

  private void draw(long hash) {
    filters[0].words().writable();
    long draw = nextDraw();
    for (int i = 0; i < filters.length; i++) {
      // Sampled if the upper 2·i bits are zero.
      if (i == 0 || (Mix.stream(draw, 2 * i) >>> (Long.SIZE - 2 * i)) == 0) {
        setGroup(hash, i, Mix.stream(draw, 2 * i + 1));
      }
    }
  }

  private int setGroup(long hash, int resolution, long random) {
    int group = (int) Mix.reduce(random, shape.groups());
    long family = group(hash, resolution, group);
    for (int i = 0; i < shape.probes(); i++) {
      filters[resolution].set(Draws.index(family, i, modulus));
    }
    return group;
  }

  /** Skips what the resolution does not sample, and ends when every group was drawn. */
  private void drawMany(long hash, int resolution, long times) {
    double log = Math.log1p(-shape.sampling(resolution));
    boolean[] drawn = new boolean[shape.groups()];
    int missing = drawn.length;
    for (long left = times; missing > 0; ) {
      long draw = nextDraw();
      double uniform = ((Mix.stream(draw, 0) >>> 11) + 1) * 0x1p-53;
      long gap = resolution == 0 ? 0 : (long) (Math.log(uniform) / log);
      if (gap >= left) {
        return;
      }
      left -= gap + 1;
      int group = setGroup(hash, resolution, Mix.stream(draw, 1));
      missing -= drawn[group] ? 0 : 1;
      drawn[group] = true;
    }
  }

  /** {@inheritDoc} Here: {@code 1 - (1 - fill^k)^l} of the first resolution. */
  @Override
  public double falsePositiveRate() {
    return shape.falsePositiveRateAtFill(filters[0].fill());
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * The share of bits of a resolution that are set.
   *
   * @param resolution 0 … {@code shape().resolutions() - 1}
   * @return 0…1
   */
  public double fillRatio(int resolution) {
    Objects.checkIndex(resolution, filters.length);
    return filters[resolution].fill();
  }

  @Override
  public boolean isCompatible(SpaceCodeFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, shape, other.shape);
  }

  /**
   * {@inheritDoc} Counts of a key add up as well as if one filter had taken all additions, provided
   * the two drew independently: give filters that are to be merged different seeds.
   */
  @Override
  public void merge(SpaceCodeFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, shape, other.shape);
    for (int i = 0; i < filters.length; i++) {
      filters[i].orAll(other.filters[i]);
    }
  }

  /**
   * A copy in heap memory that shares nothing with this filter, and that draws as this one will.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public SpaceCodeFilter copy() {
    CountedBits[] copies = new CountedBits[filters.length];
    for (int i = 0; i < copies.length; i++) {
      copies[i] = filters[i].copy();
    }
    return new SpaceCodeFilter(hasher, shape, copies, seed, draws.get());
  }

  @Override
  public String toString() {
    return "SpaceCodeFilter[" + shape + ", seed " + seed + ", " + hasher + "]";
  }

  /** Options of a filter: expected keys, additions and rate, or bits and probes. */
  public static final class Builder extends SizedBuilder<Builder> {
    private long expectedAdds;
    private long bits;
    private int probes;
    private int groups = SpaceCodeShape.DEFAULT_GROUPS;
    private int resolutions = 1;
    private long seed;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * How often keys will be added in all; each once if never called.
     *
     * @param expectedAdds expected keys … 2^53
     * @return this
     */
    public Builder expectedAdds(long expectedAdds) {
      this.expectedAdds =
          Arguments.inRange("expectedAdds", expectedAdds, 1, SpaceCodeShape.MAX_LOAD);
      return this;
    }

    /**
     * The size of each resolution, instead of keys and a rate.
     *
     * @param bits 2 or more
     * @return this
     */
    public Builder bits(long bits) {
      this.bits = Arguments.inRange("bits", bits, 2, SpaceCodeShape.MAX_BITS);
      return this;
    }

    /**
     * The bits of a group, together with {@link #bits}; 3 if never called.
     *
     * @param probes 1…255
     * @return this
     */
    public Builder probes(int probes) {
      this.probes = Arguments.inRange("probes", probes, 1, SpaceCodeShape.MAX_PROBES);
      return this;
    }

    /**
     * The groups of each key; 32 if never called.
     *
     * @param groups 2…1024
     * @return this
     */
    public Builder groups(int groups) {
      this.groups = Arguments.inRange("groups", groups, 2, SpaceCodeShape.MAX_GROUPS);
      return this;
    }

    /**
     * How many filters of falling sampling there are; 1 if never called. Each one more multiplies
     * the range by 4.
     *
     * @param resolutions 1…16
     * @return this
     */
    public Builder resolutions(int resolutions) {
      this.resolutions =
          Arguments.inRange("resolutions", resolutions, 1, SpaceCodeShape.MAX_RESOLUTIONS);
      return this;
    }

    /**
     * What the random draws begin with; 0 if never called.
     *
     * @param seed any number
     * @return this
     */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     */
    public SpaceCodeFilter build() {
      SpaceCodeShape shape = shape();
      CountedBits[] filters = new CountedBits[resolutions];
      for (int i = 0; i < resolutions; i++) {
        filters[i] = CountedBits.allocate(shape.bits());
      }
      return new SpaceCodeFilter(hasher, shape, filters, seed, 0);
    }

    private SpaceCodeShape shape() {
      if (bits == 0) {
        if (probes != 0) {
          throw new IllegalArgumentException("probes " + probes + " need bits as well");
        }
        long adds = expectedAdds == 0 ? expectedKeys : expectedAdds;
        return SpaceCodeShape.forAdds(expectedKeys, adds, falsePositiveRate, groups, resolutions);
      }
      if (falsePositiveRate != 0) {
        throw new IllegalArgumentException(
            "bits " + bits + " and falsePositiveRate " + falsePositiveRate + " exclude each other");
      }
      return new SpaceCodeShape(bits, probes == 0 ? DEFAULT_PROBES : probes, groups, resolutions);
    }
  }
}
