package io.bloomery.frequency;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Fill;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of an adaptive Bloom filter.
 *
 * @param bits m, 2 … {@link Shape#MAX_BITS}
 * @param probes k, bits that a key sets when it is first added, besides the one that every addition
 *     sets; 1 … {@link Shape#MAX_PROBES} and at most m
 */
public record AdaptiveShape(long bits, int probes) implements Shape {

  /**
   * Checks the fields.
   *
   * @param bits size in bits
   * @param probes bits of a key besides those that count
   * @throws IllegalArgumentException if a field is outside its range
   */
  public AdaptiveShape {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    Arguments.inRange("probes", probes, 1, (int) Math.min(MAX_PROBES, bits));
  }

  /**
   * The smallest filter for keys that are added once.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static AdaptiveShape forKeys(long keys, double rate) {
    return forAdds(keys, keys, rate);
  }

  /**
   * The smallest filter, in whole 64-bit words, whose rate is at most {@code rate}.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param adds how often keys are added in all, {@code keys} … {@link Shape#MAX_BITS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static AdaptiveShape forAdds(long keys, long adds, double rate) {
    Sizing.requireTarget(keys, rate);
    Arguments.inRange("adds", adds, keys, MAX_BITS);
    double ideal = BloomMath.informationBound(rate);
    long guess = (long) ((keys * BloomMath.bitsPerKey(rate) + adds) / 64) + 1;
    Sizing.Choice choice =
        Sizing.smallest(
            (words, k) -> rate(words * 64, keys, adds, k),
            rate,
            guess,
            MAX_BITS / 64,
            new Sizing.Probes(
                (int) Math.max(1, Math.round(ideal) - 1), 1, Sizing.mostProbes(rate, 1), 2));
    if (choice == null) {
      throw Sizing.tooLarge("an adaptive Bloom filter", keys, rate);
    }
    return new AdaptiveShape(choice.size() * 64, choice.probes());
  }

  /**
   * The best filter in a given memory for keys that are added once.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}; rounded down to whole 64-bit words
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static AdaptiveShape forBudget(long keys, long bits) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    long whole = Sizing.requireBudget(bits, 64) / 64 * 64;
    int most = (int) Math.min(MAX_PROBES, whole);
    int start = Math.max(1, Math.min(most, BloomMath.optimalProbes(whole, keys) - 1));
    int k = new Sizing.Probes(start, 1, most, 2).best(p -> rate(whole, keys, keys, p));
    return new AdaptiveShape(whole, k);
  }

  @Override
  public long sizeInBits() {
    return bits;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here: each of them once. Every further addition sets one more bit; see {@link
   * #falsePositiveRate(long, long)}.
   */
  @Override
  public double falsePositiveRate(long keys) {
    return falsePositiveRate(keys, keys);
  }

  /**
   * The expected rate after keys were added, all of them once before any comes again, which fills
   * the filter most: the probability that a fresh key's first k + 1 bits are set, {@code
   * fill^(k+1)}.
   *
   * @param keys number of distinct keys, 0 … {@link Shape#MAX_LOAD}
   * @param adds how often keys were added in all, {@code keys} … {@link Shape#MAX_LOAD}
   * @return the probability, 0 … 1
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public double falsePositiveRate(long keys, long adds) {
    Sizing.requireLoad(keys);
    Arguments.inRange("adds", adds, keys, MAX_LOAD);
    return rate(bits, keys, adds, probes);
  }

  private static double rate(long bits, long keys, long adds, int probes) {
    return Fill.expect(bits, keys * probes, keys, adds - keys, fill -> Math.pow(fill, probes + 1));
  }

  /**
   * The expected share of set bits after keys were added, all of them once before any comes again.
   *
   * @param keys number of distinct keys, 0 … {@link Shape#MAX_LOAD}
   * @param adds how often keys were added in all, {@code keys} … {@link Shape#MAX_LOAD}
   * @return 0 … 1
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public double expectedFill(long keys, long adds) {
    Sizing.requireLoad(keys);
    Arguments.inRange("adds", adds, keys, MAX_LOAD);
    return Fill.mean(bits, keys * probes, keys, adds - keys);
  }
}
