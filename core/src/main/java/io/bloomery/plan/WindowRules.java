package io.bloomery.plan;

import java.util.List;

/** What the planner knows of {@code io.bloomery.window}. */
final class WindowRules {

  private WindowRules() {}

  static List<PlanRule<?>> all() {
    return List.of();
  }
}
