package io.bloomery.contract;

import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Keys;
import io.bloomery.weighted.ClassShape;
import io.bloomery.weighted.GeneralizedBloomFilter;
import io.bloomery.weighted.GeneralizedShape;
import io.bloomery.weighted.PopularityBloomFilter;
import io.bloomery.weighted.PopularityShape;
import io.bloomery.weighted.RetouchedBloomFilter;
import io.bloomery.weighted.VariableSignatureFilter;
import io.bloomery.weighted.VariableSignatureShape;
import io.bloomery.weighted.WeightedBloomFilter;
import io.bloomery.weighted.WeightedShape;
import io.bloomery.weighted.Weights;
import java.util.List;
import java.util.Map;

/**
 * The filters that weigh their keys that the contracts run over. Some lose keys by design: here a
 * retouched filter has all its bits, a generalized one resets none, and the slack of signatures is
 * wide; their own tests have what they lose.
 */
final class WeightedSubjects {

  /** Hot keys that the contracts neither add nor query; others are taken for them. */
  private static final long[] HOT = Keys.members(2_000, 4712);

  private static final long[] OTHER_HOT = Keys.members(2_000, 4713);

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
        variableSignature(14, 12),
        weighted(IndexScheme.ENHANCED_DOUBLE, 6, 13, 5),
        weighted(IndexScheme.INDEPENDENT, 7, 12, 8),
        weighted(IndexScheme.TRIPLE, 8, 2, 3),
        popularity(IndexScheme.ENHANCED_DOUBLE, 6),
        popularity(IndexScheme.INDEPENDENT, 9));
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

  private static Weights weights(long[] hot, Hasher hasher) {
    return Weights.zipf(hot, 1, hasher);
  }

  /** Nothing is said about queries for hot keys, since the contracts have none. */
  private static ClassShape.HashClass hot(int hashes, int keys) {
    return new ClassShape.HashClass(hashes, keys, 0, 0);
  }

  private static Subject weighted(IndexScheme scheme, int cold, int hot, int cellBits) {
    WeightedShape shape = WeightedShape.of(95_900, scheme, cold, hot(hot, HOT.length), cellBits);
    WeightedShape larger = WeightedShape.of(95_907, scheme, cold, hot(hot, HOT.length), cellBits);
    WeightedShape more = WeightedShape.of(95_900, scheme, cold, hot(hot + 1, HOT.length), cellBits);
    return Subjects.addable(
        "weighted " + scheme,
        WeightedBloomFilter.KIND,
        hasher -> WeightedBloomFilter.create(shape, weights(HOT, hasher)),
        Map.of(
            "bits=95907",
            hasher -> WeightedBloomFilter.create(larger, weights(HOT, hasher)),
            "hashesPerKey=" + (hot + 1),
            hasher -> WeightedBloomFilter.create(more, weights(HOT, hasher)),
            "listedKeys",
            hasher -> WeightedBloomFilter.create(shape, weights(OTHER_HOT, hasher))),
        true);
  }

  private static Subject popularity(IndexScheme scheme, int cellBits) {
    List<ClassShape.HashClass> classes = List.of(hot(14, 100), hot(11, 900), hot(3, 1_000));
    PopularityShape shape = PopularityShape.of(95_900, scheme, 7, classes, cellBits);
    PopularityShape fewer = PopularityShape.of(95_900, scheme, 6, classes, cellBits);
    return Subjects.addable(
        "popularity " + scheme,
        PopularityBloomFilter.KIND,
        hasher -> PopularityBloomFilter.create(shape, weights(HOT, hasher)),
        Map.of(
            "hashesPerKey=6",
            hasher -> PopularityBloomFilter.create(fewer, weights(HOT, hasher)),
            "listedKeys",
            hasher -> PopularityBloomFilter.create(shape, weights(OTHER_HOT, hasher))),
        true);
  }
}
