package io.bloomery.plan;

import java.util.List;

/** What the planner knows of the cuckoo and quotient filters of {@code io.bloomery.deletable}. */
final class TableRules {

  private TableRules() {}

  static List<PlanRule<?>> all() {
    return List.of();
  }
}
