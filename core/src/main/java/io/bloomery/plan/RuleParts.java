package io.bloomery.plan;

import java.util.Optional;
import java.util.function.Function;

/** What the rules of all families share. */
final class RuleParts {

  private RuleParts() {}

  /** The sizer of a kind that takes a rate or a budget. */
  static <S extends Shape> Function<Needs, Optional<S>> sized(
      Function<Needs, S> forRate, Function<Needs, S> forBudget) {
    return needs -> Optional.of((needs.rate().isPresent() ? forRate : forBudget).apply(needs));
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
