package io.bloomery.plan;

import io.bloomery.lookup.BloomierCascadeShape;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the planner knows of the Bloomier cascade and the approximator. */
final class CascadeRules {

  /** The planner does not know the values and sizes maps for so many. */
  private static final int VALUES = 256;

  private CascadeRules() {}

  static List<PlanRule<?>> all() {
    return List.of(
        RuleParts.rule(
            "bloomier-cascade",
            "io.bloomery.lookup.BloomierCascade",
            Set.of(Need.VALUES),
            CascadeRules::bloomier,
            CascadeRules::bloomierWords,
            CascadeRules::bloomierWords,
            "A fixed value for each key out of plain Bloom filters, exact for all of them; sized"
                + " for 256 values, of which each has a filter to ask"));
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
}
