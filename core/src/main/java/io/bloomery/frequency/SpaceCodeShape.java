package io.bloomery.frequency;

import io.bloomery.QueryCost;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Fill;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.HashBits;

/**
 * The shape of a space-code Bloom filter, and the estimates of a count from the number of matching
 * groups.
 *
 * @param bits m, the bits of each resolution, 2 … {@link Shape#MAX_BITS}
 * @param hashesPerKey k, the bits of a group, 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most m
 * @param groups l, groups of each key, 2 … {@link #MAX_GROUPS}
 * @param resolutions r, the number of filters; filter i = 0 … r-1 takes one in 4^i additions on
 *     average; 1 … {@link #MAX_RESOLUTIONS}
 */
public record SpaceCodeShape(
    @FieldName("bits") long bits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("groups") int groups,
    @FieldName("resolutions") int resolutions)
    implements Shape, QueryCost {

  /** The most groups. */
  public static final int MAX_GROUPS = 1024;

  /** The most resolutions: the last one takes one in 2^30 additions. */
  public static final int MAX_RESOLUTIONS = 16;

  /** The number of groups that the paper uses. */
  public static final int DEFAULT_GROUPS = 32;

  /** The bits of a group that the paper uses. */
  public static final int DEFAULT_PROBES = 3;

  public SpaceCodeShape {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, bits));
    Arguments.inRange("groups", groups, 2, MAX_GROUPS);
    Arguments.inRange("resolutions", resolutions, 1, MAX_RESOLUTIONS);
  }

  /**
   * A filter of one resolution and 32 groups of given size, as in papers.
   *
   * @param bits m, 2 … {@link Shape#MAX_BITS}
   * @param hashesPerKey k, the bits of a group, 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most m
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static SpaceCodeShape of(long bits, int hashesPerKey) {
    return new SpaceCodeShape(bits, hashesPerKey, DEFAULT_GROUPS, 1);
  }

  /**
   * The smallest filter of one resolution and 32 groups for keys that are added once.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static SpaceCodeShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forAdds(expectedKeys, expectedKeys, falsePositiveRate);
  }

  /**
   * The smallest filter of one resolution and 32 groups for keys that are added several times.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param expectedAdds additions in total, {@code expectedKeys} … {@link Shape#MAX_LOAD}; assumed
   *     to be evenly distributed, the worst case for the fill
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static SpaceCodeShape forAdds(
      long expectedKeys, long expectedAdds, double falsePositiveRate) {
    return forAdds(expectedKeys, expectedAdds, falsePositiveRate, DEFAULT_GROUPS, 1);
  }

  /**
   * The smallest filter, in whole 64-bit words per resolution, for keys that are added several
   * times.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param expectedAdds additions in total, {@code expectedKeys} … {@link Shape#MAX_LOAD}; assumed
   *     to be evenly distributed, the worst case for the fill
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param groups groups of each key, 2 … {@link #MAX_GROUPS}
   * @param resolutions number of filters, 1 … {@link #MAX_RESOLUTIONS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static SpaceCodeShape forAdds(
      long expectedKeys, long expectedAdds, double falsePositiveRate, int groups, int resolutions) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Arguments.inRange("expectedAdds", expectedAdds, expectedKeys, MAX_LOAD);
    Arguments.inRange("groups", groups, 2, MAX_GROUPS);
    Arguments.inRange("resolutions", resolutions, 1, MAX_RESOLUTIONS);
    // One group must match with this probability for any of them to match with the rate.
    double one = -Math.expm1(Math.log1p(-falsePositiveRate) / groups);
    double ideal = BloomMath.informationBound(one);
    double entries = entries(expectedKeys, expectedAdds, groups);
    Sizing.Choice choice =
        Sizing.smallest(
            (words, k) -> rate(words * 64, entries, k, groups),
            falsePositiveRate,
            (long) (entries * BloomMath.bitsPerKey(one) / 64) + 1,
            MAX_BITS / 64,
            new Sizing.Probes(
                (int) Math.max(1, Math.round(ideal)), 1, Sizing.mostProbes(one, 1), 2));
    if (choice == null) {
      throw Sizing.tooLarge("a space-code filter", expectedKeys, falsePositiveRate);
    }
    return new SpaceCodeShape(choice.size() * 64, choice.hashesPerKey(), groups, resolutions);
  }

  /**
   * The filter with the lowest rate that fits a given memory, of one resolution and 32 groups, for
   * keys that are added once.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}; rounded down to whole 64-bit words
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static SpaceCodeShape forBudget(long expectedKeys, long bits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    long whole = Sizing.requireBudget(bits, 64) / 64 * 64;
    int most = (int) Math.min(MAX_HASHES_PER_KEY, whole);
    int start = Math.min(most, BloomMath.optimalProbes(whole, expectedKeys));
    int k =
        new Sizing.Probes(start, 1, most, 2)
            .best(p -> rate(whole, (double) expectedKeys, p, DEFAULT_GROUPS));
    return of(whole, k);
  }

  @Override
  public long sizeInBits() {
    return resolutions * bits;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here: each of them once. A further addition of a key sets another group, so it takes as much
   * room as a new key; see {@link #falsePositiveRate(long, long)}.
   */
  @Override
  public double falsePositiveRate(long keys) {
    return falsePositiveRate(keys, keys);
  }

  /**
   * The expected rate after keys were added, each equally often: the probability that at least one
   * of the groups of a key that was never added matches, {@code 1 - (1 - fill^k)^l}.
   *
   * @param keys number of distinct keys, 0 … {@link Shape#MAX_LOAD}
   * @param adds additions in total, {@code keys} … {@link Shape#MAX_LOAD}
   * @return the probability, 0 … 1
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public double falsePositiveRate(long keys, long adds) {
    Sizing.requireLoad(keys);
    Arguments.inRange("adds", adds, keys, MAX_LOAD);
    return rate(bits, entries(keys, adds, groups), hashesPerKey, groups);
  }

  /** The expected number of set groups of all keys. */
  private static double entries(long keys, long adds, int groups) {
    return keys == 0 ? 0 : keys * matches(groups, (double) adds / keys);
  }

  private static double rate(long bits, double entries, int hashesPerKey, int groups) {
    long thrown = Math.round(entries * hashesPerKey);
    return Fill.expect(
        bits, thrown, 0, 0, fill -> atLeastOne(Math.pow(fill, hashesPerKey), groups));
  }

  /**
   * The probability that a key that was never added matches at least one group.
   *
   * @param fill share of bits that are set in the first resolution, 0 … 1
   * @return the rate at that fill
   */
  public double falsePositiveRateAtFill(double fill) {
    return atLeastOne(Math.pow(fill, hashesPerKey), groups);
  }

  private static double atLeastOne(double p, int trials) {
    return p >= 1 ? 1 : -Math.expm1(trials * Math.log1p(-p));
  }

  private static double matches(int groups, double draws) {
    return groups * -Math.expm1(draws * Math.log1p(-1.0 / groups));
  }

  /**
   * The probability that one addition enters a resolution.
   *
   * @param resolution 0 … {@code resolutions - 1}
   * @return 4 to the power of minus {@code resolution}
   */
  public double sampling(int resolution) {
    Arguments.inRange("resolution", resolution, 0, resolutions - 1);
    return Math.scalb(1.0, -2 * resolution);
  }

  /**
   * The expected number of groups of a key that match after some additions, without collisions of
   * bits: {@code l·(1 - (1 - p/l)^c)}.
   *
   * @param resolution 0 … {@code resolutions - 1}, which has sampling p
   * @param adds c, 0 or more
   * @return 0 … l
   */
  public double expectedMatches(int resolution, double adds) {
    double p = sampling(resolution);
    return groups * -Math.expm1(adds * Math.log1p(-p / groups));
  }

  /**
   * After how many sampled additions all groups of a resolution match on average: the coupon
   * collector's {@code l·H_l}, 129.9 for 32 groups.
   *
   * @return the end of a single resolution's range
   */
  public double range() {
    return draws(groups);
  }

  /** Expected draws until a number of groups match: l/l + l/(l-1) + … */
  private double draws(int matches) {
    double sum = 0;
    for (int j = 0; j < matches; j++) {
      sum += (double) groups / (groups - j);
    }
    return sum;
  }

  /**
   * The relative incremental inaccuracy: the number of draws that one more match represents, as a
   * share of those so far. The resolution where it is lowest is the most relevant one.
   *
   * @param matches 1 … l - 1
   * @return {@code (l/(l-θ)) / (l/l + … + l/(l-θ+1))}
   */
  public double inaccuracy(int matches) {
    Arguments.inRange("matches", matches, 1, groups - 1);
    return (double) groups / (groups - matches) / draws(matches);
  }

  /**
   * Mean value estimation: the number of draws whose expected number of matches, including
   * collisions of bits, equals the observed one.
   *
   * @param matches θ, 0 … l; for l, which is saturated, the estimate is {@link #range()}
   * @param fill share of bits that are set in that resolution, 0 … 1
   * @return {@code ln((l-θ) / (l·(1 - fill^k))) / ln(1 - 1/l)}, at least 0
   */
  public double meanValueEstimate(int matches, double fill) {
    Arguments.inRange("matches", matches, 0, groups);
    if (matches == groups) {
      return range();
    }
    double missed = Math.log((double) (groups - matches) / groups);
    double collide = Math.log1p(-Math.pow(fill, hashesPerKey));
    return Math.max(0, (missed - collide) / Math.log1p(-1.0 / groups));
  }

  /**
   * Maximum likelihood estimation: the number of draws that makes the observed number of matches
   * most likely. A draw hits a new group with the probability of the coupon collector, and a group
   * that was not drawn matches with probability {@code fill^k}.
   *
   * @param matches θ, 0 … l; for l, which is saturated, the estimate is {@link #range()}, rounded
   * @param fill share of bits that are set in that resolution, 0 … 1
   * @return the most likely number of draws, the lower of two equally likely ones
   */
  public long likelyEstimate(int matches, double fill) {
    Arguments.inRange("matches", matches, 0, groups);
    if (matches == groups) {
      return Math.round(range());
    }
    double[] rest = collisions(matches, Math.pow(fill, hashesPerKey));
    double[] drawn = new double[matches + 1];
    drawn[0] = 1;
    double best = 0;
    long likely = 0;
    // The likelihood rises to one peak and falls; past θ draws it is never 0 before the peak.
    for (long draws = 0; ; draws++) {
      double likelihood = 0;
      for (int j = 0; j <= matches; j++) {
        likelihood += drawn[j] * rest[j];
      }
      if (likelihood > best) {
        best = likelihood;
        likely = draws;
      } else if (draws > matches) {
        return likely;
      }
      for (int j = matches; j >= 0; j--) {
        double stay = drawn[j] * j / groups;
        drawn[j] = stay + (j == 0 ? 0 : drawn[j - 1] * (groups - j + 1) / groups);
      }
    }
  }

  /** The probability that of the groups beyond j drawn ones exactly θ - j match by collision. */
  private double[] collisions(int matches, double collide) {
    double[] rest = new double[matches + 1];
    double none = Math.pow(1 - collide, groups - matches);
    for (int j = 0; j <= matches; j++) {
      double ways = 1;
      for (int i = 0; i < matches - j; i++) {
        ways *= (double) (groups - j - i) / (i + 1) * collide;
      }
      rest[j] = ways * none;
    }
    return rest;
  }

  /** {@inheritDoc} Here: k·log2 m for each group, of the first resolution. */
  @Override
  public int hashBits() {
    return groups * HashBits.bloom(bits, hashesPerKey);
  }

  /** {@inheritDoc} Here: k for each group. */
  @Override
  public int memoryAccesses() {
    return groups * hashesPerKey;
  }
}
