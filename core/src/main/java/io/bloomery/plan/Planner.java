package io.bloomery.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

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

  private static final String MEMBERSHIP = "io.bloomery.membership.";

  private static final Planner STANDARD = new Planner(standardRules());

  private final List<PlanRule<?>> rules;

  private Planner(List<PlanRule<?>> rules) {
    this.rules = List.copyOf(rules);
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
    List<PlanRule<?>> rules = new ArrayList<>();
    for (int width : new int[] {64, 128, 256, 512}) {
      rules.add(blocked(width));
    }
    rules.add(
        rule(
            "split-block",
            "SplitBlockBloomFilter",
            sized(
                needs -> SplitBlockShape.forKeys(needs.keys(), rate(needs)),
                needs -> SplitBlockShape.forBudget(bits(needs))),
            shape -> 1,
            shape -> BlockMath.SPLIT_BLOCK_BITS / 64,
            "One cache line a query in the layout that Parquet and Impala read"));
    rules.add(
        rule(
            "bloom-g",
            "BloomGFilter",
            sized(
                needs -> WordShape.forKeys(needs.keys(), rate(needs), 64, 2),
                needs -> WordShape.forBudget(needs.keys(), bits(needs), 64, 2)),
            WordShape::groups,
            WordShape::groups,
            "Two words a query, nearly as small as a standard Bloom filter"));
    rules.add(
        rule(
            "bloom",
            "BloomFilter",
            sized(
                needs -> BloomShape.forKeys(needs.keys(), rate(needs)),
                needs -> BloomShape.forBudget(needs.keys(), bits(needs))),
            BloomShape::probes,
            BloomShape::probes,
            "The smallest of the plain bit filters, with union, intersection and halving, for a"
                + " cache line a probe"));
    rules.add(
        rule(
            "partitioned",
            "BloomFilter",
            sized(
                needs -> BloomShape.partitionedForKeys(needs.keys(), rate(needs)),
                needs -> BloomShape.partitionedForBudget(needs.keys(), bits(needs))),
            BloomShape::probes,
            BloomShape::probes,
            "A slice for each probe, which hardware or threads can read in parallel"));
    rules.add(
        rule(
            "two-choice",
            "TwoChoiceBloomFilter",
            sized(
                needs -> TwoChoiceShape.forKeys(needs.keys(), rate(needs)),
                needs -> TwoChoiceShape.forBudget(needs.keys(), bits(needs))),
            shape -> 2 * shape.probes(),
            shape -> 2 * shape.probes(),
            "Smaller than a standard Bloom filter for rates below about 0.6 %, for twice the"
                + " memory accesses"));
    rules.add(
        new PlanRule<>(
            "direct",
            MEMBERSHIP + "DirectBitSet",
            Set.of(Need.DELETES),
            Planner::direct,
            shape -> 1,
            shape -> 1,
            false,
            "The universe is so small that one bit for each value takes less than a Bloom filter"
                + " and never errs"));
    rules.add(
        rule(
            "sorted-hashes",
            "SortedHashList",
            needs -> needs.has(Need.FROZEN_SET) ? hashList(needs) : Optional.empty(),
            Planner::binarySearchLines,
            Planner::binarySearchLines,
            "A sorted list of hashes for a set that never changes, simple and mergeable"));
    return rules;
  }

  private static PlanRule<BlockShape> blocked(int width) {
    return rule(
        "blocked-" + width,
        "BlockedBloomFilter",
        sized(
            needs -> BlockShape.forKeys(needs.keys(), rate(needs), width),
            needs -> BlockShape.forBudget(needs.keys(), bits(needs), width)),
        shape -> 1,
        BlockShape::wordsPerKey,
        "One cache line a query, with all bits of a key in a block of " + width + " bits");
  }

  private static <S extends Shape> PlanRule<S> rule(
      String kind,
      String className,
      Function<Needs, Optional<S>> sizer,
      ToIntFunction<S> cacheLines,
      ToIntFunction<S> words,
      String why) {
    return new PlanRule<>(
        kind, MEMBERSHIP + className, Set.of(), sizer, cacheLines, words, true, why);
  }

  private static <S extends Shape> Function<Needs, Optional<S>> sized(
      Function<Needs, S> forRate, Function<Needs, S> forBudget) {
    return needs -> Optional.of((needs.rate().isPresent() ? forRate : forBudget).apply(needs));
  }

  private static Optional<DirectShape> direct(Needs needs) {
    if (needs.universe().isEmpty()) {
      return Optional.empty();
    }
    long universe = needs.universe().getAsLong();
    boolean fits =
        needs.rate().isPresent()
            ? DirectShape.isRecommended(needs.keys(), rate(needs), universe)
            : universe <= bits(needs);
    return fits ? Optional.of(new DirectShape(universe)) : Optional.empty();
  }

  private static Optional<SortedHashShape> hashList(Needs needs) {
    return Optional.of(
        needs.rate().isPresent()
            ? SortedHashShape.forKeys(needs.keys(), rate(needs))
            : SortedHashShape.forBudget(needs.keys(), bits(needs)));
  }

  private static int binarySearchLines(SortedHashShape shape) {
    return 64 - Long.numberOfLeadingZeros((shape.sizeInBits() + 511) / 512);
  }

  private static double rate(Needs needs) {
    return needs.rate().orElseThrow();
  }

  private static long bits(Needs needs) {
    return needs.budget().orElseThrow();
  }
}
