package io.bloomery.internal.numeric;

/**
 * The columns that k random rows of a table have in common. Arrays have an element for each mask of
 * the table's few columns.
 */
public final class MaskRates {

  /** The most columns for which the arrays are worth their size. */
  public static final int MAX_COLUMNS = 12;

  private MaskRates() {}

  /** Replaces each element by the sum over all subsets of its mask. */
  public static void sumOfSubsets(double[] values) {
    for (int bit = 1; bit < values.length; bit <<= 1) {
      for (int mask = 0; mask < values.length; mask++) {
        if ((mask & bit) != 0) {
          values[mask] += values[mask ^ bit];
        }
      }
    }
  }

  /** Replaces each element by the sum over all supersets of its mask. */
  public static void sumOfSupersets(double[] values) {
    for (int bit = 1; bit < values.length; bit <<= 1) {
      for (int mask = 0; mask < values.length; mask++) {
        if ((mask & bit) == 0) {
          values[mask] += values[mask | bit];
        }
      }
    }
  }

  /**
   * The probability that a mask covers a code, from the probabilities that it has at least the ones
   * of each mask, which are overwritten.
   */
  public static double answered(double[] atLeast, SetCode code) {
    for (int bit = 1; bit < atLeast.length; bit <<= 1) {
      for (int mask = 0; mask < atLeast.length; mask++) {
        if ((mask & bit) == 0) {
          atLeast[mask] -= atLeast[mask | bit];
        }
      }
    }
    double sum = 0;
    for (int mask = atLeast.length - 1; mask > 0; mask--) {
      sum += code.first(mask) >= 0 ? atLeast[mask] : 0;
    }
    return Math.max(0, Math.min(1, sum));
  }

  /**
   * The probability that {@code least} or more of some independent events happen; {@code least} is
   * 1 or more.
   */
  public static double atLeast(double[] rates, int least) {
    double[] exactly = new double[least];
    exactly[0] = 1;
    double more = 0;
    for (double rate : rates) {
      more += exactly[least - 1] * rate;
      for (int i = least - 1; i > 0; i--) {
        exactly[i] += (exactly[i - 1] - exactly[i]) * rate;
      }
      exactly[0] -= exactly[0] * rate;
    }
    return Math.min(1, more);
  }
}
