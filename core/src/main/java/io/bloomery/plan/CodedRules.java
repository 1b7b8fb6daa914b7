package io.bloomery.plan;

import java.util.List;

/** What the planner knows of the coded and compressed filters. */
final class CodedRules {

  private CodedRules() {}

  static List<PlanRule<?>> all() {
    return List.of();
  }
}
