package io.bloomery.plan;

import java.util.List;

/**
 * What the planner knows of the multilayer, d-left and deletable filters of {@code
 * io.bloomery.deletable}.
 */
final class DeletionRules {

  private DeletionRules() {}

  static List<PlanRule<?>> all() {
    return List.of();
  }
}
