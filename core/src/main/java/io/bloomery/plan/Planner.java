package io.bloomery.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which filter, and how large? Sizes every kind that meets the needs by its own formula and ranks
 * them.
 *
 * <p>The fewest cache lines a query come first. Among plans of equally many, those that read the
 * fewest words come first as long as they are within 4 % of the smallest of them, then the others
 * by size; so the first of the blocked filters is the one that {@link BlockShape#forKeys(long,
 * double)} chooses. Plans that take more than 1.5 times the memory of the smallest plan come after
 * all that do not. When the memory is given, the rates take the place of the sizes, as bits per key
 * of an ideal Bloom filter. Immutable.
 */
public final class Planner {

  /** How much more memory a plan may take for fewer words. */
  private static final double WORDS_TOLERANCE = BlockShape.WORDS_TOLERANCE;

  /** How much more memory a plan may take for fewer cache lines. */
  private static final double LINE_TOLERANCE = 1.5;

  private static final Planner STANDARD = new Planner(standardRules());

  private final List<PlanRule<?>> rules;

  private Planner(List<PlanRule<?>> rules) {
    this.rules = List.copyOf(rules);
  }

  /** A planner of these kinds alone. */
  static Planner of(List<PlanRule<?>> rules) {
    return new Planner(rules);
  }

  /**
   * The planner of all kinds of this library.
   *
   * @return the planner
   */
  public static Planner standard() {
    return STANDARD;
  }

  /**
   * This planner and one more kind.
   *
   * @param rule the kind
   * @return a new planner
   */
  public Planner with(PlanRule<?> rule) {
    List<PlanRule<?>> more = new ArrayList<>(rules);
    more.add(rule);
    return new Planner(more);
  }

  /**
   * The kinds that this planner knows.
   *
   * @return an unmodifiable list
   */
  public List<PlanRule<?>> rules() {
    return rules;
  }

  /**
   * Sizes and ranks the kinds that meet the needs.
   *
   * @param needs what the user knows
   * @return the plans, or a sentence that says which need no kind meets
   */
  public Plans plan(Needs needs) {
    Set<Need> required = EnumSet.noneOf(Need.class);
    needs.all().stream().filter(Need::isRequired).forEach(required::add);
    List<Plan> plans = new ArrayList<>();
    boolean met = false;
    for (PlanRule<?> rule : rules) {
      if (rule.meetsAll(required)) {
        met = true;
        rule.plan(needs).ifPresent(plans::add);
      }
    }
    if (plans.isEmpty()) {
      return new Plans(plans, unmet(needs, required, met));
    }
    return new Plans(rank(plans, plan -> cost(plan, needs)), "");
  }

  private static List<Plan> rank(List<Plan> plans, ToDoubleFunction<Plan> cost) {
    double most = LINE_TOLERANCE * plans.stream().mapToDouble(cost).min().orElseThrow();
    Map<Integer, Double> lean = new HashMap<>();
    for (Plan plan : plans) {
      lean.merge(plan.cacheLines(), WORDS_TOLERANCE * cost.applyAsDouble(plan), Math::min);
    }
    Predicate<Plan> wasteful = plan -> cost.applyAsDouble(plan) > lean.get(plan.cacheLines());
    List<Plan> ranked = new ArrayList<>(plans);
    ranked.sort(
        Comparator.comparing((Plan plan) -> cost.applyAsDouble(plan) > most)
            .thenComparingInt(Plan::cacheLines)
            .thenComparing(wasteful::test)
            .thenComparingInt(plan -> wasteful.test(plan) ? 0 : plan.words())
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

  private String unmet(Needs needs, Set<Need> required, boolean met) {
    List<Need> alone =
        required.stream()
            .filter(need -> rules.stream().noneMatch(rule -> rule.meetsAll(EnumSet.of(need))))
            .toList();
    if (!alone.isEmpty()) {
      return "No kind of filter here supports " + words(alone, " or ") + ".";
    }
    if (!met) {
      return "No kind of filter here supports " + words(required, " and ") + " together.";
    }
    String target =
        needs.rate().isPresent()
            ? "a rate of " + needs.rate().getAsDouble()
            : "a budget of " + needs.budget().orElseThrow() + " bits";
    String what = required.isEmpty() ? "holds " : "supports " + words(required, " and ") + " for ";
    return "No kind of filter here " + what + needs.keys() + " keys with " + target + ".";
  }

  private static String words(Iterable<Need> needs, String separator) {
    List<String> words = new ArrayList<>();
    needs.forEach(need -> words.add(need.words()));
    return words.stream().collect(Collectors.joining(separator));
  }

  private static List<PlanRule<?>> standardRules() {
    return Stream.of(
            MembershipRules.all(),
            CountingRules.all(),
            DeletionRules.all(),
            TableRules.all(),
            GrowingRules.all(),
            CountRules.all(),
            SketchRules.all(),
            WindowRules.all(),
            SolvedRules.all(),
            RibbonRules.all(),
            CodedRules.all(),
            CascadeRules.all(),
            MapRules.all(),
            BankRules.all())
        .flatMap(List::stream)
        .toList();
  }
}
