package io.bloomery.plan;

import io.bloomery.growing.DynamicShape;
import io.bloomery.growing.ScalableShape;
import io.bloomery.growing.SplitShape;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BloomShape;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** What the planner knows of {@code io.bloomery.growing}. */
final class GrowingRules {

  private static final String GROWING = "io.bloomery.growing.";

  private GrowingRules() {}

  static List<PlanRule<?>> all() {
    return List.of(
        rule(
            "scalable",
            "ScalableBloomFilter",
            Set.of(Need.UNKNOWN_GROWTH),
            RuleParts.sized(
                needs -> ScalableShape.forKeys(needs.keys(), RuleParts.rate(needs)),
                needs -> ScalableShape.forBudget(needs.keys(), RuleParts.bits(needs))),
            shape -> shape.stage(0) instanceof BloomShape bloom ? bloom.probes() : 1,
            GrowingRules::firstStageWords,
            "Keeps its rate however many keys come, with one more layer to ask for each doubling of"
                + " their number"),
        rule(
            "dynamic",
            "DynamicBloomFilter",
            Set.of(Need.UNKNOWN_GROWTH, Need.DELETES),
            RuleParts.sized(
                needs ->
                    DynamicShape.forKeys(
                        needs.keys(), RuleParts.rate(needs), DynamicShape.COUNTER_BITS),
                needs ->
                    DynamicShape.forBudget(
                        needs.keys(), RuleParts.bits(needs), DynamicShape.COUNTER_BITS)),
            DynamicShape::probes,
            DynamicShape::probes,
            "Keys may leave and come in any number, with one more row of counters and one more"
                + " time the rate for each time as many keys as planned"),
        rule(
            "split",
            "SplitBloomFilter",
            Set.of(Need.UNKNOWN_GROWTH),
            RuleParts.sized(
                needs ->
                    SplitShape.forKeys(
                        needs.keys(), RuleParts.rate(needs), SplitShape.DEFAULT_ROWS),
                needs ->
                    SplitShape.forBudget(
                        needs.keys(), RuleParts.bits(needs), SplitShape.DEFAULT_ROWS)),
            SplitShape::probes,
            SplitShape::probes,
            "As small as a standard Bloom filter, but built anew from the keys when more come than"
                + " planned"));
  }

  private static int firstStageWords(ScalableShape shape) {
    return shape.stage(0) instanceof BlockShape block
        ? block.wordsPerKey()
        : ((BloomShape) shape.stage(0)).probes();
  }

  /** A kind that is worth its memory only where keys may come in any number. */
  private static <S extends Shape> PlanRule<S> rule(
      String kind,
      String className,
      Set<Need> meets,
      Function<Needs, Optional<S>> sizer,
      ToIntFunction<S> cacheLines,
      ToIntFunction<S> words,
      String why) {
    return new PlanRule<>(
        kind,
        GROWING + className,
        meets,
        RuleParts.where(Set.of(Need.UNKNOWN_GROWTH), sizer),
        cacheLines,
        words,
        true,
        why);
  }
}
