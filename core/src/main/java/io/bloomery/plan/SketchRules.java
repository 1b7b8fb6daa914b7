package io.bloomery.plan;

import java.util.List;

/**
 * What the planner knows of the bit sketches of {@code io.bloomery.frequency}: space-code,
 * adaptive, layered, braids.
 */
final class SketchRules {

  private SketchRules() {}

  static List<PlanRule<?>> all() {
    return List.of();
  }
}
