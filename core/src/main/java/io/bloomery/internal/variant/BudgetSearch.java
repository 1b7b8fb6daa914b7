package io.bloomery.internal.variant;

import io.bloomery.error.ImpossibleSizeException;
import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.Shape;
import org.jspecify.annotations.Nullable;

/**
 * Finds the lowest rate whose shape fits a memory budget, for kinds that can only be sized by rate.
 */
final class BudgetSearch {

  /** The fewest bits of information per key that the search tries. */
  private static final double LEAST_BITS = 0.01;

  private static final double HASH_BITS = 57;
  private static final int STEPS = 24;

  private BudgetSearch() {}

  static <S extends Shape> S shape(
      String name, VariantBuilder.ForKeys<S> forKeys, long keys, long bits) {
    double low = LEAST_BITS;
    S best = within(forKeys, keys, low, bits);
    if (best == null) {
      throw Arguments.impossible(
          Arguments.named("bits", bits),
          " is too few for ",
          Arguments.named("expectedKeys", keys),
          " in " + name);
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
    // Sizes are about proportional to the information, so that the second step is close.
    for (int i = 0;
        i < 2 * STEPS && bits - best.sizeInBits() >= Math.max(Long.SIZE, bits >>> 20);
        i++) {
      double share = (double) bits / best.sizeInBits();
      double guess = i % 2 == 0 ? (low + high) / 2 : Math.min(low * share, (low + 3 * high) / 4);
      S shape = within(forKeys, keys, guess, bits);
      if (shape == null) {
        high = guess;
      } else {
        best = shape;
        low = guess;
      }
    }
    return best;
  }

  /** The shape for a rate of 2^-information, or null if it exceeds the budget. */
  private static <S extends Shape> @Nullable S within(
      VariantBuilder.ForKeys<S> forKeys, long keys, double information, long bits) {
    try {
      S shape = forKeys.shape(keys, Math.pow(2, -information));
      return shape.sizeInBits() <= bits ? shape : null;
    } catch (ImpossibleSizeException none) {
      return null;
    }
  }
}
