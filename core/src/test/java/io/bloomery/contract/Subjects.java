package io.bloomery.contract;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrequencyFilter;
import io.bloomery.HashedFilter;
import io.bloomery.Intersectable;
import io.bloomery.LookupFilter;
import io.bloomery.Mergeable;
import io.bloomery.RemovableFilter;
import io.bloomery.Storable;
import io.bloomery.deletable.DeletableBloomFilter;
import io.bloomery.deletable.VariableIncrementCountingFilter;
import io.bloomery.frequency.AdaptiveBloomFilter;
import io.bloomery.frequency.SpaceCodeFilter;
import io.bloomery.frozen.ExactZoneFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BankedBloomFilter;
import io.bloomery.membership.BankedShape;
import io.bloomery.membership.BestOfFilter;
import io.bloomery.membership.BestOfShape;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomAlphaFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomGFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.membership.DirectBitSet;
import io.bloomery.membership.HashSelectionFilter;
import io.bloomery.membership.HashSelectionShape;
import io.bloomery.membership.MemoryOptimizedFilter;
import io.bloomery.membership.MemoryOptimizedShape;
import io.bloomery.membership.RemovedPairFilter;
import io.bloomery.membership.RemovedPairShape;
import io.bloomery.membership.SortedHashList;
import io.bloomery.membership.SplitBlockBloomFilter;
import io.bloomery.membership.TwoChoiceBloomFilter;
import io.bloomery.membership.TwoChoiceShape;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Every kind of filter that the contracts run over, some in several varieties. A new kind gets a
 * line here; {@link RegistryTest} fails if it has none.
 */
final class Subjects {

  private static final double RATE = 0.01;

  private static final List<Subject> ALL = new ArrayList<>();

  static {
    for (IndexScheme scheme : IndexScheme.values()) {
      kind(
          "bloom " + scheme,
          BloomFilter.KIND,
          hasher -> bloom(hasher, scheme, 95_900, 7),
          Map.of(
              "95907", hasher -> bloom(hasher, scheme, 95_907, 7),
              "6", hasher -> bloom(hasher, scheme, 95_900, 6)));
    }
    for (int width : new int[] {64, 128, 256, 512}) {
      kind(
          "blocked " + width,
          BlockedBloomFilter.KIND,
          hasher -> blocked(hasher, width, Subject.KEYS),
          Map.of(
              "blocks", hasher -> blocked(hasher, width, Subject.KEYS / 2),
              "blockBits", hasher -> blocked(hasher, width == 64 ? 512 : width / 2, Subject.KEYS)));
    }
    kind(
        "split-block",
        SplitBlockBloomFilter.KIND,
        hasher -> SplitBlockBloomFilter.builder().blocks(411).hasher(hasher).build(),
        Map.of(
            "412", hasher -> SplitBlockBloomFilter.builder().blocks(412).hasher(hasher).build()));
    for (int groups = 1; groups <= 3; groups++) {
      int g = groups;
      kind(
          "bloom-" + g,
          BloomGFilter.KIND,
          hasher -> bloomG(hasher, g, 6),
          Map.of("probes", hasher -> bloomG(hasher, g, 7)));
    }
    kind(
        "two-choice",
        TwoChoiceBloomFilter.KIND,
        hasher -> TwoChoiceBloomFilter.of(TwoChoiceShape.forKeys(Subject.KEYS, RATE), hasher),
        Map.of(
            "bits",
            hasher -> TwoChoiceBloomFilter.of(TwoChoiceShape.forKeys(5_000, RATE), hasher)));
    kind(
        "banked",
        BankedBloomFilter.KIND,
        hasher -> BankedBloomFilter.of(new BankedShape(16, 6_000, 7), hasher),
        Map.of(
            "15", hasher -> BankedBloomFilter.of(new BankedShape(15, 6_000, 7), hasher),
            "6001", hasher -> BankedBloomFilter.of(new BankedShape(16, 6_001, 7), hasher)));
    ALL.add(
        new Subject(
            "bloom-alpha",
            BloomAlphaFilter.KIND,
            (hasher, hashes) ->
                BloomAlphaFilter.builder()
                    .words(1_700)
                    .wordBits(64)
                    .probes(6)
                    .alpha(0.5)
                    .hasher(hasher)
                    .build(hashes),
            Map.of(),
            true));
    frozen(
        "sorted-hashes",
        SortedHashList.KIND,
        (hasher, hashes) -> SortedHashList.build(hashes, 20, hasher));
    frozen(
        "hash-selection",
        HashSelectionFilter.KIND,
        (hasher, hashes) ->
            HashSelectionFilter.build(hashes, new HashSelectionShape(80_000, 6, 500, 16), hasher));
    frozen(
        "best-of",
        BestOfFilter.KIND,
        (hasher, hashes) -> BestOfFilter.build(hashes, new BestOfShape(95_900, 7, 4), hasher));
    ALL.add(
        new Subject(
            "removed-pair", RemovedPairFilter.KIND, filled(Subjects::pair), Map.of(), true));
    for (MemoryOptimizedShape.Mode mode : MemoryOptimizedShape.Mode.values()) {
      ALL.add(
          new Subject(
              "memory-optimized " + mode,
              MemoryOptimizedFilter.KIND,
              filled(hasher -> memoryOptimized(hasher, mode, 4)),
              Map.of("probes", filled(hasher -> memoryOptimized(hasher, mode, 5))),
              false));
    }
    ALL.addAll(CountingSubjects.all());
    ALL.addAll(DeletionSubjects.all());
    ALL.addAll(TableSubjects.all());
    ALL.addAll(GrowingSubjects.all());
    ALL.addAll(FrequencySubjects.all());
    ALL.addAll(WindowSubjects.all());
    ALL.addAll(FrozenSubjects.all());
    ALL.addAll(CascadeSubjects.all());
    ALL.addAll(MapSubjects.all());
    ALL.addAll(BankSubjects.all());
    ALL.add(new Subject("model", null, filled(ModelFilter::new), Map.of(), false));
    ALL.add(new Subject("model of counts", null, filled(ModelCounts::new), Map.of(), false));
    ALL.add(Subject.map("model of a map", null, 1_000, ModelMap::new));
  }

  /** Kinds that hash nothing; {@link PlainFilterContractTest} or a test of their own has them. */
  static final List<FilterKind<?>> PLAIN = List.of(DirectBitSet.KIND, ExactZoneFilter.KIND);

  /** Kinds that give other answers for other keys when a key is added again, as they say. */
  private static final List<FilterKind<?>> MULTISETS =
      List.of(VariableIncrementCountingFilter.KIND, SpaceCodeFilter.KIND, AdaptiveBloomFilter.KIND);

  private Subjects() {}

  private static BloomFilter bloom(Hasher hasher, IndexScheme scheme, long bits, int probes) {
    return BloomFilter.create(BloomShape.of(bits, probes, scheme), hasher);
  }

  private static BlockedBloomFilter blocked(Hasher hasher, int width, long keys) {
    return BlockedBloomFilter.create(BlockShape.forKeys(keys, RATE, width), hasher);
  }

  private static BloomGFilter bloomG(Hasher hasher, int groups, int probes) {
    return BloomGFilter.builder()
        .words(1_700)
        .wordBits(64)
        .groups(groups)
        .probes(probes)
        .hasher(hasher)
        .build();
  }

  private static RemovedPairFilter pair(Hasher hasher) {
    return RemovedPairFilter.of(
        new RemovedPairShape(BloomShape.of(95_900, 7), BloomShape.of(95_900, 7)), hasher);
  }

  private static MemoryOptimizedFilter memoryOptimized(
      Hasher hasher, MemoryOptimizedShape.Mode mode, int probes) {
    return MemoryOptimizedFilter.of(new MemoryOptimizedShape(1_000_000, probes, mode), hasher);
  }

  /** A kind that is built once. */
  private static void frozen(String name, FilterKind<?> kind, Subject.Maker maker) {
    ALL.add(new Subject(name, kind, maker, Map.of(), false));
  }

  private static void kind(
      String name,
      FilterKind<?> kind,
      Function<Hasher, AddableFilter> empty,
      Map<String, Function<Hasher, AddableFilter>> otherShapes) {
    ALL.add(addable(name, kind, empty, otherShapes, true));
  }

  /** A kind that takes keys one by one, by several threads if it is lock-free. */
  static Subject addable(
      String name,
      FilterKind<?> kind,
      Function<Hasher, AddableFilter> empty,
      Map<String, Function<Hasher, AddableFilter>> otherShapes,
      boolean lockFree) {
    Map<String, Subject.Maker> others = new TreeMap<>();
    otherShapes.forEach((word, maker) -> others.put(word, filled(maker)));
    return new Subject(name, kind, filled(empty), others, lockFree);
  }

  static Subject.Maker filled(Function<Hasher, ? extends AddableFilter> empty) {
    return (hasher, hashes) -> {
      AddableFilter filter = empty.apply(hasher);
      filter.addHashes(hashes, 0, hashes.length);
      return filter;
    };
  }

  static List<Subject> all() {
    return ALL;
  }

  static List<Subject> addable() {
    return with(AddableFilter.class);
  }

  /** Filters whose answers do not depend on how often a key was added. */
  static List<Subject> idempotent() {
    return addable().stream()
        .filter(subject -> MULTISETS.stream().noneMatch(kind -> kind == subject.kind()))
        .toList();
  }

  static List<Subject> lockFree() {
    return addable().stream().filter(Subject::lockFree).toList();
  }

  static List<Subject> removable() {
    return with(RemovableFilter.class);
  }

  /** Removable filters whose keys may come again, and that forget them without a trace. */
  static List<Subject> reversible() {
    return removable().stream()
        .filter(subject -> subject.kind() != RemovedPairFilter.KIND)
        .filter(subject -> subject.kind() != DeletableBloomFilter.KIND)
        .toList();
  }

  static List<Subject> frequency() {
    return with(FrequencyFilter.class);
  }

  /** Frequency filters whose counts are upper bounds. */
  static List<Subject> neverLow() {
    return frequency().stream().filter(subject -> !FrequencySubjects.mayCountLow(subject)).toList();
  }

  /** Frequency filters for which adding a key several times is adding it one by one. */
  static List<Subject> oneByOne() {
    return frequency().stream()
        .filter(subject -> !FrequencySubjects.drawsAtRandom(subject))
        .toList();
  }

  static List<Subject> lookup() {
    return with(LookupFilter.class);
  }

  static List<Subject> mergeable() {
    return with(Mergeable.class);
  }

  static List<Subject> intersectable() {
    return with(Intersectable.class);
  }

  /** The varieties of kinds that files are read of. */
  static List<Subject> storable() {
    return with(Storable.class).stream()
        .filter(subject -> Filters.kinds().contains(subject.kind()))
        .toList();
  }

  /** Filters that take keys and have a public {@code copy()}. */
  static List<Subject> copyable() {
    return addable().stream().filter(subject -> copyMethod(subject.of()) != null).toList();
  }

  /** The filter's {@code copy()}. */
  static HashedFilter copy(HashedFilter filter) {
    try {
      return (HashedFilter) copyMethod(filter).invoke(filter);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static Method copyMethod(HashedFilter filter) {
    try {
      return filter.getClass().getMethod("copy");
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private static List<Subject> with(Class<?> capability) {
    return ALL.stream().filter(subject -> subject.is(capability)).toList();
  }
}
