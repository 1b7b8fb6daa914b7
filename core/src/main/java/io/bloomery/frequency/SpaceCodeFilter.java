package io.bloomery.frequency;

import io.bloomery.FilterKind;
import io.bloomery.FrequencyFilter;
import io.bloomery.Mergeable;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.probe.Modulus;
import io.bloomery.internal.probe.Probes;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A space-code Bloom filter: each addition of a key sets the bits of one of its l groups, drawn at
 * random, and the number θ of fully set groups yields an estimate of how often the key was added.
 * It never reports an added key absent, but a count may be too low or too high.
 *
 * <p>One resolution counts up to about {@code l·H_l} (129.9 for 32 groups). At 10, 30 and 60
 * additions one estimate deviates by 13 %, 15 % and 21 % (root mean square over 2,000 keys) and
 * their mean by up to 3 %, with 32 groups and hardly any collisions of bits; at a fill of 0.3 it is
 * 18 %, 16 % and 23 %, and 4 %. With several resolutions, filter i takes one in 4^i additions on
 * average, and the answer comes from the filter where one more match would change the estimate
 * least: 6 resolutions reach about 130,000, and a count of 10 to 100,000 deviates by 12 % to 29 %,
 * in the mean by up to 4 %, with hardly any collisions of bits; for 2,000 keys of 10 additions that
 * fill the first filter by half it is 28 % instead of 13 %. When all groups of the last filter
 * match, the count is at least about its range, and {@link #isSaturated} is true.
 *
 * <p>An addition writes k bits in one or a few filters. The return value of {@code add} costs a
 * query, which {@link #addHashes} avoids. A count reads up to {@code r·l·k} bits.
 *
 * <p>Threads: lock-free. Any number of threads may add, merge and query; a key whose {@code add}
 * returned is found by every query that happens after that return. Draws are numbered, so a single
 * thread that adds the same keys in the same order with the same {@link #seed} produces the same
 * filter; several threads take the numbers in the order in which they add.
 *
 * <p>Kumar, Xu, Wang, Spatschek and Li 2004, "Space-Code Bloom Filter for Efficient Per-Flow
 * Traffic Measurement". Deviations: sampling is 1/4 per resolution as in the paper, but the number
 * of resolutions is arbitrary; maximum likelihood uses only the most relevant filter. Correlations
 * between the additions of different keys are not modelled.
 */
public final class SpaceCodeFilter extends ShapedFilter<SpaceCodeShape>
    implements FrequencyFilter, Mergeable<SpaceCodeFilter>, QueryCost {

  public static final FilterKind<SpaceCodeFilter> KIND =
      Kind.of(29, "space-code", SpaceCodeFilter.class)
          .question("how often was x seen, about? one random group of bits per addition")
          .codec(SpaceCodeFilter::encode, SpaceCodeFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("space-code", SpaceCodeShape.class)
                          .meetsPartly(
                              Need.COUNTS, "counts are about 20 % off, and additions take room")
                          .onlyFor(Need.COUNTS)
                          .forKeys(SpaceCodeShape::forKeys)
                          .forBudget(SpaceCodeShape::forBudget)
                          .reads(shape -> shape.groups() * shape.hashesPerKey())
                          .works(shape -> 0.3 * shape.groups() * shape.hashesPerKey())
                          .absent(
                              shape -> shape.groups() * shape.hashesPerKey(),
                              shape -> 0.65 * shape.groups() * shape.hashesPerKey())
                          .why(
                              "Counts to about 20 % with the writes of a Bloom filter; sized for"
                                  + " one addition per key, and each further one takes as much"
                                  + " room")
                          .orderMatters()
                          .storesDuplicates()
                          .creates(SpaceCodeFilter::create)));

  private final Probes probes;
  private final Modulus modulus;
  private final CountedBits[] filters;
  private final long seed;
  private final AtomicLong draws;

  private SpaceCodeFilter(
      SpaceCodeShape shape, Hasher hasher, CountedBits[] filters, long seed, long draws) {
    super(shape, hasher);
    this.probes = new Probes(IndexScheme.INDEPENDENT, shape.bits(), shape.hashesPerKey());
    this.modulus = new Modulus(shape.bits());
    this.filters = filters;
    this.seed = seed;
    this.draws = new AtomicLong(draws);
  }

  /**
   * The smallest filter of one resolution and 32 groups for a number of keys, each added once, and
   * a rate; {@link SpaceCodeShape#forAdds(long, long, double)} sizes it for more additions.
   *
   * @param expectedKeys how many distinct keys will be added, 0 or more
   * @param falsePositiveRate the highest acceptable rate at that load, above 0, below 1
   * @return an empty filter
   */
  public static SpaceCodeFilter create(long expectedKeys, double falsePositiveRate) {
    return create(SpaceCodeShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape bits, bits of a group, groups and resolutions
   * @return an empty filter
   */
  public static SpaceCodeFilter create(SpaceCodeShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape bits, bits of a group, groups and resolutions
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static SpaceCodeFilter create(SpaceCodeShape shape, Hasher hasher) {
    return create(shape, hasher, 0);
  }

  /**
   * A filter of a given shape, hasher and seed of the random draws. Filters that will be merged
   * need different seeds.
   *
   * @param shape bits, bits of a group, groups and resolutions
   * @param hasher turns keys into hashes
   * @param seed any number; 0 in the other factories
   * @return an empty filter
   */
  public static SpaceCodeFilter create(SpaceCodeShape shape, Hasher hasher, long seed) {
    CountedBits[] filters = new CountedBits[shape.resolutions()];
    for (int i = 0; i < filters.length; i++) {
      filters[i] = CountedBits.allocate(shape.bits());
    }
    return new SpaceCodeFilter(shape, hasher, filters, seed, 0);
  }

  private Frame encode() {
    // Beyond the highest number the draws begin anew.
    long drawn = draws.get() & Long.MAX_VALUE;
    Frame frame = Frame.of(hasher()).put(shape()).put("seed", seed).put("draws", drawn);
    for (CountedBits filter : filters) {
      frame.section(filter.words());
    }
    return frame;
  }

  private static SpaceCodeFilter decode(Frame frame) throws IOException {
    SpaceCodeShape shape = frame.shape(SpaceCodeShape.class);
    long seed = frame.number("seed", Long.MIN_VALUE, Long.MAX_VALUE);
    long draws = frame.number("draws", 0, Long.MAX_VALUE);
    CountedBits[] filters = new CountedBits[shape.resolutions()];
    for (int i = 0; i < filters.length; i++) {
      filters[i] = new CountedBits(frame.bits(i, shape.bits()), shape.bits());
    }
    return new SpaceCodeFilter(shape, frame.hasher(), filters, seed, draws);
  }

  @Override
  public FilterKind<SpaceCodeFilter> kind() {
    return KIND;
  }

  /**
   * The seed of the random draws.
   *
   * @return any number
   */
  public long seed() {
    return seed;
  }

  /** {@inheritDoc} Here: whether any group of the first resolution matches. */
  @Override
  public boolean mightContainHash(long hash) {
    for (int group = 0; group < shape().groups(); group++) {
      if (isSet(hash, 0, group)) {
        return true;
      }
    }
    return false;
  }

  private boolean isSet(long hash, int resolution, int group) {
    return probes.allSet(group(hash, resolution, group), filters[resolution].words());
  }

  /** The hash whose positions are those of a group; each resolution has its own family. */
  private long group(long hash, int resolution, int group) {
    return Draws.family(hash, resolution * shape().groups() + group);
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
    for (int group = 0; group < shape().groups(); group++) {
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
   * The count, neither rounded nor corrected to 1 for a key that is probably present.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return mean value estimation by the most relevant resolution, 0 or more
   */
  public double estimateHash(long hash) {
    Relevant relevant = relevant(hash);
    return shape().meanValueEstimate(relevant.matches, relevant.fill) / relevant.sampling;
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
    double draws = shape().likelyEstimate(relevant.matches, relevant.fill);
    return Math.max(1, Math.round(draws / relevant.sampling));
  }

  /** {@inheritDoc} Here: {@code l·H_l} over the sampling of the last resolution, rounded. */
  @Override
  public boolean isUpperBound() {
    return false;
  }

  @Override
  public long maxCount() {
    return Math.round(shape().range() / shape().sampling(filters.length - 1));
  }

  /**
   * Whether a count is beyond the filter's range: all groups of the last resolution match.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return true if the count is only known to be large
   */
  public boolean isSaturated(long hash) {
    return matches(hash, filters.length - 1) == shape().groups();
  }

  private record Relevant(int matches, double fill, double sampling) {}

  /**
   * The resolution of smallest inaccuracy. If each resolution matches no groups or all of them, it
   * is the last that matches all, or the first if none matches any.
   */
  private Relevant relevant(long hash) {
    int chosen = 0;
    int chosenMatches = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < filters.length; i++) {
      int matches = matches(hash, i);
      if (matches == shape().groups()) {
        if (least == Double.POSITIVE_INFINITY) {
          chosen = i;
          chosenMatches = matches;
        }
      } else if (matches > 0 && shape().inaccuracy(matches) < least) {
        chosen = i;
        chosenMatches = matches;
        least = shape().inaccuracy(matches);
      }
    }
    return new Relevant(chosenMatches, filters[chosen].fill(), shape().sampling(chosen));
  }

  @Override
  public boolean addHash(long hash) {
    filters[0].words().writable();
    boolean isNew = !mightContainHash(hash);
    draw(hash);
    return isNew;
  }

  /** {@inheritDoc} Does not query: k bits are written per key and filter. */
  @Override
  public void addHashes(long[] hashes, int from, int to) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromToIndex(from, to, hashes.length);
    for (int i = from; i < to; i++) {
      draw(hashes[i]);
    }
  }

  /**
   * {@inheritDoc} Draws from the same distribution as {@code times} single additions, though not
   * the same groups; the cost is at most some hundred draws per resolution.
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
    int group = (int) Mix.reduce(random, shape().groups());
    long family = group(hash, resolution, group);
    for (int i = 0; i < shape().hashesPerKey(); i++) {
      filters[resolution].set(Draws.index(family, i, modulus));
    }
    return group;
  }

  /** Skips additions that the resolution does not sample, and ends when every group was drawn. */
  private void drawMany(long hash, int resolution, long times) {
    double log = Math.log1p(-shape().sampling(resolution));
    boolean[] drawn = new boolean[shape().groups()];
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
    return shape().falsePositiveRateAtFill(filters[0].fill());
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
    return fits(other);
  }

  /**
   * {@inheritDoc} Counts of a key are as accurate as if one filter had taken all additions,
   * provided the two drew independently, with different seeds.
   */
  @Override
  public void merge(SpaceCodeFilter other) {
    requireFits(other);
    for (int i = 0; i < filters.length; i++) {
      filters[i].orAll(other.filters[i]);
    }
  }

  /**
   * A copy in heap memory that shares nothing with this filter, and that continues with the same
   * draws.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public SpaceCodeFilter copy() {
    CountedBits[] copies = new CountedBits[filters.length];
    for (int i = 0; i < copies.length; i++) {
      copies[i] = filters[i].copy();
    }
    return new SpaceCodeFilter(shape(), hasher(), copies, seed, draws.get());
  }

  @Override
  public String toString() {
    return "SpaceCodeFilter[" + shape() + ", seed " + seed + ", " + hasher() + "]";
  }
}
