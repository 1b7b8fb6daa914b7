package io.bloomery.lookup;

import io.bloomery.error.ImpossibleSizeException;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a map that is a cascade of Bloom filters: at each level one filter per value, which
 * holds the keys that the level before could not decide. Sizes and rates are expected ones for
 * values with equal numbers of keys.
 *
 * @param keyCount distinct keys, 1 … {@link Shape#MAX_KEYS}
 * @param values distinct values, 1 … {@link #MAX_VALUES}
 * @param filterRate the rate of each filter, above 0, below 1
 */
public record BloomierCascadeShape(
    @FieldName("keys") long keyCount,
    @FieldName("values") int values,
    @FieldName("filter rate") double filterRate)
    implements Shape {

  /** The most distinct values. */
  public static final int MAX_VALUES = 256;

  /** Number of values that a plan assumes, since needs do not include it. */
  public static final int PLANNED_VALUES = MAX_VALUES;

  /** The fewest bits of a filter: one word. */
  public static final long SMALLEST_FILTER = 64;

  private static final double NOTHING = 1e-6;
  private static final int MOST_LEVELS = 1000;
  private static final double LN2 = Math.log(2);
  private static final double HASH_BITS = 57;
  private static final double LEAST_BITS = 0.01;
  private static final double STEP_BITS = 0.25;
  private static final int HALVINGS = 20;

  public BloomierCascadeShape {
    Arguments.inRange("keyCount", keyCount, 1, MAX_KEYS);
    Arguments.inRange("values", values, 1, MAX_VALUES);
    Arguments.rate("filterRate", filterRate);
  }

  /**
   * The cascade in which a key without a value gets one at a rate. If each of v filters errs at the
   * rate ε, none of them does with (1 - ε)^v and exactly one with v·ε·(1 - ε)^(v-1); keys that
   * several filters claim go to the next level, where the same holds. So at most the share one /
   * (one + none) of the keys without a value gets one.
   *
   * @param expectedKeys distinct keys, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param values distinct values, 1 … {@link #MAX_VALUES}
   * @return the shape, whose filters have a rate of 1 / values at most
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomierCascadeShape forKeys(
      long expectedKeys, double falsePositiveRate, int values) {
    double rate = falsePositiveRate;
    Sizing.requireTarget(expectedKeys, rate);
    Arguments.inRange("values", values, 1, MAX_VALUES);
    // one / none = v·ε/(1 - ε) = rate / (1 - rate), solved for ε.
    double odds = rate / (1 - rate) / values;
    double most = values == 1 ? rate : 1.0 / values;
    return new BloomierCascadeShape(expectedKeys, values, Math.min(odds / (1 + odds), most));
  }

  /**
   * The cascade of the lowest filter rate that fits a given memory. Higher filter rates do not
   * always make it smaller, because more keys go to the next level.
   *
   * @param expectedKeys distinct keys, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}
   * @param values distinct values, 1 … {@link #MAX_VALUES}
   * @return the shape, whose filters have a rate of 1 / values at most
   * @throws IllegalArgumentException if an argument is outside its range or the budget too small
   */
  public static BloomierCascadeShape forBudget(long expectedKeys, long bits, int values) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Sizing.requireBudget(bits, SMALLEST_FILTER);
    Arguments.inRange("values", values, 1, MAX_VALUES);
    // In bits of information per filter, -log2 of its rate: from the limit of a 64-bit hash down to
    // the first step that fits, then by bisection.
    double least = Math.max(LEAST_BITS, Math.log(values) / LN2);
    double most = HASH_BITS + least - Math.log((double) expectedKeys) / LN2;
    double fits = most;
    while (isAbove(bits, expectedKeys, values, fits)) {
      if (fits == least) {
        throw Arguments.impossible(
            Arguments.named("bits", bits),
            " is too few for ",
            Arguments.named("expectedKeys", expectedKeys),
            " and ",
            Arguments.named("values", values));
      }
      fits = Math.max(least, fits - STEP_BITS);
    }
    double above = Math.min(most, fits + STEP_BITS);
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (fits + above) / 2;
      if (isAbove(bits, expectedKeys, values, middle)) {
        above = middle;
      } else {
        fits = middle;
      }
    }
    return new BloomierCascadeShape(expectedKeys, values, Math.pow(2, -fits));
  }

  private static boolean isAbove(long bits, long keys, int values, double information) {
    BloomierCascadeShape shape = new BloomierCascadeShape(keys, values, Math.pow(2, -information));
    try {
      return shape.sizeInBits() > bits;
    } catch (ImpossibleSizeException aFilterIsTooLarge) {
      return true;
    }
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

  /**
   * The most 64-bit words that most queries read: all hashes per key of one filter, and enough of
   * the others to show that they do not claim the key.
   *
   * @return the number of words
   */
  public int wordsPerQuery() {
    return filter(Math.max(1, keyCount / values)).hashesPerKey() + 2 * (values - 1);
  }

  /** {@inheritDoc} Here: the expected sum over all levels. */
  @Override
  public long sizeInBits() {
    return Math.round(expect(keyCount).bits);
  }

  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return keys == 0 ? 0 : expect(keys).rate;
  }

  private record Expected(double bits, double rate) {}

  private Expected expect(long present) {
    double planned = (double) keyCount / values;
    double members = (double) present / values;
    double bits = 0;
    double rate = 0;
    double undecided = 1;
    for (int level = 0; members > NOTHING && level < MOST_LEVELS; level++) {
      double used = -Math.expm1(-(level == 0 ? Math.max(1, planned) * 20 : members));
      long sized = Math.max(1, Math.round((level == 0 ? planned : members) / used));
      long held = level == 0 ? Math.max(1, Math.round(members)) : sized;
      BloomShape filter = filter(sized);
      double error = used * BloomMath.classicRate(filter.bits(), held, filter.hashesPerKey());
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
