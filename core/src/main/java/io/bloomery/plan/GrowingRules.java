package io.bloomery.plan;

import java.util.List;

/** What the planner knows of {@code io.bloomery.growing}. */
final class GrowingRules {

  private GrowingRules() {}

  static List<PlanRule<?>> all() {
    return List.of();
  }
}
