package io.bloomery.plan;

import java.util.List;

/**
 * What the planner knows of the counters of {@code io.bloomery.frequency}: spectral and count-min.
 */
final class CountRules {

  private CountRules() {}

  static List<PlanRule<?>> all() {
    return List.of();
  }
}
