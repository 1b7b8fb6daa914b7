package io.bloomery.plan;

import io.bloomery.membership.DirectShape;
import io.bloomery.membership.SortedHashShape;
import io.bloomery.membership.SplitBlockShape;
import io.bloomery.membership.TwoChoiceShape;
import io.bloomery.membership.WordShape;
import io.bloomery.theory.BlockMath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** What the planner knows of the kinds of {@code io.bloomery.membership}. */
final class MembershipRules {

  private static final String MEMBERSHIP = "io.bloomery.membership.";

  private MembershipRules() {}

  static List<PlanRule<?>> all() {
    List<PlanRule<?>> rules = new ArrayList<>();
    rules.add(
        rule(
            "split-block",
            "SplitBlockBloomFilter",
            RuleParts.sized(
                needs -> SplitBlockShape.forKeys(needs.keys(), RuleParts.rate(needs)),
                needs -> SplitBlockShape.forBudget(RuleParts.bits(needs))),
            shape -> 1,
            shape -> BlockMath.SPLIT_BLOCK_BITS / 64,
            "One cache line a query in the layout that Parquet and Impala read"));
    rules.add(
        rule(
            "bloom-g",
            "BloomGFilter",
            RuleParts.sized(
                needs -> WordShape.forKeys(needs.keys(), RuleParts.rate(needs), 64, 2),
                needs -> WordShape.forBudget(needs.keys(), RuleParts.bits(needs), 64, 2)),
            WordShape::groups,
            WordShape::groups,
            "Two words a query, nearly as small as a standard Bloom filter"));
    rules.add(
        rule(
            "two-choice",
            "TwoChoiceBloomFilter",
            RuleParts.sized(
                needs -> TwoChoiceShape.forKeys(needs.keys(), RuleParts.rate(needs)),
                needs -> TwoChoiceShape.forBudget(needs.keys(), RuleParts.bits(needs))),
            shape -> 2 * shape.probes(),
            shape -> 2 * shape.probes(),
            "Smaller than a standard Bloom filter for rates below about 0.6 %, for twice the"
                + " memory accesses"));
    rules.add(
        new PlanRule<>(
            "direct",
            MEMBERSHIP + "DirectBitSet",
            Set.of(Need.DELETES),
            MembershipRules::direct,
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
            MembershipRules::binarySearchLines,
            MembershipRules::binarySearchLines,
            "A sorted list of hashes for a set that never changes, simple and mergeable"));
    return rules;
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

  private static Optional<DirectShape> direct(Needs needs) {
    if (needs.universe().isEmpty()) {
      return Optional.empty();
    }
    long universe = needs.universe().getAsLong();
    boolean fits =
        needs.rate().isPresent()
            ? DirectShape.isRecommended(needs.keys(), RuleParts.rate(needs), universe)
            : universe <= RuleParts.bits(needs);
    return fits ? Optional.of(new DirectShape(universe)) : Optional.empty();
  }

  private static Optional<SortedHashShape> hashList(Needs needs) {
    return Optional.of(
        needs.rate().isPresent()
            ? SortedHashShape.forKeys(needs.keys(), RuleParts.rate(needs))
            : SortedHashShape.forBudget(needs.keys(), RuleParts.bits(needs)));
  }

  private static int binarySearchLines(SortedHashShape shape) {
    return 64 - Long.numberOfLeadingZeros((shape.sizeInBits() + 511) / 512);
  }
}
