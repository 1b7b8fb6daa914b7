package io.bloomery.cli.option;

import io.bloomery.FilterBuilder;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrequencyFilter;
import io.bloomery.HashedFilter;
import io.bloomery.RangeFilterBuilder;
import io.bloomery.Variant;
import io.bloomery.Writers;
import io.bloomery.cli.console.ArgumentWords;
import io.bloomery.error.ImpossibleSizeException;
import io.bloomery.hash.Hasher;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.plan.Plans;
import io.bloomery.plan.Shape;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.problem.Suggestion;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The filter to make: the planner's choice, or the kind or variant that the user named.
 *
 * @param plan kind, variant and shape
 * @param needs what it was planned for
 * @param named whether the user named it
 */
public record FilterChoice(Plan plan, Needs needs, boolean named) {

  /** The names of all kinds and variants that can be made from keys, for help and completion. */
  public static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Filters.kinds().stream()
          .flatMap(
              kind ->
                  kind.variants().stream()
                      .filter(variant -> variant.refusal().isEmpty())
                      .flatMap(variant -> Stream.of(kind.name(), variant.name())))
          .distinct()
          .iterator();
    }
  }

  /** The needs for a number of keys and a rate; fails if 64-bit hashes cannot reach that rate. */
  public static Needs target(long keys, double rate) {
    if (rate < Needs.lowestRate(keys)) {
      throw new Problem(
          "--rate %s is too low for %s: 64-bit hashes allow %.1e or more"
              .formatted(rate, Text.count(keys, "key"), Needs.lowestRate(keys)));
    }
    return Needs.forKeys(keys, rate);
  }

  /** The best plan for these needs among the filters that can be built from keys alone. */
  public static FilterChoice planned(Planner planner, Needs needs) {
    Plans plans = planner.plan(needs);
    if (plans.isEmpty()) {
      throw new Problem(plans.unmet());
    }
    return plans.ranked().stream()
        .filter(plan -> plan.variant().refusal().isEmpty() || needs.has(Need.RANGES))
        .findFirst()
        .map(plan -> new FilterChoice(plan, needs, false))
        .orElseThrow(
            () -> new Problem(refusal("the planner's choice, %s, %s", plans.best().variant())));
  }

  /**
   * The variant of this name, or the best variant of the kind of this name. It is sized as if every
   * need were set.
   */
  public static FilterChoice named(String name, Needs needs) {
    List<Variant> variants = known(name);
    try {
      return new FilterChoice(Planner.standard().named(name, needs), needs, true);
    } catch (ImpossibleSizeException e) {
      checkFillable(variants);
      throw new Problem(
          "kind %s has no size for %s: %s".formatted(name, target(needs), ArgumentWords.of(e)));
    }
  }

  /** Fails unless a filter of this name, of some size, can be built from keys alone. */
  public static void checkName(String name) {
    checkFillable(known(name));
  }

  private static List<Variant> known(String name) {
    List<Variant> variants = variants(name);
    if (variants.isEmpty()) {
      throw new Problem(Suggestion.unknown("kind", name, Planner.standard().names()));
    }
    return variants;
  }

  private static void checkFillable(List<Variant> variants) {
    if (variants.stream().allMatch(variant -> variant.refusal().isPresent())) {
      throw new Problem(refusal("kind %s %s", variants.get(0)));
    }
  }

  private static List<Variant> variants(String name) {
    return Filters.kinds().stream()
        .<Variant>flatMap(
            kind ->
                kind.variants().stream()
                    .filter(v -> kind.name().equals(name) || v.name().equals(name)))
        .toList();
  }

  private static String target(Needs needs) {
    return Text.count(needs.keys(), "key")
        + (needs.rate().isPresent()
            ? " at " + Text.percent(needs.rate().getAsDouble())
            : " in " + Text.size(needs.budget().orElseThrow() / Byte.SIZE));
  }

  private static String refusal(String sentence, Variant variant) {
    String only =
        variant.meets().contains(Need.RANGES)
            ? "; bloom build --ranges L builds it"
            : "; this command has only keys";
    return (sentence + only).formatted(variant.name(), variant.refusal().orElseThrow());
  }

  public String name() {
    return plan.name();
  }

  public FilterKind<?> kind() {
    return plan.kind();
  }

  public Shape shape() {
    return plan.shape();
  }

  /** The shape of this variant for another rate; empty if no shape has that rate. */
  public Optional<Shape> shape(double rate) {
    return rate < Needs.lowestRate(needs.keys())
        ? Optional.empty()
        : plan.variant().fit(Needs.forKeys(needs.keys(), rate)).shape();
  }

  /** Why this variant was chosen; null if the user named it. */
  public @Nullable String why() {
    return named ? null : plan.why();
  }

  /** The false-positive rate at the expected number of keys. */
  public double promisedRate() {
    return needs.rate().orElseGet(plan::predictedRate);
  }

  /** Returns this choice; fails if its filter cannot be built from keys alone. */
  public FilterChoice requireFillable() {
    if (plan.variant().refusal().isPresent()) {
      throw new Problem(refusal("kind %s %s", plan.variant()));
    }
    return this;
  }

  /** Returns this choice; fails if its filter does not answer for ranges. */
  public FilterChoice requireOrdered() {
    if (!plan.variant().meets().contains(Need.RANGES)) {
      throw new Problem("kind %s does not answer for ranges; leave out --ranges".formatted(name()));
    }
    return this;
  }

  /** Starts building the filter of ordered keys. */
  public RangeFilterBuilder rangeBuilder(Hasher hasher) {
    return plan.rangeBuilder(hasher);
  }

  /** Starts building the filter. */
  public FilterBuilder builder(Hasher hasher, int threads) {
    return requireFillable().plan.builder(hasher, threads);
  }

  /** Starts building a filter of this variant with another shape, on one thread. */
  public FilterBuilder builder(Shape other) {
    return requireFillable().plan.variant().builder(other, Hasher.xxh3(), 1);
  }

  /** Whether the filter counts repeated keys. */
  public boolean counts() {
    return FrequencyFilter.class.isAssignableFrom(kind().type());
  }

  /** Whether all keys must be known before the filter can be built. */
  public boolean isStatic() {
    return plan.variant().isStatic();
  }

  /** Whether each key must be added only once: the set is static, or would store duplicates. */
  public boolean holdsEachKeyOnce() {
    return isStatic() || plan.variant().wantsDistinctKeys();
  }

  /** Whether filters of a kind should be given each key only once. */
  public static boolean wantsDistinctKeys(FilterKind<?> kind) {
    return kind.variants().stream().anyMatch(Variant::wantsDistinctKeys);
  }

  /** Whether threads may add at the same time, in any order. */
  public boolean isParallel() {
    return isParallel(Stream.of(plan.variant()));
  }

  /** Whether threads may add to filters of a kind at the same time, in any order. */
  public static boolean isParallel(FilterKind<?> kind) {
    return !kind.variants().isEmpty() && isParallel(kind.variants().stream());
  }

  private static boolean isParallel(Stream<Variant> variants) {
    return variants.allMatch(v -> v.supports(Writers.MANY) && !v.orderMatters());
  }

  /** Whether old keys are forgotten when more keys are added than expected. */
  public boolean forgets() {
    return plan.variant().meets().contains(Need.WINDOW);
  }

  /** Finishes the filter. */
  public static HashedFilter build(FilterBuilder builder) {
    try {
      return builder.build();
    } catch (IOException e) {
      throw Problem.with("temporary file of hashes", e);
    }
  }
}
