package io.bloomery.internal.numeric;

import java.util.Arrays;
import java.util.function.LongToDoubleFunction;

/**
 * The distribution of the number of bits thrown into one word of a Bloom-g filter: T = Σ_j k_j·X_j
 * with X_j ~ Bin(n, 1/l), k_j = ceil(k/g) for the first k mod g groups and floor(k/g) for the rest.
 */
public final class WordLoad {

  private final double[] weights;
  private final double above;

  private WordLoad(double[] weights, double above) {
    this.weights = weights;
    this.above = above;
  }

  /** The distribution up to {@code cap} throws; more count as "above". */
  public static WordLoad of(long keys, long words, int groups, int hashesPerKey, long cap) {
    int low = hashesPerKey / groups;
    int more = hashesPerKey % groups;
    double p = 1.0 / words;
    Pmf few = Pmf.binomial(keys * (groups - more), p, cap / low);
    Pmf many = Pmf.binomial(keys * more, p, cap / (low + 1));
    double[] weights = new double[(int) cap + 1];
    double sum = 0;
    int last = 0;
    for (int i = 0; i < many.size(); i++) {
      long base = (many.first() + i) * (low + 1);
      for (int j = 0; j < few.size() && base + (few.first() + j) * low <= cap; j++) {
        int t = (int) (base + (few.first() + j) * low);
        double w = many.weight(i) * few.weight(j);
        weights[t] += w;
        sum += w;
        last = Math.max(last, t);
      }
    }
    boolean cut = last + low > cap || few.above() > 0 || many.above() > 0;
    double[] kept = Arrays.copyOf(weights, sum == 0 ? 0 : last + 1);
    return new WordLoad(kept, cut ? Math.max(0, 1 - sum) : 0);
  }

  /** The expectation of a function of T that is 1 above the cap. */
  public double expect(LongToDoubleFunction function) {
    double sum = above;
    for (int t = 0; t < weights.length; t++) {
      if (weights[t] > 0) {
        sum += weights[t] * function.applyAsDouble(t);
      }
    }
    return sum;
  }
}
