package io.bloomery.plan;

import io.bloomery.window.AgingShape;
import io.bloomery.window.DecayingShape;
import io.bloomery.window.DoubleBufferShape;
import io.bloomery.window.RecentShape;
import io.bloomery.window.StableShape;
import io.bloomery.window.TimeDecayingShape;
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
        new PlanRule<>(
            "recent",
            WINDOW + "RecentFilter",
            Set.of(Need.WINDOW),
            WindowRules::recent,
            shape -> 1,
            shape -> 8,
            true,
            "Finds every key of the window with one cache line a query; keys linger for a part of"
                + " the window after it"),
        rule(
            "stable",
            "StableBloomFilter",
            forRate((keys, rate) -> StableShape.forWindow(keys, rate, rate)),
            StableShape::probes,
            "Old keys fade by chance: it misses keys of the window as often as it takes others for"
                + " them, on endless streams in fixed memory"),
        rule(
            "decaying",
            "DecayingBloomFilter",
            forRate(
                (keys, rate) ->
                    DecayingShape.forKeys(
                        keys, rate, keys, DecayingShape.defaultGranularity(keys))),
            DecayingShape::probes,
            "Finds every key of the window and forgets it at once after, for a cell of 8 bits or"
                + " more instead of a bit"),
        rule(
            "aging",
            "AgingBloomFilter",
            forRate(AgingShape::forKeys),
            shape -> 2 * shape.probes(),
            "Finds the latest distinct keys, whenever they came, and up to twice as many; one"
                + " thread at a time"),
        rule(
            "double-buffered",
            "DoubleBufferedBloomFilter",
            forRate(DoubleBufferShape::forKeys),
            DoubleBufferShape::probes,
            "Finds the latest distinct keys, whenever they came, with one buffer to ask; one"
                + " thread at a time"),
        new PlanRule<>(
            "time-decaying",
            WINDOW + "TimeDecayingFilter",
            Set.of(Need.WINDOW, Need.COUNTS),
            needs ->
                needs.has(Need.WINDOW) && needs.has(Need.COUNTS)
                    ? WindowRules.<TimeDecayingShape>forRate(TimeDecayingShape::forKeys)
                        .apply(needs)
                    : Optional.empty(),
            shape -> 2 * shape.probes(),
            shape -> 2 * shape.probes(),
            true,
            "Weights that fade with time, for how often a key was seen lately"));
  }

  private static Optional<RecentShape> recent(Needs needs) {
    if (!needs.has(Need.WINDOW)) {
      return Optional.empty();
    }
    return Optional.of(
        needs.rate().isPresent()
            ? RecentShape.forKeys(needs.keys(), RuleParts.rate(needs))
            : RecentShape.forBudget(needs.keys(), RuleParts.bits(needs), 4));
  }

  /** Sizes a kind for a number of keys and a rate. */
  private interface ForRate<S> {
    S shape(long keys, double rate);
  }

  private static <S> Function<Needs, Optional<S>> forRate(ForRate<S> sizer) {
    return needs ->
        needs.rate().isPresent()
            ? Optional.of(sizer.shape(needs.keys(), RuleParts.rate(needs)))
            : Optional.empty();
  }

  private static <S extends Shape> PlanRule<S> rule(
      String kind,
      String className,
      Function<Needs, Optional<S>> sizer,
      ToIntFunction<S> reads,
      String why) {
    return RuleParts.rule(kind, WINDOW + className, Set.of(Need.WINDOW), sizer, reads, reads, why);
  }
}
