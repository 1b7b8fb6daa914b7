package io.bloomery.contract;

import io.bloomery.membership.BloomShape;
import io.bloomery.weighted.GeneralizedBloomFilter;
import io.bloomery.weighted.GeneralizedShape;
import io.bloomery.weighted.RetouchedBloomFilter;
import io.bloomery.weighted.VariableSignatureFilter;
import io.bloomery.weighted.VariableSignatureShape;
import java.util.List;
import java.util.Map;

/**
 * The filters that weigh their keys that the contracts run over. Some lose keys by design: here a
 * retouched filter has all its bits, a generalized one resets none, and the slack of signatures is
 * wide; their own tests have what they lose.
 */
final class WeightedSubjects {

  private WeightedSubjects() {}

  static List<Subject> all() {
    return List.of(
        Subjects.addable(
            "retouched, not yet cleared",
            RetouchedBloomFilter.KIND,
            hasher -> RetouchedBloomFilter.create(BloomShape.of(95_900, 7), hasher),
            Map.of(),
            true),
        Subjects.addable(
            "generalized, without resets",
            GeneralizedBloomFilter.KIND,
            hasher -> GeneralizedBloomFilter.create(new GeneralizedShape(95_900, 0, 7), hasher),
            Map.of(),
            true),
        variableSignature(12, 12),
        variableSignature(14, 12));
  }

  /** With so much slack that a few removals lose no other key. */
  private static Subject variableSignature(int hashesPerKey, int signatureBits) {
    return Subjects.addable(
        "variable-signature " + signatureBits + " of " + hashesPerKey,
        VariableSignatureFilter.KIND,
        hasher ->
            VariableSignatureFilter.create(
                new VariableSignatureShape(700_000, hashesPerKey, signatureBits, 6), hasher),
        Map.of(),
        true);
  }
}
