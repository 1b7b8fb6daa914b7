package io.bloomery.cli.plan;

import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.Variant;
import io.bloomery.cli.option.NeedOptions;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.problem.Suggestion;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Why a kind of filter has its rank among the plans, or is not listed. */
final class PlanExplanation {

  private static final String MISSING = " is not in the list: ";

  private final PlanRun run;
  private final String name;
  private final int rank;
  private final String text;

  /** Explains a variant, or the best variant of a kind, given its name. */
  PlanExplanation(PlanRun run, String name) {
    this.run = run;
    Optional<FilterKind<?>> unplanned = unplanned(name);
    if (unplanned.isPresent()) {
      this.name = name;
      this.rank = 0;
      this.text = name + MISSING + "it " + unplanned.get().refusal().orElseThrow() + ".";
    } else {
      Variant variant = variant(run, name);
      this.name = variant.name();
      this.rank = rank(run, variant);
      this.text = this.name + (rank > 0 ? listed(run, rank) : missing(run, variant));
    }
  }

  private static Optional<FilterKind<?>> unplanned(String name) {
    return Filters.kinds().stream()
        .filter(kind -> kind.name().equals(name) && kind.refusal().isPresent())
        .findFirst();
  }

  /** Whether the kind is listed among the plans. */
  boolean isListed() {
    return rank > 0;
  }

  /** The explanation as a sentence. */
  String text() {
    return text;
  }

  /** The explanation as JSON. */
  String json() {
    return new Report()
        .value("kind", name)
        .value("listed", isListed())
        .value("rank", isListed() ? rank : null)
        .value("plan", isListed() ? PlanReport.facts(run.plans().get(rank - 1)) : null)
        .value("explanation", text)
        .json();
  }

  /** The variant with this name, or the first listed variant of the kind with this name. */
  private static Variant variant(PlanRun run, String name) {
    Stream<Variant> exact =
        Planner.standard().variants().stream().filter(variant -> variant.name().equals(name));
    Stream<Variant> listed =
        run.plans().stream().filter(plan -> plan.kind().name().equals(name)).map(Plan::variant);
    Stream<Variant> any =
        Filters.kinds().stream()
            .filter(kind -> kind.name().equals(name))
            .flatMap(kind -> kind.variants().stream());
    return Stream.of(exact, listed, any)
        .flatMap(variants -> variants)
        .findFirst()
        .orElseThrow(
            () -> new Problem(Suggestion.unknown("--explain", name, Planner.standard().names())));
  }

  private static int rank(PlanRun run, Variant variant) {
    List<Plan> plans = run.plans();
    for (int i = 0; i < plans.size(); i++) {
      if (plans.get(i).name().equals(variant.name())) {
        return i + 1;
      }
    }
    return 0;
  }

  private static String listed(PlanRun run, int rank) {
    return " is number %d of %d: ".formatted(rank, run.plans().size())
        + uncapitalised(run.plans().get(rank - 1).why());
  }

  private static String missing(PlanRun run, Variant variant) {
    String lacks =
        run.needs().all().stream()
            .filter(need -> need.isRequired() && !variant.meets().contains(need))
            .map(Need::words)
            .collect(Collectors.joining(" or "));
    if (!lacks.isEmpty()) {
      return MISSING + "it does not support " + lacks + ".";
    }
    if (!variant.isOffered()) {
      return MISSING
          + "others do better for every need; build it with --kind "
          + variant.name()
          + ".";
    }
    for (Plan plan : run.leftOut()) {
      if (plan.name().equals(variant.name())) {
        return (MISSING + "it takes %s, more than %s.")
            .formatted(Text.size(PlanRun.bytes(plan)), Text.size(run.ram().orElseThrow()));
      }
    }
    return MISSING + cause(run.needs(), variant) + ".";
  }

  /** What would have to change; the simplest change that helps. */
  private static String cause(Needs needs, Variant variant) {
    long universe = needs.universe().orElse(2 * needs.keys());
    List<Need> more = Arrays.stream(Need.values()).filter(need -> !needs.has(need)).toList();
    for (Need need : more) {
      if (applies(variant, needs.with(need))) {
        return "it is a filter for " + need.words() + "; see " + NeedOptions.option(need);
      }
    }
    if (applies(variant, needs.withUniverse(needs.keys()))) {
      return needs.universe().isEmpty()
          ? "it pays only if few other keys can exist; give the number of all keys with --universe"
          : "it does not pay for a universe of that size";
    }
    for (Need need : more) {
      if (applies(variant, needs.with(need).withUniverse(universe))) {
        return "it is a filter for %s of known size; see %s and --universe"
            .formatted(need.words(), NeedOptions.option(need));
      }
    }
    for (Need one : more) {
      for (Need two : more) {
        if (applies(variant, needs.with(one).with(two))) {
          return "it is a filter for %s and %s; see %s and %s"
              .formatted(
                  one.words(), two.words(), NeedOptions.option(one), NeedOptions.option(two));
        }
      }
    }
    return "it cannot have such a size: " + sizeProblem(variant, needs.withUniverse(universe));
  }

  private static boolean applies(Variant variant, Needs needs) {
    return variant.isOfferedFor(needs) && sizeProblem(variant, needs).isEmpty();
  }

  /** Why the variant has no shape for this many keys; empty if it has one. */
  private static String sizeProblem(Variant variant, Needs needs) {
    return variant.fit(needs).reason();
  }

  private static String uncapitalised(String sentence) {
    return Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1);
  }
}
