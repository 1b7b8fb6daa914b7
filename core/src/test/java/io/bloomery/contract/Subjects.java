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
import io.bloomery.membership.DirectBitSet;
import io.bloomery.membership.RemovedPairFilter;
import io.bloomery.range.DyadicFilter;
import io.bloomery.range.GrafiteFilter;
import io.bloomery.secure.SecureIndex;
import io.bloomery.similarity.BlockDigest;
import io.bloomery.similarity.DistanceSensitiveFilter;
import io.bloomery.similarity.HierarchicalDigest;
import io.bloomery.similarity.NoveltyFilter;
import io.bloomery.sync.InvertibleTable;
import io.bloomery.weighted.VariableSignatureFilter;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Every kind of filter that the contracts run over, some in several varieties. A new kind gets a
 * line here; {@link RegistryTest} fails if it has none.
 */
final class Subjects {

  private static final List<Subject> ALL = new ArrayList<>();

  /** Those that have a capability, found once: for each a filter is made. */
  private static final Map<Class<?>, List<Subject>> WITH = new ConcurrentHashMap<>();

  static {
    ALL.addAll(MembershipSubjects.all());
    ALL.addAll(DeletableSubjects.all());
    ALL.addAll(GrowingSubjects.all());
    ALL.addAll(FrequencySubjects.all());
    ALL.addAll(WindowSubjects.all());
    ALL.addAll(FrozenSubjects.all());
    ALL.addAll(LookupSubjects.all());
    ALL.addAll(WeightedSubjects.all());
    ALL.addAll(SimilaritySubjects.all());
    ALL.addAll(PrivateSubjects.all());
    ALL.addAll(SyncSubjects.all());
    ALL.addAll(CompositionSubjects.all());
    ALL.add(new Subject("model", null, filled(ModelFilter::new), Map.of(), false));
    ALL.add(new Subject("model of counts", null, filled(ModelCounts::new), Map.of(), false));
    ALL.add(Subject.map("model of a map", null, 1_000, ModelMap::new));
  }

  /**
   * Kinds whose keys are not one hash: numbers, vectors, excerpts, trapdoors. {@link
   * PlainFilterContractTest}, {@link DigestContractTest} or a test of their own has them.
   */
  static final List<FilterKind<?>> PLAIN =
      List.of(
          DirectBitSet.KIND,
          ExactZoneFilter.KIND,
          DistanceSensitiveFilter.KIND,
          BlockDigest.KIND,
          HierarchicalDigest.KIND,
          NoveltyFilter.KIND,
          SecureIndex.KIND,
          InvertibleTable.KIND,
          GrafiteFilter.KIND,
          DyadicFilter.KIND);

  /** Kinds that give other answers for other keys when a key is added again, as they say. */
  private static final List<FilterKind<?>> MULTISETS =
      List.of(VariableIncrementCountingFilter.KIND, SpaceCodeFilter.KIND, AdaptiveBloomFilter.KIND);

  private Subjects() {}

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
        .filter(subject -> subject.kind() != VariableSignatureFilter.KIND)
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

  /** Kinds; the model is a set, in which a key of both sides is one key. */
  static List<Subject> removableAndMergeable() {
    return removable().stream()
        .filter(subject -> subject.kind() != null && subject.is(Mergeable.class))
        .toList();
  }

  static List<Subject> intersectable() {
    return with(Intersectable.class);
  }

  /** The varieties of kinds that files are read of. */
  static List<Subject> storable() {
    return with(Storable.class).stream()
        .filter(subject -> subject.kind() != null && Filters.kinds().contains(subject.kind()))
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
    return WITH.computeIfAbsent(
        capability, type -> ALL.stream().filter(subject -> subject.is(type)).toList());
  }
}
