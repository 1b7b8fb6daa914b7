package io.bloomery.internal.numeric;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Trades memory for words per query: among sizes within 4 % of the smallest, takes the one that
 * reads the fewest words, because every word costs time.
 */
public final class FewestWords {

  /** How many times the smallest a size may be. */
  public static final double TOLERANCE = 1.04;

  private FewestWords() {}

  /**
   * The candidate with the fewest words among those, ties going to the smallest; null if there are
   * no candidates.
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
