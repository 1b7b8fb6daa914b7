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
  private final Variant variant;
  private final int rank;
  private final String text;

  /** Explains a variant, or the best variant of a kind, given its name. */
  PlanExplanation(PlanRun run, String name) {
    this.run = run;
    Optional<FilterKind<?>> unplanned = unplanned(name);
    this.variant = unplanned.isPresent() ? null : variant(name);
    this.name = unplanned.isPresent() ? name : variant.name();
    this.rank = unplanned.isPresent() ? 0 : rank();
    this.text =
        this.name
            + unplanned
                .map(kind -> MISSING + "it " + kind.refusal().orElseThrow() + ".")
                .orElseGet(() -> rank > 0 ? listed() : missing());
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
  private Variant variant(String name) {
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

  private int rank() {
    List<Plan> plans = run.plans();
    for (int i = 0; i < plans.size(); i++) {
      if (plans.get(i).name().equals(variant.name())) {
        return i + 1;
      }
    }
    return 0;
  }

  private String listed() {
    return " is number %d of %d: ".formatted(rank, run.plans().size())
        + uncapitalised(run.plans().get(rank - 1).why());
  }

  private String missing() {
    String lacks =
        run.needs().all().stream()
            .filter(need -> need.isRequired() && !variant.meets().contains(need))
            .map(Need::words)
            .collect(Collectors.joining(" or "));
    if (!lacks.isEmpty()) {
      return MISSING + "it does not support " + lacks + ".";
    }
    if (!variant.isOffered()) {
      return MISSING + "others do better whatever is needed; build it with --kind " + name + ".";
    }
    for (Plan plan : run.leftOut()) {
      if (plan.name().equals(variant.name())) {
        return (MISSING + "it takes %s, more than %s.")
            .formatted(Text.size(PlanRun.bytes(plan)), Text.size(run.ram().orElseThrow()));
      }
    }
    return MISSING + cause() + ".";
  }

  /** What would have to change; the simplest change that helps. */
  private String cause() {
    Needs needs = run.needs();
    long universe = needs.universe().orElse(2 * needs.keys());
    List<Need> more = Arrays.stream(Need.values()).filter(need -> !needs.has(need)).toList();
    for (Need need : more) {
      if (applies(needs.with(need))) {
        return "it is a filter for " + need.words() + "; see " + NeedOptions.option(need);
      }
    }
    if (applies(needs.withUniverse(needs.keys()))) {
      return needs.universe().isEmpty()
          ? "it pays where few more keys can exist; say how many with --universe"
          : "it does not pay for a universe of that size";
    }
    for (Need need : more) {
      if (applies(needs.with(need).withUniverse(universe))) {
        return "it is a filter for %s of known size; see %s and --universe"
            .formatted(need.words(), NeedOptions.option(need));
      }
    }
    for (Need one : more) {
      for (Need two : more) {
        if (applies(needs.with(one).with(two))) {
          return "it is a filter for %s and %s; see %s and %s"
              .formatted(
                  one.words(), two.words(), NeedOptions.option(one), NeedOptions.option(two));
        }
      }
    }
    return "it cannot have such a size: " + sizeProblem(needs.withUniverse(universe));
  }

  private boolean applies(Needs needs) {
    return variant.isOfferedFor(needs) && sizeProblem(needs).isEmpty();
  }

  /** Why the variant has no shape for this many keys; empty if it has one. */
  private String sizeProblem(Needs needs) {
    return variant.fit(needs).reason();
  }

  private static String uncapitalised(String sentence) {
    return Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1);
  }
}
