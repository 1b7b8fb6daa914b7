package io.bloomery.cli.build;

import io.bloomery.cli.option.FilterChoice;
import io.bloomery.cli.option.Purpose;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.tools.problem.Problem;
import io.bloomery.weighted.ClassShape;
import io.bloomery.weighted.Weights;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The filter that {@code bloom build} makes, as far as the command line determines it; the rest
 * depends on the number of keys.
 *
 * @param planner chooses the kind
 * @param kind the kind or variant that the user named instead
 * @param purpose what the filter is needed for
 * @param size the target rate or size
 * @param keys the expected number of distinct keys, if given
 */
record BuildChoice(
    Planner planner, Optional<String> kind, Purpose purpose, BuildSize size, OptionalLong keys) {

  /** The number of keys assumed when a kind is checked against the options before keys are read. */
  private static final long FEW = 1000;

  /** The filter for the expected number of keys, or else for the number counted. */
  FilterChoice forKeys(long distinct) {
    FilterChoice exact = choose(size.forKeys(keys.orElse(distinct)));
    boolean onLadder =
        keys.isEmpty()
            && size.isByRate()
            && exact.plan().variant().mergesExactly()
            && !exact.plan().variant().meets().contains(Need.TRANSFER); // every byte counts
    return onLadder ? choose(size.forKeys(rung(distinct))) : exact;
  }

  /**
   * Rounds a number of keys up to 4, 5, 6 or 7 times a power of two. Filters with similar numbers
   * of keys, such as one per day, then have the same shape and can be merged.
   */
  static long rung(long count) {
    int shift = Math.max(0, Long.SIZE - 3 - Long.numberOfLeadingZeros(count));
    long steps = (count + (1L << shift) - 1) >>> shift;
    return steps << shift;
  }

  /**
   * The filter for weighted keys: the smallest for a rate, or the one with the lowest rate for a
   * size.
   */
  FilterChoice forKeys(long distinct, Weights weights) {
    Needs target = size.forKeys(Math.max(keys.orElse(0), distinct));
    Needs needs = purpose.of(target).withPopularity(weights.popularity());
    if (kind.isPresent()) {
      return FilterChoice.named(kind.get(), needs);
    }
    return planner.plan(needs).ranked().stream()
        .filter(plan -> plan.shape() instanceof ClassShape)
        .min(
            Comparator.comparingLong((Plan plan) -> plan.shape().sizeInBits())
                .thenComparingDouble(Plan::predictedRate))
        .map(plan -> new FilterChoice(plan, needs, false))
        .orElseThrow(() -> new Problem(planner.plan(needs).unmet()));
  }

  /**
   * The filter as far as it can be chosen before keys are read: for the expected number of keys, or
   * else for a few; empty if no filter is that small.
   */
  Optional<FilterChoice> early() {
    if (keys.isPresent()) {
      return Optional.of(forKeys(keys.getAsLong()));
    }
    if (kind.isPresent()) {
      FilterChoice.checkName(kind.get());
    } else {
      Optional<String> unmet = planner.unmet(purpose.needs());
      if (unmet.isPresent()) {
        throw new Problem(unmet.get());
      }
    }
    try {
      return Optional.of(choose(size.byRate(FEW)));
    } catch (Problem tooFew) {
      return Optional.empty(); // the number of keys decides, and the message will name it
    }
  }

  /** Whether repeated keys are added again. */
  boolean isRepeated(Optional<FilterChoice> early) {
    return purpose.needs().contains(Need.COUNTS)
        || (kind.isPresent() && early.isPresent() && early.get().counts());
  }

  private FilterChoice choose(Needs target) {
    if (kind.isEmpty()) {
      return FilterChoice.planned(planner, purpose.of(target));
    }
    return purpose.isOrdered()
        ? FilterChoice.named(kind.get(), purpose.of(target)).requireOrdered()
        : FilterChoice.named(kind.get(), target).requireFillable();
  }
}
