package io.bloomery.plan;

import java.util.List;

/** What the planner knows of the counting filters of {@code io.bloomery.deletable}. */
final class CountingRules {

  private CountingRules() {}

  static List<PlanRule<?>> all() {
    return List.of();
  }
}
