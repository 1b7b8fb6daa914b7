package io.bloomery;

import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.AlphaShape;
import io.bloomery.membership.BestOfFilter;
import io.bloomery.membership.BestOfShape;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomAlphaFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomGFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.membership.DLeftFingerprintFilter;
import io.bloomery.membership.DLeftFingerprintShape;
import io.bloomery.membership.DirectBitSet;
import io.bloomery.membership.DirectShape;
import io.bloomery.membership.HashSelectionFilter;
import io.bloomery.membership.HashSelectionShape;
import io.bloomery.membership.MemoryOptimizedFilter;
import io.bloomery.membership.MemoryOptimizedShape;
import io.bloomery.membership.RemovedPairFilter;
import io.bloomery.membership.RemovedPairShape;
import io.bloomery.membership.SortedHashList;
import io.bloomery.membership.SplitBlockBloomFilter;
import io.bloomery.membership.SplitBlockShape;
import io.bloomery.membership.StripedBloomFilter;
import io.bloomery.membership.StripedShape;
import io.bloomery.membership.TwoChoiceBloomFilter;
import io.bloomery.membership.TwoChoiceShape;
import io.bloomery.membership.WordShape;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Samples of the kinds of {@code io.bloomery.membership}. */
final class MembershipSamples {

  private MembershipSamples() {}

  // Shapes are written out, so that a better sizing rule does not change the golden files.
  static Map<String, Function<Hasher, Filter>> all() {
    Map<String, Function<Hasher, Filter>> makers = new TreeMap<>();
    added(
        makers,
        "bloom",
        hasher -> BloomFilter.create(BloomShape.of(230, 7, IndexScheme.ENHANCED_DOUBLE), hasher));
    added(
        makers,
        "blocked",
        hasher -> BlockedBloomFilter.create(new BlockShape(2, 128, 2, 6), hasher));
    added(
        makers,
        "split-block",
        hasher -> SplitBlockBloomFilter.create(new SplitBlockShape(1), hasher));
    added(makers, "bloom-g", hasher -> BloomGFilter.create(new WordShape(3, 128, 2, 5), hasher));
    makers.put(
        "bloom-alpha",
        hasher -> BloomAlphaFilter.ofHashes(hashes(hasher), new AlphaShape(5, 64, 5, 0.5), hasher));
    added(
        makers,
        "two-choice",
        hasher -> TwoChoiceBloomFilter.create(new TwoChoiceShape(250, 5), hasher));
    added(
        makers, "striped", hasher -> StripedBloomFilter.create(new StripedShape(5, 50, 4), hasher));
    makers.put("direct", hasher -> direct());
    makers.put("sorted-hashes", hasher -> SortedHashList.ofHashes(hashes(hasher), 12, hasher));
    makers.put(
        "hash-selection",
        hasher ->
            HashSelectionFilter.ofHashes(
                hashes(hasher), new HashSelectionShape(200, 5, 6, 16), hasher));
    makers.put(
        "best-of",
        hasher -> BestOfFilter.ofHashes(hashes(hasher), new BestOfShape(210, 6, 8), hasher));
    added(
        makers,
        "removed-pair",
        hasher -> RemovedPairFilter.create(new RemovedPairShape(210, 6, 130, 5), hasher));
    added(
        makers,
        "memory-optimized",
        hasher -> MemoryOptimizedFilter.create(MemoryOptimizedShape.of(150, 4), hasher));
    added(
        makers,
        "d-left-fingerprint",
        hasher -> DLeftFingerprintFilter.create(new DLeftFingerprintShape(2, 2, 1), hasher));
    return makers;
  }

  /** Files whose fields or sections differ from those of the kind's sample. */
  static Map<String, Function<Hasher, Filter>> otherLayouts() {
    Map<String, Function<Hasher, Filter>> makers = new TreeMap<>();
    added(
        makers,
        "bloom-quadratic",
        hasher -> BloomFilter.create(BloomShape.of(230, 7, IndexScheme.QUADRATIC), hasher));
    added(
        makers,
        "bloom-slices",
        hasher -> BloomFilter.create(BloomShape.of(230, 7, IndexScheme.SLICES), hasher));
    added(
        makers,
        "bloom-powers",
        hasher -> BloomFilter.create(BloomShape.of(256, 7, IndexScheme.POWERS), hasher));
    added(makers, "bloom-g-32", hasher -> BloomGFilter.create(new WordShape(9, 32, 2, 5), hasher));
    added(makers, "bloom-g-72", hasher -> BloomGFilter.create(new WordShape(3, 72, 1, 5), hasher));
    makers.put(
        "bloom-alpha-72",
        hasher -> BloomAlphaFilter.ofHashes(hashes(hasher), new AlphaShape(5, 72, 5, 0.5), hasher));
    added(
        makers,
        "two-choice-3",
        hasher -> TwoChoiceBloomFilter.create(new TwoChoiceShape(250, 5, 3), hasher));
    added(
        makers,
        "memory-optimized-fingerprints",
        hasher -> MemoryOptimizedFilter.create(new MemoryOptimizedShape(50, 2, 3, 20), hasher));
    added(
        makers,
        "memory-optimized-literal",
        hasher -> MemoryOptimizedFilter.create(MemoryOptimizedShape.literal(150, 4), hasher));
    return makers;
  }

  private static void added(
      Map<String, Function<Hasher, Filter>> makers,
      String kind,
      Function<Hasher, AddableFilter> empty) {
    makers.put(kind, hasher -> SampleFilters.filled(empty.apply(hasher)));
  }

  private static long[] hashes(Hasher hasher) {
    return SampleFilters.hashes(hasher);
  }

  private static DirectBitSet direct() {
    DirectBitSet set = DirectBitSet.create(new DirectShape(150));
    for (int i = 0; i < SampleFilters.KEYS; i++) {
      set.add(7L * i);
    }
    return set;
  }
}
