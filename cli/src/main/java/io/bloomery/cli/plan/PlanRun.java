package io.bloomery.cli.plan;

import io.bloomery.cli.option.FilterChoice;
import io.bloomery.cli.option.Purpose;
import io.bloomery.plan.Need;
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
   * @param keys the number of distinct keys, of one filter or of several
   * @param rate the target false-positive rate; a rate, a memory limit or both are given
   * @param ram the memory limit in bytes
   * @param universe the number of keys that can exist
   * @param popularity how queries are distributed over keys
   * @param purpose all other needs
   */
  record Question(
      long keys,
      OptionalDouble rate,
      OptionalLong ram,
      OptionalLong universe,
      Optional<Popularity> popularity,
      Purpose purpose) {

    /**
     * The keys of the largest part of a random division: six standard deviations above an equal
     * share.
     */
    private long keysOfEach(int filters) {
      double equal = (double) keys / filters;
      return filters == 1 ? keys : (long) Math.ceil(equal + 6 * Math.sqrt(equal));
    }

    private Needs of(int filters) {
      return rate.isPresent() ? forRate(filters) : forBudget(filters);
    }

    private Needs forRate(int filters) {
      return complete(FilterChoice.target(keysOfEach(filters), rate.orElseThrow()));
    }

    private Needs forBudget(int filters) {
      return complete(Needs.forBudget(keysOfEach(filters), mostBits(filters)));
    }

    private Needs complete(Needs target) {
      Needs all = universe.isPresent() ? target.withUniverse(universe.getAsLong()) : target;
      return purpose.of(popularity.isPresent() ? all.withPopularity(popularity.get()) : all);
    }

    private long mostBits(int filters) {
      long most = Shape.MAX_BITS / Byte.SIZE;
      return Byte.SIZE * Math.min(most, ram.isPresent() ? ram.getAsLong() / filters : most);
    }
  }

  private static final String HASH_LIST = "sorted-hashes";

  /** For more keys a list of hashes, of log2(keys/rate) bits each, is never the smallest. */
  private static final long FEW_KEYS = 1L << 24;

  /** Fewer keys than this are not divided: if one filter cannot hold them, several cannot. */
  private static final long MANY_KEYS = 1L << 30;

  private final Planner planner;
  private final Question question;
  private final Needs needs;
  private final int filters;
  private final List<Plan> plans = new ArrayList<>();
  private final List<Plan> tooLarge = new ArrayList<>();
  private final String unmet;

  /** Runs the planner. */
  PlanRun(Planner planner, Question question, boolean smallestFirst) {
    this.planner = planner;
    this.question = question;
    int parts = 1;
    while (question.keysOfEach(parts) > Shape.MAX_KEYS) {
      parts *= 2;
    }
    Plans answer = planner.plan(question.of(parts));
    boolean possible = planner.unmet(question.purpose.needs()).isEmpty();
    while (answer.isEmpty() && possible && question.keys / parts > MANY_KEYS) {
      parts *= 2;
      answer = planner.plan(question.of(parts));
    }
    this.filters = parts;
    this.needs = question.of(parts);
    for (Plan plan : smallestFirst ? answer.smallestFirst() : answer.ranked()) {
      (fits(plan) ? plans : tooLarge).add(plan);
    }
    this.unmet = plans.isEmpty() && !tooLarge.isEmpty() ? tooLarge() : answer.unmet();
  }

  private boolean fits(Plan plan) {
    return plan.sizeInBits() <= question.mostBits(filters);
  }

  /** Whether times are predicted from measurements of this machine. */
  boolean isMeasured() {
    return !planner.machine().equals(Planner.Machine.BUILT_IN);
  }

  /** The number of distinct keys, of all filters. */
  long keys() {
    return question.keys;
  }

  /** The number of filters among which the keys are divided. */
  int filters() {
    return filters;
  }

  /**
   * A list of hashes with the same rate, if no filter among the plans that answers as fast is
   * smaller and only membership is needed.
   */
  Optional<Plan> hashList() {
    if (needs.rate().isEmpty()
        || needs.keys() > FEW_KEYS
        || plans.isEmpty()
        || needs.all().stream().anyMatch(need -> need.isRequired() && need != Need.PRIVATE)) {
      return Optional.empty();
    }
    Plan list = planner.named(HASH_LIST, needs);
    boolean least =
        plans.stream()
            .filter(plan -> !plan.name().equals(HASH_LIST))
            .allMatch(plan -> bytes(plan) >= bytes(list) || plan.queryNanos() > list.queryNanos());
    return least && fits(list) ? Optional.of(list) : Optional.empty();
  }

  /** The needs of each filter. */
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

  /** The size of a plan's filter in memory, in bytes; of one of them if there are several. */
  static long bytes(Plan plan) {
    return (plan.sizeInBits() + Byte.SIZE - 1) / Byte.SIZE;
  }

  private String tooLarge() {
    Plan least = tooLarge.stream().min(Comparator.comparingLong(PlanRun::bytes)).orElseThrow();
    String ram = Text.size(question.mostBits(filters) / Byte.SIZE);
    String instead =
        planner.plan(question.forBudget(filters)).ranked().stream()
            .filter(plan -> fits(plan) && plan.predictedRate() < 1)
            .min(Comparator.comparingDouble(Plan::predictedRate))
            .map(plan -> "; in %s %s has a rate of %s".formatted(ram, plan.name(), rate(plan)))
            .orElse("");
    return "No kind of filter here does this in %s; the smallest, %s, needs %s%s."
        .formatted(ram, least.name(), Text.size(bytes(least)), instead);
  }

  private static String rate(Plan plan) {
    return Text.percent(plan.predictedRate());
  }
}
