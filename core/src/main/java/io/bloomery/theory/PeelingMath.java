package io.bloomery.theory;

import io.bloomery.internal.check.Arguments;
import java.util.function.DoubleUnaryOperator;

/**
 * The number of cells from which keys that share cells can be peeled one after another: the
 * thresholds of invertible tables and of rateless coded symbols for many keys. Below them nearly
 * every table fails, above them nearly every one succeeds; small numbers of keys need more.
 */
public final class PeelingMath {

  private static final double EULER = 0.5772156649015329;
  private static final int STEPS = 200;

  private PeelingMath() {}

  /**
   * The cells per key above which a table is decoded, if every key has one cell in each of k
   * sub-tables, or k random cells.
   *
   * <p>Source: Molloy 2004, "The Pure Literal Rule Threshold and Cores in Random Hypergraphs"; the
   * numbers in Goodrich and Mitzenmacher 2011, "Invertible Bloom Lookup Tables", table 1.
   *
   * @param hashesPerKey k, 3 … 64
   * @return max over x of k · (1 − e^−x)^(k − 1) / x: 1.222 for 3, 1.295 for 4, 1.425 for 5
   */
  public static double cellsPerKey(int hashesPerKey) {
    Arguments.inRange("hashesPerKey", hashesPerKey, 3, 64);
    double k = hashesPerKey;
    return maximum(x -> k * Math.pow(-Math.expm1(-x), k - 1) / x, 1e-3, 2 * k);
  }

  /**
   * The coded symbols per key above which a difference of many keys is decoded, if a key is in
   * symbol i with the probability 1 / (1 + alpha·i).
   *
   * <p>Source: Yang, Gilad and Alizadeh 2024, "Practical Rateless Set Reconciliation", theorem 5.1,
   * solved for the symbols.
   *
   * @param alpha how fast symbols get sparser, 0.1 … 0.95
   * @return max over y of exp(−E1(y) / alpha) / (alpha · y): 1.353 for 0.5, 1.308 for 0.625
   */
  public static double symbolsPerKey(double alpha) {
    Arguments.inRange("alpha", alpha, 0.1, 0.95);
    return maximum(y -> Math.exp(-exponentialIntegral(y) / alpha) / (alpha * y), 1e-6, 4);
  }

  /** The largest value of a function with a single maximum, found on a logarithmic scale. */
  private static double maximum(DoubleUnaryOperator function, double from, double to) {
    double low = Math.log(from);
    double high = Math.log(to);
    for (int i = 0; i < STEPS; i++) {
      double left = low + (high - low) / 3;
      double right = high - (high - low) / 3;
      if (function.applyAsDouble(Math.exp(left)) < function.applyAsDouble(Math.exp(right))) {
        low = left;
      } else {
        high = right;
      }
    }
    return function.applyAsDouble(Math.exp((low + high) / 2));
  }

  /** E1(x), the integral of e^−t / t from x > 0 to infinity. */
  static double exponentialIntegral(double x) {
    if (x <= 1) {
      double sum = -EULER - Math.log(x);
      double term = 1;
      for (int i = 1; i < 30; i++) {
        term *= -x / i;
        sum -= term / i;
      }
      return sum;
    }
    double fraction = 0;
    for (int i = 100; i > 0; i--) {
      fraction = i / (1 + i / (x + fraction));
    }
    return Math.exp(-x) / (x + fraction);
  }
}
