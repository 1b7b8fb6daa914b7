package io.bloomery.plan;

import io.bloomery.deletable.CuckooShape;
import io.bloomery.deletable.QuotientShape;
import java.util.List;
import java.util.Set;

/**
 * What the planner knows of the cuckoo and quotient filters of {@code io.bloomery.deletable}. A
 * table refuses keys when it is full, so it is offered only where keys are removed.
 */
final class TableRules {

  private TableRules() {}

  static List<PlanRule<?>> all() {
    return List.of(cuckoo(), quotient());
  }

  private static PlanRule<CuckooShape> cuckoo() {
    return RuleParts.rule(
        "cuckoo",
        "io.bloomery.deletable.CuckooFilter",
        Set.of(Need.DELETES),
        RuleParts.sized(
            needs -> CuckooShape.forKeys(needs.keys(), RuleParts.rate(needs)),
            needs -> CuckooShape.forBudget(needs.keys(), RuleParts.bits(needs))),
        shape -> 2,
        shape -> shape.fingerprintBits() > 16 ? 8 : 4,
        "Keys may leave, and below 0.4 % it is smaller than a standard Bloom filter, for two cache"
            + " lines a query and a lock if several threads write");
  }

  private static PlanRule<QuotientShape> quotient() {
    return RuleParts.rule(
        "quotient",
        "io.bloomery.deletable.QuotientFilter",
        Set.of(Need.DELETES),
        RuleParts.sized(
            needs -> QuotientShape.forKeys(needs.keys(), RuleParts.rate(needs)),
            needs -> QuotientShape.forBudget(needs.keys(), RuleParts.bits(needs))),
        shape -> 3,
        shape -> 6,
        "Keys may leave, and it merges, doubles and lists its fingerprints without the keys, with a"
            + " lock if several threads write");
  }
}
