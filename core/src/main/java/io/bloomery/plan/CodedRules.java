package io.bloomery.plan;

import io.bloomery.frozen.CompressedShape;
import io.bloomery.frozen.GolombShape;
import java.util.List;
import java.util.Set;

/** What the planner knows of the coded and compressed filters. */
final class CodedRules {

  private static final String FROZEN = "io.bloomery.frozen.";

  private CodedRules() {}

  static List<PlanRule<?>> all() {
    return List.of(
        new PlanRule<>(
            "golomb-coded",
            FROZEN + "GolombCodedSet",
            Set.of(),
            RuleParts.where(
                Set.of(Need.FROZEN_SET),
                RuleParts.sized(
                    needs -> GolombShape.forKeys(needs.keys(), RuleParts.rate(needs)),
                    needs -> GolombShape.forBudget(needs.keys(), RuleParts.bits(needs)))),
            CodedRules::blockLines,
            CodedRules::blockWords,
            true,
            "Gaps between sorted hashes take little more than log2(1/rate) bits each, and a query"
                + " decodes half of a block of them"),
        new PlanRule<>(
            "compressed-bloom",
            FROZEN + "CompressedBloomFilter",
            Set.of(),
            RuleParts.where(
                Set.of(Need.TRANSFER),
                RuleParts.sized(
                    needs -> CompressedShape.forKeys(needs.keys(), RuleParts.rate(needs)),
                    CodedRules::compressedForBudget)),
            CompressedShape::probes,
            CompressedShape::probes,
            true,
            "Sparse in memory and coded when it is sent, it makes a smaller message than a plain"
                + " Bloom filter of the same rate; its size here is that of the message"));
  }

  private static CompressedShape compressedForBudget(Needs needs) {
    long sent = RuleParts.bits(needs);
    long most = Math.min(Shape.MAX_BITS, CompressedShape.DEFAULT_EXPANSION * sent);
    return CompressedShape.forBudget(needs.keys(), sent, Math.max(2, most));
  }

  private static int blockWords(GolombShape shape) {
    return 3 + (int) Math.ceil(shape.codeBits() * shape.blockKeys() / Long.SIZE);
  }

  private static int blockLines(GolombShape shape) {
    return 2 + (int) Math.ceil(shape.codeBits() * shape.blockKeys() / 512);
  }
}
