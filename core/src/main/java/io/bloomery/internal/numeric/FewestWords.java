package io.bloomery.internal.numeric;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How much memory is one word less per query worth? Up to 4 %: of sizes that close to the smallest,
 * the one that reads the fewest words is taken, because every word costs time.
 */
public final class FewestWords {

  private static final double TOLERANCE = 1.04;

  private FewestWords() {}

  /**
   * The candidate of fewest words among those, of several the smallest; null if there are no
   * candidates.
   */
  public static <T> @Nullable T choose(
      List<T> candidates, ToDoubleFunction<T> size, ToIntFunction<T> words) {
    double smallest = candidates.stream().mapToDouble(size).min().orElse(0);
    return candidates.stream()
        .filter(candidate -> size.applyAsDouble(candidate) <= TOLERANCE * smallest)
        .min(Comparator.comparingInt(words).thenComparingDouble(size))
        .orElse(null);
  }
}
