package io.bloomery.lookup;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a map that is a cascade of Bloom filters, one for each value at each level, the
 * filters of a level holding the keys that the level before could not decide. Sizes and rates are
 * expected ones for values that have equally many keys.
 *
 * @param keys distinct keys, 1 … {@link Shape#MAX_KEYS}
 * @param values different values, 1 … {@link #MAX_VALUES}
 * @param filterRate the rate of each filter, above 0, below 1
 */
public record BloomierCascadeShape(long keys, int values, double filterRate) implements Shape {

  /** The most different values. */
  public static final int MAX_VALUES = 256;

  /** Bits that each filter has at least: one word. */
  public static final long SMALLEST_FILTER = 64;

  private static final double NOTHING = 1e-6;
  private static final int MOST_LEVELS = 1000;

  /**
   * Checks the fields.
   *
   * @param keys distinct keys
   * @param values different values
   * @param filterRate the rate of each filter
   * @throws IllegalArgumentException if a field is outside its range
   */
  public BloomierCascadeShape {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    Arguments.inRange("values", values, 1, MAX_VALUES);
    Arguments.rate("filterRate", filterRate);
  }

  /**
   * The cascade in which a key that has no value is given one at a rate. If each of v filters errs
   * at the rate ε, none of them does with (1 - ε)^v and exactly one with v·ε·(1 - ε)^(v-1); what
   * several claim goes to the next level, where the same holds. So of the keys without a value the
   * share one / (one + none) gets one at most.
   *
   * @param keys distinct keys, 1 … {@link Shape#MAX_KEYS}
   * @param values different values, 1 … {@link #MAX_VALUES}
   * @param rate the rate, in (0, 1) and at least {@code keys · 2^-57}
   * @return the shape, whose filters have a rate of 1 / values at most
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomierCascadeShape forKeys(long keys, int values, double rate) {
    Sizing.requireTarget(keys, rate);
    Arguments.inRange("values", values, 1, MAX_VALUES);
    // one / none = v·ε/(1 - ε) = rate / (1 - rate), solved for ε.
    double odds = rate / (1 - rate) / values;
    double most = values == 1 ? rate : 1.0 / values;
    return new BloomierCascadeShape(keys, values, Math.min(odds / (1 + odds), most));
  }

  /**
   * One filter.
   *
   * @param members keys that it holds, 1 … {@link Shape#MAX_KEYS}
   * @return the smallest filter with the rate by the classic formula, one word or more
   * @throws IllegalArgumentException if {@code members} is outside its range or the filter is
   *     larger than {@link Shape#MAX_BITS}
   */
  public BloomShape filter(long members) {
    Arguments.inRange("members", members, 1, MAX_KEYS);
    return BloomShape.smallest(members, filterRate, SMALLEST_FILTER);
  }

  /** {@inheritDoc} Here: the expected sum over all levels. */
  @Override
  public long sizeInBits() {
    return Math.round(expect(keys).bits);
  }

  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return keys == 0 ? 0 : expect(keys).rate;
  }

  private record Expected(double bits, double rate) {}

  private Expected expect(long present) {
    double planned = (double) keys / values;
    double members = (double) present / values;
    double bits = 0;
    double rate = 0;
    double undecided = 1;
    for (int level = 0; members > NOTHING && level < MOST_LEVELS; level++) {
      double used = -Math.expm1(-(level == 0 ? Math.max(1, planned) * 20 : members));
      long sized = Math.max(1, Math.round((level == 0 ? planned : members) / used));
      long held = level == 0 ? Math.max(1, Math.round(members)) : sized;
      BloomShape filter = filter(sized);
      double error = used * BloomMath.classicRate(filter.bits(), held, filter.probes());
      double none = Math.pow(1 - error, values);
      double one = values * error * Math.pow(1 - error, values - 1.0);
      bits += values * used * filter.bits();
      rate += undecided * one;
      undecided *= Math.max(0, 1 - none - one);
      members *= -Math.expm1((values - 1) * Math.log1p(-error));
    }
    return new Expected(bits, Math.min(1, rate));
  }
}
