package io.bloomery.plan;

import java.util.List;

/** What the planner knows of the cascades and the filter without errors in a zone. */
final class CascadeRules {

  private CascadeRules() {}

  static List<PlanRule<?>> all() {
    return List.of();
  }
}
