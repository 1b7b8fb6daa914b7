package io.bloomery.plan;

import java.util.List;

/** What the planner knows of the filters that a peeling solver builds. */
final class SolvedRules {

  private SolvedRules() {}

  static List<PlanRule<?>> all() {
    return List.of();
  }
}
