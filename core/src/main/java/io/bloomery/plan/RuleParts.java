package io.bloomery.plan;

import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** What the rules of all families share. */
final class RuleParts {

  private RuleParts() {}

  /** The sizer of a kind that takes a rate or a budget. */
  static <S extends Shape> Function<Needs, Optional<S>> sized(
      Function<Needs, S> forRate, Function<Needs, S> forBudget) {
    return needs -> Optional.of((needs.rate().isPresent() ? forRate : forBudget).apply(needs));
  }

  /** A sizer that applies only where one of some needs is there. */
  static <S> Function<Needs, Optional<S>> where(
      Set<Need> needed, Function<Needs, Optional<S>> sizer) {
    return needs -> needed.stream().anyMatch(needs::has) ? sizer.apply(needs) : Optional.empty();
  }

  /** A kind of hashed keys that is worth its memory only for the needs that it meets. */
  static <S extends Shape> PlanRule<S> rule(
      String kind,
      String className,
      Set<Need> meets,
      Function<Needs, Optional<S>> sizer,
      ToIntFunction<S> cacheLines,
      ToIntFunction<S> words,
      String why) {
    return new PlanRule<>(
        kind, className, meets, where(meets, sizer), cacheLines, words, true, why);
  }

  /** The rate of needs that have one. */
  static double rate(Needs needs) {
    return needs.rate().orElseThrow();
  }

  /** The budget of needs that have one. */
  static long bits(Needs needs) {
    return needs.budget().orElseThrow();
  }
}
