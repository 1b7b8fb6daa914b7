package io.bloomery.plan;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * What the planner knows of {@code io.bloomery.window}. The keys of the needs are those of one
 * window.
 */
final class WindowRules {

  private static final String WINDOW = "io.bloomery.window.";

  private WindowRules() {}

  static List<PlanRule<?>> all() {
    return List.of(
        rule(
            "stable",
            "StableBloomFilter",
            RuleParts.sized(
                needs -> StableShape.forKeys(needs.keys(), RuleParts.rate(needs)),
                WindowRules::stableForBudget),
            StableShape::probes,
            "Old keys fade by chance, so that it may miss keys of the window, on endless streams"
                + " in fixed memory"));
  }

  /** The lowest rate, to a factor of 1.02, at which keys live long enough in a memory. */
  private static StableShape stableForBudget(Needs needs) {
    double low = needs.keys() * 0x1p-57;
    double high = 0.999;
    while (high > 1.02 * low) {
      double rate = Math.sqrt(low * high);
      boolean fits;
      try {
        fits = StableShape.forKeys(needs.keys(), rate).sizeInBits() <= RuleParts.bits(needs);
      } catch (IllegalArgumentException tooLarge) {
        fits = false;
      }
      low = fits ? low : rate;
      high = fits ? rate : high;
    }
    StableShape shape = StableShape.forKeys(needs.keys(), high);
    if (shape.sizeInBits() > RuleParts.bits(needs)) {
      throw new IllegalArgumentException("no rate is possible in " + RuleParts.bits(needs));
    }
    return shape;
  }

  private static <S extends Shape> PlanRule<S> rule(
      String kind,
      String className,
      Function<Needs, Optional<S>> sizer,
      ToIntFunction<S> reads,
      String why) {
    return new PlanRule<>(
        kind,
        WINDOW + className,
        Set.of(Need.WINDOW),
        needs -> needs.has(Need.WINDOW) ? sizer.apply(needs) : Optional.empty(),
        reads,
        reads,
        true,
        why);
  }
}
