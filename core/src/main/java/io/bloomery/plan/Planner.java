package io.bloomery.plan;

import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.Variant;
import io.bloomery.internal.numeric.Lean;
import io.bloomery.theory.BloomMath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which filter, and how large? Sizes every variant of every kind that meets the needs by its own
 * formula and ranks them.
 *
 * <pre>{@code
 * Planner.standard().plan(Needs.forKeys(1_000_000, 0.01).with(Need.DELETES)).best().create()
 * }</pre>
 *
 * <p>The fewest cache lines per query come first. Among plans of equally many, those that read the
 * fewest words come first as long as they are within 4 % of the smallest of them, then the others
 * by size. Plans that take more than 1.5 times the memory of the smallest plan come after all that
 * do not. When the memory is given, the rates take the place of the sizes, as bits per key of an
 * ideal Bloom filter. Immutable.
 */
public final class Planner {

  /** How much more memory a plan may take for fewer cache lines. */
  private static final double LINE_TOLERANCE = 1.5;

  private final List<FilterKind<?>> kinds;

  private Planner(Collection<FilterKind<?>> kinds) {
    this.kinds = List.copyOf(kinds);
  }

  /**
   * A planner that knows some kinds only.
   *
   * @param kinds the kinds
   * @return the planner
   */
  public static Planner of(Collection<FilterKind<?>> kinds) {
    return new Planner(kinds);
  }

  /**
   * The planner of all kinds of this library.
   *
   * @return the planner
   */
  public static Planner standard() {
    return Standard.PLANNER;
  }

  /** Made when it is first asked for, because the kinds need this package. */
  private static final class Standard {
    static final Planner PLANNER = new Planner(Filters.kinds());
  }

  /**
   * All variants that this planner knows.
   *
   * @return in the order of the kinds
   */
  public List<Variant<?>> variants() {
    return kinds.stream().<Variant<?>>flatMap(kind -> kind.variants().stream()).toList();
  }

  /**
   * Sizes and ranks the variants that meet the needs.
   *
   * @param needs what the user knows
   * @return the plans, or a sentence that says which need no kind meets
   */
  public Plans plan(Needs needs) {
    List<Plan> plans = new ArrayList<>();
    for (FilterKind<?> kind : kinds) {
      for (Variant<?> variant : kind.variants()) {
        if (variant.isOfferedFor(needs)) {
          addPlan(plans, kind, variant, needs);
        }
      }
    }
    return plans.isEmpty()
        ? new Plans(plans, unmet(needs))
        : new Plans(rank(plans, plan -> cost(plan, needs)), "");
  }

  private static void addPlan(
      List<Plan> plans, FilterKind<?> kind, Variant<?> variant, Needs needs) {
    Shape shape;
    try {
      shape = variant.shape(needs);
    } catch (IllegalArgumentException tooLargeOrTooSmall) {
      // The needs themselves were checked, so the kind cannot have such a size.
      return;
    }
    plans.add(Plan.of(kind, variant, shape, needs));
  }

  /**
   * Sizes what the user asks for by name: a variant, or the best variant of a kind. It is sized as
   * if every need were set.
   *
   * @param name of a kind or of a variant, such as "blocked" or "blocked-128"
   * @param needs keys, a rate or a budget, and the universe where the kind needs it
   * @return the plan
   * @throws IllegalArgumentException if there is no such kind or it cannot have such a size
   */
  public Plan named(String name, Needs needs) {
    Objects.requireNonNull(name, "name");
    List<Plan> plans = new ArrayList<>();
    IllegalArgumentException problem = null;
    FilterKind<?> kind = kindNamed(name);
    for (Variant<?> variant : kind.variants()) {
      if (kind.name().equals(name) || variant.name().equals(name)) {
        try {
          plans.add(Plan.of(kind, variant, variant.shape(needs), needs));
        } catch (IllegalArgumentException e) {
          problem = problem == null ? e : problem;
        }
      }
    }
    if (plans.isEmpty()) {
      throw problem != null
          ? problem
          : new IllegalArgumentException(name + " " + kind.refusal().orElse("has no variants"));
    }
    return rank(plans, plan -> cost(plan, needs)).get(0);
  }

  private FilterKind<?> kindNamed(String name) {
    return Stream.<Predicate<FilterKind<?>>>of(
            kind -> kind.name().equals(name),
            kind -> kind.variants().stream().anyMatch(variant -> variant.name().equals(name)))
        .flatMap(test -> kinds.stream().filter(test))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    name + " is not one of: " + String.join(", ", names())));
  }

  /**
   * The names that {@link #named} takes.
   *
   * @return kinds and variants in alphabetical order
   */
  public List<String> names() {
    return Stream.concat(
            kinds.stream().filter(kind -> !kind.variants().isEmpty()).map(FilterKind::name),
            variants().stream().map(Variant::name))
        .distinct()
        .sorted()
        .toList();
  }

  private static List<Plan> rank(List<Plan> plans, ToDoubleFunction<Plan> cost) {
    double most = LINE_TOLERANCE * plans.stream().mapToDouble(cost).min().orElseThrow();
    Map<Integer, Double> smallest = new HashMap<>();
    for (Plan plan : plans) {
      smallest.merge(plan.cacheLines(), cost.applyAsDouble(plan), Math::min);
    }
    Predicate<Plan> lean =
        plan -> Lean.isLean(cost.applyAsDouble(plan), smallest.get(plan.cacheLines()));
    List<Plan> ranked = new ArrayList<>(plans);
    ranked.sort(
        Comparator.comparing((Plan plan) -> cost.applyAsDouble(plan) > most)
            .thenComparingInt(Plan::cacheLines)
            .thenComparing(plan -> !lean.test(plan))
            .thenComparingInt(plan -> lean.test(plan) ? plan.words() : 0)
            .thenComparingDouble(cost));
    return ranked;
  }

  /**
   * What a plan costs: its size, or for a given memory the reciprocal of what its rate is worth.
   */
  private static double cost(Plan plan, Needs needs) {
    if (needs.budget().isEmpty()) {
      // Whole words: a few bits less must not decide.
      return Math.ceil(plan.shape().sizeInBits() / 64.0);
    }
    double rate = Math.max(Double.MIN_NORMAL, plan.predictedRate());
    return rate < 1 ? 1 / BloomMath.bitsPerKey(rate) : Double.MAX_VALUE;
  }

  private String unmet(Needs needs) {
    Set<Need> required = EnumSet.noneOf(Need.class);
    needs.all().stream().filter(Need::isRequired).forEach(required::add);
    List<Need> alone = required.stream().filter(need -> !isMet(EnumSet.of(need))).toList();
    if (!alone.isEmpty()) {
      return "No kind of filter here supports " + words(alone, " or ") + ".";
    }
    if (!isMet(required)) {
      return "No kind of filter here supports " + words(required, " and ") + " together.";
    }
    String target =
        needs.rate().isPresent()
            ? "a rate of " + needs.rate().getAsDouble()
            : "a budget of " + needs.budget().orElseThrow() + " bits";
    String what = required.isEmpty() ? "holds " : "supports " + words(required, " and ") + " for ";
    return "No kind of filter here " + what + needs.keys() + " keys with " + target + ".";
  }

  private boolean isMet(Set<Need> required) {
    return variants().stream().anyMatch(variant -> variant.meets().containsAll(required));
  }

  private static String words(Collection<Need> needs, String separator) {
    return needs.stream().map(Need::words).collect(Collectors.joining(separator));
  }
}
