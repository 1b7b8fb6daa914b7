package io.bloomery.plan;

import java.util.List;

/** What the planner knows of the maps. */
final class MapRules {

  private MapRules() {}

  static List<PlanRule<?>> all() {
    return List.of();
  }
}
