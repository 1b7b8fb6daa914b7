package io.bloomery;

import io.bloomery.plan.Shape;

/**
 * Finds the lowest rate whose shape fits a memory budget, for kinds that can only be sized by rate.
 */
final class BudgetSearch {

  /** The fewest bits of information per key that the search tries. */
  private static final double LEAST_BITS = 0.01;

  private static final double HASH_BITS = 57;
  private static final int STEPS = 24;

  private BudgetSearch() {}

  static <S extends Shape> S shape(String name, Variant.ForKeys<S> forKeys, long keys, long bits) {
    double low = LEAST_BITS;
    S best = within(forKeys, keys, low, bits);
    if (best == null) {
      throw new IllegalArgumentException(
          "bits = " + bits + " is too few for " + keys + " keys in " + name);
    }
    double high = HASH_BITS - Math.log((double) keys) / Math.log(2);
    double last = low;
    for (int i = 0; i < STEPS; i++) {
      last = (last + high) / 2;
    }
    S most = within(forKeys, keys, last, bits);
    if (most != null) {
      return most; // as every step before would be
    }
    for (int i = 0; i < STEPS; i++) {
      double middle = (low + high) / 2;
      S shape = within(forKeys, keys, middle, bits);
      if (shape == null) {
        high = middle;
      } else {
        best = shape;
        low = middle;
      }
    }
    return best;
  }

  /** The shape for a rate of 2^-information, or null if it exceeds the budget. */
  private static <S extends Shape> S within(
      Variant.ForKeys<S> forKeys, long keys, double information, long bits) {
    try {
      S shape = forKeys.shape(keys, Math.pow(2, -information));
      return shape.sizeInBits() <= bits ? shape : null;
    } catch (IllegalArgumentException tooLarge) {
      return null;
    }
  }
}
