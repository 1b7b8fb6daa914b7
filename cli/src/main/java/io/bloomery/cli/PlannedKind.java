package io.bloomery.cli;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.Filters;
import io.bloomery.HashedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.PlanRule;
import io.bloomery.plan.Planner;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A kind of filter as the planner knows it, which can be sized and built.
 *
 * @param rule what the planner knows
 */
record PlannedKind(PlanRule<?> rule) {

  /**
   * The kind with a name of the planner ("blocked-512") or, of those of a kind of file ("blocked"),
   * the one that the planner ranks first for these keys and this rate.
   */
  static PlannedKind named(String name, long keys, double rate) {
    List<PlanRule<?>> rules = Planner.standard().rules();
    Optional<PlanRule<?>> exact =
        rules.stream().filter(rule -> rule.kind().equals(name)).findFirst();
    if (exact.isPresent()) {
      return new PlannedKind(exact.get());
    }
    List<PlanRule<?>> family = rules.stream().filter(rule -> isFamily(rule, name)).toList();
    if (family.isEmpty()) {
      throw new Problem(
          "kind %s is not one of: %s"
              .formatted(
                  name,
                  rules.stream().map(PlanRule::kind).sorted().collect(Collectors.joining(", "))));
    }
    Set<String> names = family.stream().map(PlanRule::kind).collect(Collectors.toSet());
    Needs needs = new PlannedKind(family.get(0)).needs(keys, rate);
    String best =
        Planner.standard().plan(needs).ranked().stream()
            .map(Plan::name)
            .filter(names::contains)
            .findFirst()
            .orElse(family.get(0).kind());
    return named(best, keys, rate);
  }

  private static boolean isFamily(PlanRule<?> rule, String name) {
    return Filters.kinds().stream()
        .anyMatch(
            kind -> kind.name().equals(name) && kind.type().getName().equals(rule.kind().type().getName()));
  }

  /** The planner's name. */
  String name() {
    return rule.kind();
  }

  /** The shape for so many keys; empty if the kind has none. */
  Optional<Shape> shape(long keys, double rate) {
    return shape(needs(keys, rate));
  }

  /** Whether all keys must be known first. */
  boolean isFrozen(long keys, double rate) {
    Needs needs = Needs.forKeys(keys, rate);
    for (Need need : rule.meets()) {
      needs = need == Need.FROZEN_SET ? needs : needs.with(need);
    }
    return shape(needs).isEmpty();
  }

  private Optional<Shape> shape(Needs needs) {
    try {
      return rule.sizer().apply(needs).map(Shape.class::cast);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Everything that the kind is for. */
  private Needs needs(long keys, double rate) {
    Needs needs = Needs.forKeys(keys, rate);
    Set<Need> all = EnumSet.of(Need.FROZEN_SET);
    all.addAll(rule.meets());
    for (Need need : all) {
      needs = needs.with(need);
    }
    return needs;
  }

  /** How filters of this kind are made. */
  FilterRecipe<?> recipe() {
    for (FilterKind<?> kind : Filters.kinds()) {
      if (kind.type().getName().equals(rule.kind().type().getName())) {
        kind.recipe()
            .refusal()
            .ifPresent(
                reason -> {
                  throw new Problem("kind " + name() + " " + reason);
                });
        return kind.recipe();
      }
    }
    throw new Problem("kind " + name() + " has no files");
  }

  /** Begins a filter of a shape of this kind, for one thread. */
  FilterRecipe.Making start(Shape shape, long keys, double rate) {
    return recipe().start(shape, needs(keys, rate), Hasher.xxh3(), 1);
  }

  /** The finished filter. */
  static HashedFilter finish(FilterRecipe.Making making) {
    try {
      return making.finish().filter();
    } catch (IOException e) {
      throw Problem.with("temporary file", e);
    }
  }
}
