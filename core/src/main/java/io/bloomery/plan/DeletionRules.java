package io.bloomery.plan;

import io.bloomery.deletable.DLeftShape;
import io.bloomery.deletable.DeletableShape;
import io.bloomery.deletable.MultilayerShape;
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

  /** The share of keys that can leave a deletable Bloom filter that is recommended. */
  private static final double DELETABILITY = 0.9;

  private DeletionRules() {}

  static List<PlanRule<?>> all() {
    return List.of(
        rule(
            "multilayer",
            "MultilayerCountingFilter",
            RuleParts.sized(
                needs -> MultilayerShape.forKeys(needs.keys(), RuleParts.rate(needs)),
                needs -> MultilayerShape.forBudget(needs.keys(), RuleParts.bits(needs))),
            shape -> shape.base().probes(),
            shape -> shape.base().probes(),
            "Counters that never overflow, queries of a plain Bloom filter, slower changes by one"
                + " thread at a time"),
        rule(
            "d-left",
            "DLeftCountingFilter",
            RuleParts.sized(
                needs -> DLeftShape.forKeys(needs.keys(), RuleParts.rate(needs)),
                needs -> DLeftShape.forBudget(needs.keys(), RuleParts.bits(needs))),
            DLeftShape::tables,
            shape -> shape.tables() * shape.bucketWords(),
            "Keys come and go in half the memory of counters; a full table refuses keys, and"
                + " threads need a lock"),
        rule(
            "deletable",
            "DeletableBloomFilter",
            needs -> needs.rate().isPresent() ? deletable(needs) : Optional.empty(),
            shape -> shape.array().probes(),
            shape -> shape.array().probes(),
            "For few removals: a plain Bloom filter and a bit a region, from which about nine of"
                + " ten keys can leave, the others stay"));
  }

  private static Optional<DeletableShape> deletable(Needs needs) {
    return Optional.of(
        DeletableShape.forDeletability(needs.keys(), RuleParts.rate(needs), DELETABILITY));
  }

  private static <S extends Shape> PlanRule<S> rule(
      String kind,
      String className,
      Function<Needs, Optional<S>> sizer,
      ToIntFunction<S> cacheLines,
      ToIntFunction<S> words,
      String why) {
    return RuleParts.rule(
        kind, DELETABLE + className, Set.of(Need.DELETES), sizer, cacheLines, words, why);
  }
}
