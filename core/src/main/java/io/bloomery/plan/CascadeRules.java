package io.bloomery.plan;

import io.bloomery.frozen.CascadeShape;
import io.bloomery.frozen.ExactZoneShape;
import io.bloomery.lookup.ApproximatorShape;
import io.bloomery.lookup.BloomierCascadeShape;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the planner knows of the cascades and the filter without errors in a zone. */
final class CascadeRules {

  /** The planner does not know the values and sizes maps for so many. */
  private static final int VALUES = 256;

  private static final int VALUE_BITS = 8;

  private CascadeRules() {}

  static List<PlanRule<?>> all() {
    return List.of(
        RuleParts.rule(
            "cascade",
            "io.bloomery.frozen.FilterCascade",
            Set.of(Need.CLOSED_UNIVERSE),
            CascadeRules::cascade,
            CascadeRules::cascadeWords,
            CascadeRules::cascadeWords,
            "Exact for every key of a universe that is known when the filter is built, in little"
                + " more than half again the least memory that this can take"),
        new PlanRule<>(
            "exact-zone",
            "io.bloomery.frozen.ExactZoneFilter",
            Set.of(Need.CLOSED_UNIVERSE),
            RuleParts.where(Set.of(Need.CLOSED_UNIVERSE), CascadeRules::zone),
            shape -> shape.primes().length,
            shape -> shape.primes().length,
            false,
            "Exact for a few numbers below a bound, which need not be known before and may be"
                + " listed again"),
        RuleParts.rule(
            "bloomier-cascade",
            "io.bloomery.lookup.BloomierCascade",
            Set.of(Need.VALUES),
            CascadeRules::bloomier,
            CascadeRules::bloomierWords,
            CascadeRules::bloomierWords,
            "A fixed value for each key out of plain Bloom filters, exact for all of them; sized"
                + " for 256 values, of which each has a filter to ask"),
        RuleParts.rule(
            "compact-approximator",
            "io.bloomery.lookup.CompactApproximator",
            Set.of(Need.VALUES),
            RuleParts.sized(
                needs -> ApproximatorShape.forKeys(needs.keys(), RuleParts.rate(needs), VALUE_BITS),
                needs ->
                    ApproximatorShape.forBudget(needs.keys(), RuleParts.bits(needs), VALUE_BITS)),
            ApproximatorShape::probes,
            ApproximatorShape::probes,
            "Values that come one by one and may rise, and that are never answered too low; sized"
                + " for values of 8 bits"));
  }

  private static Optional<CascadeShape> cascade(Needs needs) {
    return withinBudget(
        needs,
        needs.universe().stream().mapToObj(u -> CascadeShape.forKeys(needs.keys(), u)).findFirst());
  }

  private static Optional<ExactZoneShape> zone(Needs needs) {
    return withinBudget(
        needs,
        needs.universe().stream()
            .mapToObj(universe -> ExactZoneShape.forKeys(needs.keys(), universe))
            .findFirst());
  }

  private static Optional<BloomierCascadeShape> bloomier(Needs needs) {
    return needs.rate().stream()
        .mapToObj(rate -> BloomierCascadeShape.forKeys(needs.keys(), VALUES, rate))
        .findFirst();
  }

  /** All probes of one filter, and of the others as many as show that they do not claim a key. */
  private static int bloomierWords(BloomierCascadeShape shape) {
    return shape.filter(Math.max(1, shape.keys() / shape.values())).probes()
        + 2 * (shape.values() - 1);
  }

  /** Of a shape whose size is no choice: empty if it does not fit. */
  private static <S extends Shape> Optional<S> withinBudget(Needs needs, Optional<S> sized) {
    return sized.filter(shape -> shape.sizeInBits() <= needs.budget().orElse(Shape.MAX_BITS));
  }

  /** All probes of the first layer, and as many others as most members need. */
  private static int cascadeWords(CascadeShape shape) {
    long smaller = Math.min(shape.members(), shape.others());
    return smaller == 0 ? 0 : shape.layer(1, smaller).probes() + 1;
  }
}
