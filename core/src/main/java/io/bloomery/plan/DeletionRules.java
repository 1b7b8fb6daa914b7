package io.bloomery.plan;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * What the planner knows of the multilayer, d-left and deletable filters of {@code
 * io.bloomery.deletable}. None is proposed where nothing is removed.
 */
final class DeletionRules {

  private static final String DELETABLE = "io.bloomery.deletable.";

  private DeletionRules() {}

  static List<PlanRule<?>> all() {
    return List.of(
        rule(
            "d-left",
            "DLeftCountingFilter",
            RuleParts.sized(
                needs -> DLeftShape.forKeys(needs.keys(), RuleParts.rate(needs)),
                needs -> DLeftShape.forBudget(needs.keys(), RuleParts.bits(needs))),
            DLeftShape::tables,
            shape -> shape.tables() * shape.bucketWords(),
            "Keys come and go in half the memory of counters; a full table refuses keys, and"
                + " threads need a lock"));
  }

  private static <S extends Shape> PlanRule<S> rule(
      String kind,
      String className,
      Function<Needs, Optional<S>> sizer,
      ToIntFunction<S> cacheLines,
      ToIntFunction<S> words,
      String why) {
    return new PlanRule<>(
        kind,
        DELETABLE + className,
        Set.of(Need.DELETES),
        needs -> needs.has(Need.DELETES) ? sizer.apply(needs) : Optional.empty(),
        cacheLines,
        words,
        true,
        why);
  }
}
