package io.bloomery.internal.numeric;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Limits;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Common code of the shapes' sizing factories. */
public final class Sizing {

  /** A rate below keys · 2^-57 leaves no room for the collisions of a 64-bit hash. */
  private static final double HASH_FLOOR = 0x1p-57;

  private Sizing() {}

  /** Rejects a number of keys or a rate that no shape can be sized for. */
  public static void requireTarget(long keys, double rate) {
    Arguments.inRange("expectedKeys", keys, 1, Limits.MAX_KEYS);
    Arguments.rate("falsePositiveRate", rate);
    if (rate < lowestRate(keys)) {
      throw Arguments.impossible(
          Arguments.named("falsePositiveRate", rate),
          " for ",
          Arguments.named("expectedKeys", keys),
          " is below ",
          lowestRate(keys),
          " (2^-57 per key): a 64-bit hash cannot promise it; allowed range [",
          lowestRate(keys),
          ", 1)");
    }
  }

  /** The number of keys to size a filter for: an empty set gets the filter of one key. */
  public static long orOne(long keys) {
    return keys == 0 ? 1 : keys;
  }

  /** The lowest rate that a 64-bit hash can promise for a number of keys. */
  public static double lowestRate(long keys) {
    return keys * HASH_FLOOR;
  }

  /**
   * The most probes worth trying for a rate: an ideal filter uses log2(1/rate). Where a filter of
   * the smallest size would allow more (a few keys in one word), they would only cost time.
   */
  public static int mostProbes(double rate, int least) {
    double ideal = Math.ceil(-Math.log(rate) / Math.log(2)) + 2;
    return (int) Math.max(least, Math.min(Limits.MAX_HASHES_PER_KEY, ideal));
  }

  /** Returns the number of added keys if rates are defined for it. */
  public static long requireLoad(long keys) {
    return Arguments.inRange("keys", keys, 0, Limits.MAX_LOAD);
  }

  /** Returns the budget if it holds at least one unit; with less the kind has no shape. */
  public static long requireBudget(long bits, long unit) {
    if (bits < unit) {
      throw Arguments.impossible("bits", bits, unit, Limits.MAX_BITS);
    }
    return Arguments.inRange("bits", bits, unit, Limits.MAX_BITS);
  }

  /** Returns the number of keys if the kind holds that many; with more it has no shape. */
  public static long requireKeys(long keys, long most) {
    return requireAtMost("expectedKeys", keys, 1, most);
  }

  /** Returns a number of the shape that is being sized; above its limit the kind has no shape. */
  public static long requireAtMost(String name, long value, long least, long most) {
    if (value > most) {
      throw Arguments.impossible(name, value, least, most);
    }
    return Arguments.inRange(name, value, least, most);
  }

  /** Checks a parameter that the kind needs beyond keys; outside its range it has no shape. */
  public static void requireWithin(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw Arguments.impossible(name, value, least, most);
    }
  }

  /** Checks that the kind reaches a rate; below its lowest rate it has no shape. */
  public static void requireRate(double rate, double lowest) {
    if (rate < lowest) {
      throw Arguments.impossible(
          Arguments.named("falsePositiveRate", rate),
          Arguments.OUTSIDE + "[",
          lowest,
          ", ",
          1.0,
          "]");
    }
    Arguments.inRange("falsePositiveRate", rate, lowest, 1);
  }

  /** The exception for a target that needs more than {@link Limits#MAX_BITS}. */
  public static IllegalArgumentException tooLarge(String kind, long keys, double rate) {
    return Arguments.impossible(
        kind + " for ",
        Arguments.named("expectedKeys", keys),
        " and ",
        Arguments.named("falsePositiveRate", rate),
        " needs more than the limit of ",
        Limits.MAX_BITS,
        " bits");
  }

  /**
   * The smallest size over all numbers of probes, and the best number of probes for it: sizes for
   * some probes, then moves to the best probes of the next smaller size while they meet the target.
   *
   * @param guess the size to look at first
   * @param max the largest size
   * @param probes the numbers of probes to choose from
   * @return the size and the probes, or null if no size up to {@code max} meets the target
   */
  public static @Nullable Choice smallest(
      RateOf rate, double target, long guess, long max, Probes probes) {
    int k = probes.best(p -> rate.at(Math.min(guess, max), p));
    long size = smallest(rate, target, guess, max, k);
    if (size < 0) {
      k = probes.best(p -> rate.at(max, p));
      size = smallest(rate, target, max, max, k);
      if (size < 0) {
        return null;
      }
    }
    while (size > 1) {
      long next = size - 1;
      int better = probes.from(k).best(p -> rate.at(next, p));
      if (rate.at(next, better) > target) {
        break;
      }
      k = better;
      size = smallest(rate, target, next, max, k);
    }
    long found = size;
    return new Choice(size, probes.from(k).best(p -> rate.at(found, p)));
  }

  private static long smallest(RateOf rate, double target, long guess, long max, int probes) {
    return SizeSearch.smallest(s -> rate.at(s, probes), target, guess, max);
  }

  /**
   * The numbers of probes to choose from.
   *
   * @param start where to look first
   * @param least the fewest
   * @param most the most
   * @param patience how many worse numbers in a row end the search in one direction
   */
  public record Probes(int start, int least, int most, int patience) {

    public Probes from(int k) {
      return new Probes(k, least, most, patience);
    }

    /** The number with the lowest rate in the valley around the start; ties go to fewer. */
    public int best(IntToDoubleFunction rate) {
      int best = Math.max(least, Math.min(most, start));
      double lowest = rate.applyAsDouble(best);
      for (int direction = -1; direction <= 1; direction += 2) {
        for (int misses = 0, k = best + direction; k >= least && k <= most; k += direction) {
          double r = rate.applyAsDouble(k);
          if (r < lowest || (r == lowest && k < best)) {
            lowest = r;
            best = k;
            misses = 0;
          } else if (++misses >= patience) {
            break;
          }
        }
      }
      return best;
    }
  }

  /** A rate as a function of the size and the probes. */
  public interface RateOf {
    double at(long size, int probes);
  }

  /** A size, in the units of the search, and the best probes for it. */
  public record Choice(long size, int hashesPerKey) {}
}
