package io.bloomery.cli.plan;

import io.bloomery.cli.option.FilterChoice;
import io.bloomery.cli.option.Purpose;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.plan.Plans;
import io.bloomery.plan.Popularity;
import io.bloomery.plan.Shape;
import io.bloomery.tools.report.Text;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Queries the planner and drops the plans that exceed the memory limit. */
final class PlanRun {

  /**
   * The user's requirements.
   *
   * @param keys the number of distinct keys
   * @param rate the target false-positive rate; a rate, a memory limit or both are given
   * @param ram the memory limit in bytes
   * @param universe the number of keys that can exist
   * @param popularity how queries are spread over keys
   * @param purpose all other needs
   */
  record Question(
      long keys,
      OptionalDouble rate,
      OptionalLong ram,
      OptionalLong universe,
      Optional<Popularity> popularity,
      Purpose purpose) {

    private Needs forRate() {
      return complete(FilterChoice.target(keys, rate.orElseThrow()));
    }

    private Needs forBudget() {
      return complete(Needs.forBudget(keys, mostBits()));
    }

    private Needs complete(Needs target) {
      Needs all = universe.isPresent() ? target.withUniverse(universe.getAsLong()) : target;
      return purpose.of(popularity.isPresent() ? all.withPopularity(popularity.get()) : all);
    }

    private long mostBits() {
      long most = Shape.MAX_BITS / Byte.SIZE;
      return Byte.SIZE * Math.min(most, ram.orElse(most));
    }
  }

  private final Planner planner;
  private final Question question;
  private final Needs needs;
  private final List<Plan> plans = new ArrayList<>();
  private final List<Plan> tooLarge = new ArrayList<>();
  private final String unmet;

  /** Runs the planner. */
  PlanRun(Planner planner, Question question, boolean smallestFirst) {
    this.planner = planner;
    this.question = question;
    this.needs = question.rate.isPresent() ? question.forRate() : question.forBudget();
    Plans answer = planner.plan(needs);
    for (Plan plan : smallestFirst ? answer.smallestFirst() : answer.ranked()) {
      (fits(plan) ? plans : tooLarge).add(plan);
    }
    this.unmet = plans.isEmpty() && !tooLarge.isEmpty() ? tooLarge() : answer.unmet();
  }

  private boolean fits(Plan plan) {
    return plan.shape().sizeInBits() <= question.mostBits();
  }

  /** Whether times are predicted from measurements of this machine. */
  boolean isMeasured() {
    return !planner.machine().equals(Planner.Machine.BUILT_IN);
  }

  /** The needs that were given. */
  Needs needs() {
    return needs;
  }

  /** The memory limit in bytes. */
  OptionalLong ram() {
    return question.ram;
  }

  /** The plans that meet the needs, best first. */
  List<Plan> plans() {
    return plans;
  }

  /** The plans that meet the needs but exceed the memory limit, best first. */
  List<Plan> leftOut() {
    return tooLarge;
  }

  /** A sentence that says why there is no plan; empty if there is one. */
  String unmet() {
    return unmet;
  }

  /** The size of a plan's filter in memory, in bytes. */
  static long bytes(Plan plan) {
    return (plan.shape().sizeInBits() + Byte.SIZE - 1) / Byte.SIZE;
  }

  private String tooLarge() {
    Plan least = tooLarge.stream().min(Comparator.comparingLong(PlanRun::bytes)).orElseThrow();
    String ram = Text.size(question.mostBits() / Byte.SIZE);
    String instead =
        planner.plan(question.forBudget()).ranked().stream()
            .filter(plan -> fits(plan) && plan.predictedRate() < 1)
            .min(Comparator.comparingDouble(Plan::predictedRate))
            .map(plan -> "; in %s %s errs in %s".formatted(ram, plan.name(), rate(plan)))
            .orElse("");
    return "No kind of filter here does this in %s; the smallest, %s, needs %s%s."
        .formatted(ram, least.name(), Text.size(bytes(least)), instead);
  }

  private static String rate(Plan plan) {
    return Text.percent(plan.predictedRate());
  }
}
