package io.bloomery.contract;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The kinds of {@code io.bloomery.membership}. */
final class MembershipSubjects {

  private static final double RATE = 0.01;

  private static final List<Subject> ALL = new ArrayList<>();

  static {
    for (IndexScheme scheme : IndexScheme.values()) {
      lockFree(
          "bloom " + scheme,
          BloomFilter.KIND,
          hasher -> bloom(hasher, scheme, 95_900, 7),
          Map.of(
              "95907", hasher -> bloom(hasher, scheme, 95_907, 7),
              "6", hasher -> bloom(hasher, scheme, 95_900, 6)));
    }
    for (int width : new int[] {64, 128, 256, 512}) {
      lockFree(
          "blocked " + width,
          BlockedBloomFilter.KIND,
          hasher -> blocked(hasher, width, Subject.KEYS),
          Map.of(
              "blocks", hasher -> blocked(hasher, width, Subject.KEYS / 2),
              "blockBits", hasher -> blocked(hasher, width == 64 ? 512 : width / 2, Subject.KEYS)));
    }
    lockFree(
        "split-block",
        SplitBlockBloomFilter.KIND,
        hasher -> SplitBlockBloomFilter.create(new SplitBlockShape(411), hasher),
        Map.of("412", hasher -> SplitBlockBloomFilter.create(new SplitBlockShape(412), hasher)));
    for (int groups = 1; groups <= 3; groups++) {
      int g = groups;
      lockFree(
          "bloom-" + g,
          BloomGFilter.KIND,
          hasher -> BloomGFilter.create(new WordShape(1_700, 64, g, 6), hasher),
          Map.of(
              "hashesPerKey",
              hasher -> BloomGFilter.create(new WordShape(1_700, 64, g, 7), hasher)));
    }
    for (int width : new int[] {32, 72}) {
      lockFree(
          "bloom-2 of " + width,
          BloomGFilter.KIND,
          hasher -> BloomGFilter.create(new WordShape(110_000 / width, width, 2, 6), hasher),
          Map.of(
              "wordBits",
              hasher -> BloomGFilter.create(new WordShape(110_000 / width, 64, 2, 6), hasher)));
    }
    for (int choices = 2; choices <= 4; choices += 2) {
      TwoChoiceShape shape = TwoChoiceShape.forKeys(Subject.KEYS, RATE, choices);
      TwoChoiceShape smaller = TwoChoiceShape.forKeys(Subject.KEYS / 2, RATE, choices);
      TwoChoiceShape more = TwoChoiceShape.forKeys(Subject.KEYS, RATE, choices + 1);
      lockFree(
          choices + "-choice",
          TwoChoiceBloomFilter.KIND,
          hasher -> TwoChoiceBloomFilter.create(shape, hasher),
          Map.of(
              "bits", hasher -> TwoChoiceBloomFilter.create(smaller, hasher),
              "choices", hasher -> TwoChoiceBloomFilter.create(more, hasher)));
    }
    lockFree(
        "striped",
        StripedBloomFilter.KIND,
        hasher -> StripedBloomFilter.create(new StripedShape(16, 6_000, 7), hasher),
        Map.of(
            "15", hasher -> StripedBloomFilter.create(new StripedShape(15, 6_000, 7), hasher),
            "6001", hasher -> StripedBloomFilter.create(new StripedShape(16, 6_001, 7), hasher)));
    for (int width : new int[] {64, 72}) {
      AlphaShape shape = new AlphaShape(110_000 / width, width, 6, 0.5);
      ALL.add(
          new Subject(
              "bloom-alpha of " + width,
              BloomAlphaFilter.KIND,
              (hasher, hashes) -> BloomAlphaFilter.ofHashes(hashes, shape, hasher),
              Map.of(),
              true));
    }
    frozen(
        "sorted-hashes",
        SortedHashList.KIND,
        (hasher, hashes) -> SortedHashList.ofHashes(hashes, 20, hasher));
    frozen(
        "hash-selection",
        HashSelectionFilter.KIND,
        (hasher, hashes) ->
            HashSelectionFilter.ofHashes(
                hashes, new HashSelectionShape(80_000, 6, 500, 16), hasher));
    frozen(
        "best-of",
        BestOfFilter.KIND,
        (hasher, hashes) -> BestOfFilter.ofHashes(hashes, new BestOfShape(95_900, 7, 4), hasher));
    lockFree(
        "removed-pair",
        RemovedPairFilter.KIND,
        hasher -> RemovedPairFilter.create(new RemovedPairShape(95_900, 7, 95_900, 7), hasher),
        Map.of());
    for (int itemBits : new int[] {0, 11, 64}) {
      ALL.add(
          Subjects.addable(
              "memory-optimized " + itemBits,
              MemoryOptimizedFilter.KIND,
              hasher -> memoryOptimized(hasher, itemBits, 4),
              Map.of("hashesPerKey", hasher -> memoryOptimized(hasher, itemBits, 5)),
              false));
    }
    dLeft(new DLeftFingerprintShape(2, 1_000, 1));
    dLeft(new DLeftFingerprintShape(3, 700, 1));
    dLeft(new DLeftFingerprintShape(4, 300, 2));
  }

  private MembershipSubjects() {}

  static List<Subject> all() {
    return ALL;
  }

  private static BloomFilter bloom(Hasher hasher, IndexScheme scheme, long bits, int probes) {
    return BloomFilter.create(BloomShape.of(bits, probes, scheme), hasher);
  }

  private static BlockedBloomFilter blocked(Hasher hasher, int width, long keys) {
    return BlockedBloomFilter.create(BlockShape.forKeys(keys, RATE, width), hasher);
  }

  private static MemoryOptimizedFilter memoryOptimized(Hasher hasher, int itemBits, int probes) {
    return MemoryOptimizedFilter.create(
        new MemoryOptimizedShape(1_000_000, probes, itemBits, 0), hasher);
  }

  private static void dLeft(DLeftFingerprintShape shape) {
    ALL.add(
        Subjects.addable(
            "d-left-fingerprint " + shape.tables() + " " + shape.bucketWords(),
            DLeftFingerprintFilter.KIND,
            hasher -> DLeftFingerprintFilter.create(shape, hasher),
            Map.of(),
            false));
  }

  /** A kind that is built once. */
  private static void frozen(String name, FilterKind<?> kind, Subject.Maker maker) {
    ALL.add(new Subject(name, kind, maker, Map.of(), false));
  }

  private static void lockFree(
      String name,
      FilterKind<?> kind,
      Function<Hasher, AddableFilter> empty,
      Map<String, Function<Hasher, AddableFilter>> otherShapes) {
    ALL.add(Subjects.addable(name, kind, empty, otherShapes, true));
  }
}
