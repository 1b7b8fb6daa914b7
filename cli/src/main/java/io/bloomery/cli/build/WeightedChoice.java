package io.bloomery.cli.build;

import io.bloomery.Filters;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.cli.option.NeedOptions;
import io.bloomery.cli.option.WeightsOption;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.problem.Problem;
import io.bloomery.weighted.ClassShape;
import io.bloomery.weighted.Weights;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Which filter {@code bloom build --weights} makes. */
final class WeightedChoice {

  private final Planner planner;
  private final String kind;
  private final UnaryOperator<Needs> more;

  /** The kind that was named, or null for the best; {@code more} adds the other needs. */
  WeightedChoice(Planner planner, String kind, UnaryOperator<Needs> more) {
    this.planner = planner;
    this.kind = kind;
    this.more = more;
  }

  /** Fails, before anything is read, if the options contradict each other. */
  static void check(WeightsOption weights, String kind, Set<Need> given, List<String> files) {
    boolean takesWeights = kind != null && takesWeights(kind);
    if (!weights.isGiven()) {
      if (takesWeights) {
        throw new Problem(
            "kind %s needs --weights FILE: queries that were made, one per line".formatted(kind));
      }
      return;
    }
    if (weights.isLaw()) {
      throw new Problem(
          "--weights %s names no keys; list the popular ones, the most popular first: --weights FILE"
                  .formatted(weights.file())
              + " --weights-format "
              + weights.file());
    }
    if (kind != null && !takesWeights) {
      FilterChoice.checkName(kind);
      throw new Problem(
          "kind %s treats all keys alike; --weights is for %s"
              .formatted(kind, String.join(" and ", kinds())));
    }
    Set<Need> others = EnumSet.copyOf(given.isEmpty() ? EnumSet.noneOf(Need.class) : given);
    others.removeAll(EnumSet.of(Need.SKEWED_POPULARITY, Need.HOSTILE_INPUT));
    if (!others.isEmpty()) {
      throw new Problem(
          "--weights and %s exclude each other: no filter here does both"
              .formatted(NeedOptions.option(others.iterator().next())));
    }
    boolean piped = files.isEmpty() || files.contains(KeyInput.STANDARD_INPUT);
    if (piped && weights.file().equals(KeyInput.STANDARD_INPUT)) {
      throw new Problem("keys and weights are both standard input; give a file for one of them");
    }
  }

  private static boolean takesWeights(String kind) {
    return kinds().contains(kind);
  }

  private static List<String> kinds() {
    return Filters.kinds().stream()
        .flatMap(kind -> kind.variants().stream())
        .filter(variant -> ClassShape.class.isAssignableFrom(variant.shapeType()))
        .map(variant -> variant.name())
        .toList();
  }

  /** The smallest filter for a rate, or the one with the lowest rate for a size. */
  FilterChoice of(Needs target, Weights weights) {
    Needs needs = more.apply(target).withPopularity(weights.popularity());
    if (kind != null) {
      return FilterChoice.named(kind, needs);
    }
    return planner.plan(needs).ranked().stream()
        .filter(plan -> plan.shape() instanceof ClassShape)
        .min(
            Comparator.comparingLong((Plan plan) -> plan.shape().sizeInBits())
                .thenComparingDouble(Plan::predictedRate))
        .map(plan -> new FilterChoice(plan, needs, false))
        .orElseThrow(() -> new Problem(planner.plan(needs).unmet()));
  }
}
