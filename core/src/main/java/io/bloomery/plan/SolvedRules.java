package io.bloomery.plan;

import io.bloomery.frozen.FuseShape;
import io.bloomery.frozen.XorShape;
import io.bloomery.internal.numeric.FingerprintMath;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the planner knows of the filters that a peeling solver builds. */
final class SolvedRules {

  private static final String FROZEN = "io.bloomery.frozen.";

  private SolvedRules() {}

  static List<PlanRule<?>> all() {
    return List.of(
        RuleParts.rule(
            "fuse",
            FROZEN + "FuseFilter",
            Set.of(Need.FROZEN_SET),
            RuleParts.sized(
                needs -> FuseShape.forKeys(needs.keys(), RuleParts.rate(needs)),
                needs -> FuseShape.forBudget(needs.keys(), RuleParts.bits(needs))),
            FuseShape::arity,
            FuseShape::arity,
            "Three fingerprints near each other: fast to build and to ask, and smaller than any"
                + " Bloom filter for a set that never changes"),
        RuleParts.rule(
            "fuse-4",
            FROZEN + "FuseFilter",
            Set.of(Need.FROZEN_SET),
            needs -> Optional.of(four(needs)),
            FuseShape::arity,
            FuseShape::arity,
            "Four fingerprints a key take 4.5 % less memory than three, for one more memory"
                + " access"),
        RuleParts.rule(
            "xor",
            FROZEN + "XorFilter",
            Set.of(Need.FROZEN_SET),
            RuleParts.sized(
                needs -> XorShape.forKeys(needs.keys(), RuleParts.rate(needs)),
                needs -> XorShape.forBudget(needs.keys(), RuleParts.bits(needs))),
            shape -> XorShape.ARITY,
            shape -> XorShape.ARITY,
            "Three fingerprints far from each other, 1.23 cells per key however few keys there"
                + " are"));
  }

  private static FuseShape four(Needs needs) {
    long keys = needs.keys();
    int bits =
        needs.rate().isPresent()
            ? FingerprintMath.bitsFor(keys, RuleParts.rate(needs))
            : FingerprintMath.bitsForBudget(
                FuseShape.forKeys(keys, 1, 4).cells(), RuleParts.bits(needs), keys);
    return FuseShape.forKeys(keys, bits, 4);
  }
}
