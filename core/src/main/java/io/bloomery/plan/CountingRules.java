package io.bloomery.plan;

import io.bloomery.deletable.BlockedCountingShape;
import io.bloomery.deletable.CountingShape;
import io.bloomery.deletable.OneWordCountingShape;
import io.bloomery.deletable.VariableIncrementShape;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** What the planner knows of the counting filters of {@code io.bloomery.deletable}. */
final class CountingRules {

  private static final String DELETABLE = "io.bloomery.deletable.";

  private CountingRules() {}

  static List<PlanRule<?>> all() {
    return List.of(
        rule(
            "blocked-counting",
            "BlockedCountingFilter",
            Set.of(Need.DELETES),
            RuleParts.sized(
                needs ->
                    BlockedCountingShape.forKeys(
                        needs.keys(),
                        RuleParts.rate(needs),
                        BlockedCountingShape.DEFAULT_COUNTER_BITS),
                needs ->
                    BlockedCountingShape.forBudget(
                        needs.keys(),
                        RuleParts.bits(needs),
                        BlockedCountingShape.DEFAULT_COUNTER_BITS)),
            shape -> 1,
            "Asks like a blocked Bloom filter, whose bits lie apart from their counters"),
        rule(
            "one-word-counting",
            "OneWordCountingFilter",
            Set.of(Need.DELETES),
            RuleParts.sized(
                needs ->
                    OneWordCountingShape.forKeys(
                        needs.keys(),
                        RuleParts.rate(needs),
                        OneWordCountingShape.DEFAULT_GROUP_BITS,
                        OneWordCountingShape.DEFAULT_COUNTER_BITS),
                needs ->
                    OneWordCountingShape.forBudget(
                        needs.keys(),
                        RuleParts.bits(needs),
                        OneWordCountingShape.DEFAULT_GROUP_BITS,
                        OneWordCountingShape.DEFAULT_COUNTER_BITS)),
            shape -> 1,
            "Counters of 4 bits, all of a key in one cache line"),
        rule(
            "counting",
            "CountingBloomFilter",
            Set.of(Need.DELETES),
            counting(CountingShape.DEFAULT_COUNTER_BITS),
            shape -> shape.cells().probes(),
            "Counters of 4 bits instead of bits, with keys that come and go, and a plain Bloom"
                + " filter to send away"),
        rule(
            "variable-increment",
            "VariableIncrementCountingFilter",
            Set.of(Need.DELETES),
            RuleParts.sized(
                needs ->
                    VariableIncrementShape.forKeys(
                        needs.keys(),
                        RuleParts.rate(needs),
                        VariableIncrementShape.DEFAULT_COUNTER_BITS,
                        VariableIncrementShape.DEFAULT_BASE),
                needs ->
                    VariableIncrementShape.forBudget(
                        needs.keys(),
                        RuleParts.bits(needs),
                        VariableIncrementShape.DEFAULT_COUNTER_BITS,
                        VariableIncrementShape.DEFAULT_BASE)),
            VariableIncrementShape::probes,
            "Counters of sums, smaller than plain counters for the same rate"),
        rule(
            "counting-16",
            "CountingBloomFilter",
            Set.of(Need.DELETES, Need.COUNTS),
            counting(CountingShape.MAX_COUNTER_BITS),
            shape -> shape.cells().probes(),
            "Counters of 16 bits, which count a key's additions less its removals up to 65535"));
  }

  private static Function<Needs, Optional<CountingShape>> counting(int counterBits) {
    return RuleParts.sized(
        needs -> CountingShape.forKeys(needs.keys(), RuleParts.rate(needs), counterBits),
        needs -> CountingShape.forBudget(needs.keys(), RuleParts.bits(needs), counterBits));
  }

  private static <S extends Shape> PlanRule<S> rule(
      String kind,
      String className,
      Set<Need> meets,
      Function<Needs, Optional<S>> sizer,
      ToIntFunction<S> cacheLines,
      String why) {
    return RuleParts.rule(kind, DELETABLE + className, meets, sizer, cacheLines, cacheLines, why);
  }
}
