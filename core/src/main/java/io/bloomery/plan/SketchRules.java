package io.bloomery.plan;

import io.bloomery.frequency.AdaptiveShape;
import io.bloomery.frequency.BraidsShape;
import io.bloomery.frequency.LayeredShape;
import io.bloomery.frequency.SpaceCodeShape;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * What the planner knows of the bit sketches of {@code io.bloomery.frequency}: space-code,
 * adaptive, layered, braids.
 */
final class SketchRules {

  private SketchRules() {}

  static List<PlanRule<?>> all() {
    return List.of(
        rule(
            "space-code",
            "SpaceCodeFilter",
            RuleParts.sized(
                needs -> SpaceCodeShape.forKeys(needs.keys(), RuleParts.rate(needs)),
                needs -> SpaceCodeShape.forBudget(needs.keys(), RuleParts.bits(needs))),
            shape -> shape.groups() * shape.probes(),
            "Counts to about 20 % with the writes of a Bloom filter; sized for keys that come once,"
                + " and each further time takes as much room"),
        rule(
            "adaptive",
            "AdaptiveBloomFilter",
            RuleParts.sized(
                needs -> AdaptiveShape.forKeys(needs.keys(), RuleParts.rate(needs)),
                needs -> AdaptiveShape.forBudget(needs.keys(), RuleParts.bits(needs))),
            shape -> shape.probes() + 2,
            "Upper bounds of low counts in plain bits; sized for keys that come once, and each"
                + " further time takes a bit or two"),
        rule(
            "layered",
            "LayeredBloomFilter",
            needs ->
                needs.rate().isPresent()
                    ? Optional.of(
                        LayeredShape.forKeys(
                            needs.keys(), RuleParts.rate(needs), LayeredShape.DEFAULT_LAYERS))
                    : Optional.empty(),
            shape -> 2 * shape.layers().get(0).probes(),
            "Counts up to 16 that are exact for nearly all keys, if one key in i comes i times"),
        rule(
            "counter-braids",
            "CounterBraids",
            needs ->
                needs.rate().isPresent()
                    ? Optional.of(BraidsShape.forKeys(needs.keys(), RuleParts.rate(needs)))
                    : Optional.empty(),
            BraidsShape::probes,
            "Exact counts of a list of keys, decoded all at once; without a rate for single answers"
                + " 19 bits a key suffice"));
  }

  private static <S extends Shape> PlanRule<S> rule(
      String kind,
      String className,
      Function<Needs, Optional<S>> sizer,
      ToIntFunction<S> words,
      String why) {
    return RuleParts.rule(
        kind, "io.bloomery.frequency." + className, Set.of(Need.COUNTS), sizer, words, words, why);
  }
}
