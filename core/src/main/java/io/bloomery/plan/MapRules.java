package io.bloomery.plan;

import io.bloomery.lookup.BloomierShape;
import io.bloomery.lookup.MutableBloomierShape;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** What the planner knows of the maps. It does not know the values, so it sizes for 256 of them. */
final class MapRules {

  private static final int BITS = 8;
  private static final long VALUES = 1 << BITS;

  private MapRules() {}

  static List<PlanRule<?>> all() {
    return List.of(
        rule(
            "bloomier",
            "BloomierMap",
            RuleParts.sized(
                needs -> BloomierShape.forKeys(needs.keys(), VALUES, RuleParts.rate(needs)),
                needs -> BloomierShape.forBudget(needs.keys(), VALUES, RuleParts.bits(needs))),
            shape -> PeeledCells.DEFAULT_PER_KEY,
            "A fixed value for each key without the keys, exact for all of them; sized for 256"
                + " values, and twice as many take a bit more in each cell"),
        rule(
            "mutable-bloomier",
            "MutableBloomierMap",
            RuleParts.sized(
                needs -> MutableBloomierShape.forKeys(needs.keys(), BITS, RuleParts.rate(needs)),
                needs -> MutableBloomierShape.forBudget(needs.keys(), BITS, RuleParts.bits(needs))),
            shape -> PeeledCells.DEFAULT_PER_KEY + 1,
            "A value for each of a fixed set of keys, without the keys; values of 8 bits that can"
                + " change"));
  }

  private static <S extends Shape> PlanRule<S> rule(
      String kind,
      String className,
      Function<Needs, Optional<S>> sizer,
      ToIntFunction<S> cells,
      String why) {
    return RuleParts.rule(
        kind, "io.bloomery.lookup." + className, Set.of(Need.VALUES), sizer, cells, cells, why);
  }
}
