package io.bloomery.plan;

import io.bloomery.frozen.RibbonShape;
import java.util.List;
import java.util.Set;

/** What the planner knows of the ribbon filter. */
final class RibbonRules {

  private RibbonRules() {}

  static List<PlanRule<?>> all() {
    return List.of(
        RuleParts.rule(
            "ribbon",
            "io.bloomery.frozen.RibbonFilter",
            Set.of(Need.FROZEN_SET),
            RuleParts.sized(
                needs -> RibbonShape.forKeys(needs.keys(), RuleParts.rate(needs)),
                needs -> RibbonShape.forBudget(needs.keys(), RuleParts.bits(needs))),
            RibbonShape::cacheLines,
            shape -> 2 * shape.columns(),
            "The smallest filter of a set that never changes, at any rate, with more to compute for"
                + " a query than the other frozen ones"));
  }
}
