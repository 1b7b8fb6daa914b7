package io.bloomery.plan;

import java.util.List;

/** What the planner knows of the filters of many sets. */
final class BankRules {

  private BankRules() {}

  static List<PlanRule<?>> all() {
    return List.of();
  }
}
