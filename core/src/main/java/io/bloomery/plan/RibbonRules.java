package io.bloomery.plan;

import java.util.List;

/** What the planner knows of the ribbon filter. */
final class RibbonRules {

  private RibbonRules() {}

  static List<PlanRule<?>> all() {
    return List.of();
  }
}
