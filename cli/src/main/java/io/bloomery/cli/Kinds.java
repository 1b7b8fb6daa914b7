package io.bloomery.cli;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.Filters;
import io.bloomery.FrequencyFilter;
import io.bloomery.RemovableFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.PlanRule;
import io.bloomery.plan.Planner;
import io.bloomery.plan.Plans;
import io.bloomery.plan.Shape;
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which kind of filter is made of keys: the one that has a name, or the planner's choice. */
final class Kinds {

  /**
   * What is made.
   *
   * @param kind the kind
   * @param shape its parameters
   * @param needs what they were chosen for
   * @param why why this kind, or null if the user named it
   */
  record Choice(FilterKind<?> kind, Shape shape, Needs needs, String why) {

    /** Begins to make it. */
    FilterRecipe.Making start(Hasher hasher, int threads) {
      return kind.recipe().start(shape, needs, hasher, threads);
    }

    /** The rate at the number of keys that it is made for. */
    double promisedRate() {
      return needs.rate().orElseGet(() -> shape.falsePositiveRate(needs.keys()));
    }

    /** Whether repetitions of a key count. */
    boolean counts() {
      return FrequencyFilter.class.isAssignableFrom(kind.type());
    }

    /** Whether a key that is added twice would be in it twice, or all keys come first. */
    boolean holdsEachKeyOnce() {
      return kind.recipe().needsAllFirst() || RemovableFilter.class.isAssignableFrom(kind.type());
    }

    /** Whether it forgets old keys when more come than it was made for. */
    boolean forgets() {
      return Kinds.forgets(kind);
    }
  }

  /** The kinds' names, for help and completion. */
  static final class Names implements Iterable<String> {
    /** For picocli. */
    Names() {}

    @Override
    public Iterator<String> iterator() {
      return makeable().map(FilterKind::name).iterator();
    }
  }

  private Kinds() {}

  private static Stream<FilterKind<?>> makeable() {
    return Filters.kinds().stream().filter(kind -> kind.recipe().refusal().isEmpty());
  }

  private static Stream<PlanRule<?>> rules(FilterKind<?> kind) {
    return Planner.standard().rules().stream()
        .filter(rule -> rule.kind().type().getName().equals(kind.type().getName()));
  }

  /** Whether a kind forgets old keys when more come than it was made for. */
  static boolean forgets(FilterKind<?> kind) {
    return rules(kind).anyMatch(rule -> rule.meets().contains(Need.WINDOW));
  }

  /** The best kind for these needs that can be made of keys. */
  static Choice planned(Needs needs) {
    Plans plans = Planner.standard().plan(needs);
    for (Plan plan : plans.ranked()) {
      FilterKind<?> kind = kindOf(plan.kind().type().getName());
      if (kind.recipe().refusal().isEmpty()) {
        return new Choice(kind, plan.shape(), needs, plan.why());
      }
    }
    throw new Problem(plans.best().map(Kinds::onlyOthers).orElse(plans.unmet()));
  }

  private static String onlyOthers(Plan plan) {
    FilterKind<?> kind = kindOf(plan.kind().type().getName());
    return "the kind for it, %s, %s".formatted(kind.name(), refusal(kind));
  }

  private static FilterKind<?> kindOf(String className) {
    return Filters.kinds().stream()
        .filter(kind -> kind.type().getName().equals(className))
        .findFirst()
        .orElseThrow();
  }

  private static String refusal(FilterKind<?> kind) {
    return kind.recipe().refusal().orElseThrow() + "; bloom build has keys only";
  }

  /** The kind of a name, or the variant of a kind that the planner has this name for. */
  static Choice named(String name, Needs needs) {
    Optional<FilterKind<?>> known =
        Filters.kinds().stream().filter(kind -> kind.name().equals(name)).findFirst();
    if (known.isPresent()) {
      FilterKind<?> kind = requireMakeable(name, known.get());
      return new Choice(kind, kind.recipe().shape(needs), needs, null);
    }
    PlanRule<?> variant =
        Planner.standard().rules().stream()
            .filter(rule -> rule.kind().equals(name))
            .findFirst()
            .orElseThrow(() -> new Problem("--kind %s is not one of: %s".formatted(name, names())));
    FilterKind<?> kind = requireMakeable(name, kindOf(variant.kind().type().getName()));
    return new Choice(kind, shape(variant, needs), needs, null);
  }

  /** Who names a variant needs no reason for it: the rule hears all reasons that there are. */
  private static Shape shape(PlanRule<?> rule, Needs needs) {
    Needs all = needs;
    for (Need need : Need.values()) {
      all = all.with(need);
    }
    Optional<? extends Shape> shape = rule.sizer().apply(all);
    return shape.orElseThrow(
        () -> new Problem("--kind " + rule.kind() + " takes a rate, not a size: give --rate"));
  }

  private static FilterKind<?> requireMakeable(String name, FilterKind<?> kind) {
    if (kind.recipe().refusal().isPresent()) {
      throw new Problem("--kind %s %s".formatted(name, refusal(kind)));
    }
    return kind;
  }

  private static String names() {
    return makeable().map(FilterKind::name).collect(Collectors.joining(", "));
  }
}
