package io.bloomery.plan;

import io.bloomery.FilterKind;
import io.bloomery.Variant;
import io.bloomery.Writers;
import io.bloomery.internal.numeric.FilterCost;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Orders plans by their cost, as {@link Planner} defines it, and explains the order. */
final class Ranking {

  private final Needs needs;
  private final Planner.Machine machine;
  private final FilterCost cost;

  /** Ranks plans for these needs on this machine. */
  Ranking(Needs needs, Planner.Machine machine) {
    this.needs = needs;
    this.machine = machine;
    this.cost = new FilterCost(needs.keys(), needs.rate(), needs.preference().memoryWeight());
  }

  /** A plan with its cost, not yet compared with others. */
  Plan plan(FilterKind<?> kind, Variant variant, Shape shape, int shards) {
    int lines = variant.cacheLines(shape);
    int words = variant.words(shape);
    double rate = shape.falsePositiveRate(keysOf(shards));
    long bits = shape.sizeInBits() * shards;
    double present = machine.queryNanos(bits, variant.work(shape, true));
    double absent = machine.queryNanos(bits, variant.work(shape, false));
    double share = needs.presentShare();
    double query = share * present + (1 - share) * absent;
    boolean locked = !variant.supports(Writers.MANY) && !variant.isStatic();
    double add = variant.queriesPerAdd() * present + (locked ? FilterCost.LOCK_NANOS : 0);
    return new Plan(
        kind,
        variant,
        shape,
        shards,
        (double) bits / needs.keys(),
        rate,
        lines,
        words,
        present,
        absent,
        query,
        add,
        cost.of(bits, rate, query, add) * (locked ? FilterCost.LOCKED : 1),
        variant.isHashed() && (needs.has(Need.HOSTILE_INPUT) || needs.has(Need.PRIVATE)),
        "");
  }

  /** The keys of a shard, of as many as are equally large. */
  private long keysOf(int shards) {
    return (needs.keys() + shards - 1) / shards;
  }

  /**
   * The plans that meet all needs in full, then the others; each group by cost, then by rate, then
   * by the fewest capabilities beyond the needs.
   */
  List<Plan> ranked(List<Plan> plans) {
    List<Plan> ranked = new ArrayList<>(plans);
    ranked.sort(
        Comparator.comparing((Plan plan) -> !plan.variant().limits(needs).isEmpty())
            .thenComparingDouble(Plan::cost)
            .thenComparingDouble(Plan::predictedRate)
            .thenComparingInt(plan -> plan.variant().meets().size()));
    Reasons reasons = new Reasons(needs, ranked);
    ranked.replaceAll(reasons::explained);
    return ranked;
  }
}
