package io.bloomery.plan;

import io.bloomery.frequency.CountMinShape;
import io.bloomery.frequency.SpectralShape;
import io.bloomery.frequency.SpectralShape.Method;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What the planner knows of the counters of {@code io.bloomery.frequency}: spectral and count-min.
 */
final class CountRules {

  private static final String FREQUENCY = "io.bloomery.frequency.";

  private CountRules() {}

  static List<PlanRule<?>> all() {
    return List.of(
        spectral(
            "spectral",
            Method.MINIMAL_INCREASE,
            Set.of(Need.COUNTS),
            "Counts that are never too low and too high for half as many keys as of a plain table"
                + " of counters"),
        spectral(
            "spectral-minimum",
            Method.MINIMUM_SELECTION,
            Set.of(Need.COUNTS, Need.DELETES),
            "Counts that may fall again, and tables that may be added up exactly"),
        spectral(
            "spectral-recurring",
            Method.RECURRING_MINIMUM,
            Set.of(Need.COUNTS, Need.DELETES),
            "Counts that may fall again, too high for half as many keys, for a good half more"
                + " memory"),
        new PlanRule<>(
            "count-min",
            FREQUENCY + "CountMinFilter",
            Set.of(Need.COUNTS),
            ifCounted(
                needs ->
                    CountMinShape.forKeys(
                        needs.keys(), RuleParts.rate(needs), CountMinShape.DEFAULT_COUNTER_BITS),
                needs ->
                    CountMinShape.forBudget(
                        needs.keys(), RuleParts.bits(needs), CountMinShape.DEFAULT_COUNTER_BITS)),
            CountMinShape::rows,
            CountMinShape::rows,
            true,
            "Sums of amounts such as bytes, never too low; for an error bound instead of a rate use"
                + " CountMinFilter.forError"));
  }

  private static PlanRule<SpectralShape> spectral(
      String kind, Method method, Set<Need> meets, String why) {
    int bits = SpectralShape.DEFAULT_COUNTER_BITS;
    int tables = method == Method.RECURRING_MINIMUM ? 2 : 1;
    int marks = method == Method.RECURRING_MINIMUM ? SpectralShape.MARKER_PROBES : 0;
    return new PlanRule<>(
        kind,
        FREQUENCY + "SpectralFilter",
        meets,
        ifCounted(
            needs -> SpectralShape.forKeys(needs.keys(), RuleParts.rate(needs), bits, method),
            needs -> SpectralShape.forBudget(needs.keys(), RuleParts.bits(needs), bits, method)),
        shape -> tables * shape.rows() + marks,
        shape -> tables * shape.rows() + marks,
        true,
        why);
  }

  /** Counters cost many times the bits of plain filters, so only who counts should pay them. */
  private static <S extends Shape> Function<Needs, Optional<S>> ifCounted(
      Function<Needs, S> forRate, Function<Needs, S> forBudget) {
    return RuleParts.where(Set.of(Need.COUNTS), RuleParts.sized(forRate, forBudget));
  }
}
