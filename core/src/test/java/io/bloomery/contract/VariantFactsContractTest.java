package io.bloomery.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterFullException;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrequencyFilter;
import io.bloomery.HashedFilter;
import io.bloomery.Mergeable;
import io.bloomery.RemovableFilter;
import io.bloomery.Storable;
import io.bloomery.Variant;
import io.bloomery.Writers;
import io.bloomery.contract.VariantSubject.Facts;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Shape;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Race;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every {@link Variant} states about its filters is measured, and true in both directions. */
final class VariantFactsContractTest {

  private static final String ALL = "io.bloomery.contract.VariantSubject#all";

  /** Forgets keys by design. */
  private static final List<String> LOSSY = List.of("stable");

  /** Overflows a counter of a byte. */
  private static final int REPETITIONS = 300;

  /** As many keys as fit, and three times as many where it takes them: it grows or ages then. */
  private static Stream<long[]> keys(VariantSubject subject) {
    return subject.refuses()
        ? Stream.of(Keys.members(subject.keys() * 9 / 10))
        : Stream.of(Keys.members(subject.keys() * 9 / 10), Keys.members(3 * subject.keys()));
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void mergedPartsAreTheWholeIfAndOnlyIfStated(VariantSubject subject) {
    assertThat(mergesExactly(subject))
        .as("merged parts of %s are the whole", subject)
        .isEqualTo(subject.facts().mergesExactly());
  }

  /** Parts in sequence, by turns, of different sizes with keys of both, and with many of one. */
  private static boolean mergesExactly(VariantSubject subject) {
    return subject.make() instanceof Mergeable
        && keys(subject).allMatch(keys -> mergesExactly(subject, keys));
  }

  private static boolean mergesExactly(VariantSubject subject, long[] keys) {
    int half = keys.length / 2;
    int tenth = keys.length / 10;
    long[] low = Arrays.copyOf(keys, half);
    long[] high = Arrays.copyOfRange(keys, half, keys.length);
    long[] turns = every(keys, 2, 0);
    long[] otherTurns = every(keys, 2, 1);
    long[] fewer = Arrays.copyOf(keys, tenth);
    long[] more = Arrays.copyOfRange(keys, tenth / 2, keys.length);
    return isWhole(subject, low, high)
        && isWhole(subject, high, low)
        && isWhole(subject, turns, otherTurns)
        && isWhole(subject, fewer, more)
        && isWhole(subject, more, fewer)
        && (subject.refuses() || isWhole(subject, many(keys[0]), join(low, many(keys[0]))));
  }

  private static long[] every(long[] keys, int step, int first) {
    return IntStream.range(0, keys.length)
        .filter(i -> i % step == first)
        .mapToLong(i -> keys[i])
        .toArray();
  }

  private static long[] many(long key) {
    return LongStream.generate(() -> key).limit(REPETITIONS).toArray();
  }

  private static long[] join(long[] first, long[] last) {
    return LongStream.concat(Arrays.stream(first), Arrays.stream(last)).toArray();
  }

  @SuppressWarnings("unchecked")
  private static boolean isWhole(VariantSubject subject, long[] one, long[] two) {
    Filter merged = subject.make(one);
    ((Mergeable<Filter>) merged).merge(subject.make(two));
    return same(merged, subject.make(join(two, one)));
  }

  private static boolean same(Filter one, Filter two) {
    return ((Storable) one).sameContent((Storable) two);
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void anotherOrderGivesAnotherFilterIfAndOnlyIfStated(VariantSubject subject) {
    assertThat(orderMatters(subject))
        .as("the order of keys matters to %s", subject)
        .isEqualTo(subject.facts().orderMatters());
  }

  /** Backwards, sorted, and every third key twice, together or apart. */
  private static boolean orderMatters(VariantSubject subject) {
    return keys(subject).anyMatch(keys -> orderMatters(subject, keys));
  }

  private static boolean orderMatters(VariantSubject subject, long[] keys) {
    long[] reversed =
        IntStream.range(0, keys.length).mapToLong(i -> keys[~i + keys.length]).toArray();
    Filter filter = subject.make(keys);
    if (!same(filter, subject.make(reversed))
        || !same(filter, subject.make(Arrays.stream(keys).sorted().toArray()))) {
      return true;
    }
    if (subject.refuses()) {
      return false;
    }
    long[] thirds = every(keys, 3, 0);
    long[] together =
        IntStream.range(0, keys.length)
            .boxed()
            .flatMapToLong(i -> LongStream.generate(() -> keys[i]).limit(i % 3 == 0 ? 2 : 1))
            .toArray();
    return !same(subject.make(together), subject.make(join(thirds, keys)));
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aRepeatedKeyIsStoredAgainIfAndOnlyIfStated(VariantSubject subject) {
    assertThat(storesDuplicates(subject))
        .as("%s stores a repeated key again", subject)
        .isEqualTo(subject.facts().storesDuplicates());
  }

  /** Each key three times: it is full, larger, wrong more often, counts, or keeps deleted keys. */
  private static boolean storesDuplicates(VariantSubject subject) {
    long[] keys = Keys.members(subject.keys() * 9 / 10);
    Filter once = subject.make(keys);
    Filter thrice;
    try {
      thrice = subject.make(join(keys, join(keys, keys)));
    } catch (FilterFullException e) {
      return true;
    }
    return thrice.sizeInBits() > once.sizeInBits()
        || thrice.falsePositiveRate() > once.falsePositiveRate()
        || (once instanceof FrequencyFilter && counts(thrice, keys) > counts(once, keys))
        || (once instanceof RemovableFilter && remaining(thrice, keys) > remaining(once, keys));
  }

  private static long counts(Filter filter, long[] keys) {
    return Arrays.stream(keys).map(((FrequencyFilter) filter)::countHash).sum();
  }

  private static long remaining(Filter filter, long[] keys) {
    Arrays.stream(keys).forEach(((RemovableFilter) filter)::removeHash);
    return Subject.hits((HashedFilter) filter, keys);
  }

  /** Filters of one key would not be the whole otherwise. */
  @ParameterizedTest
  @MethodSource(ALL)
  void whereMergedPartsAreTheWholeTheOrderDoesNotMatter(VariantSubject subject) {
    Facts facts = subject.facts();
    assertThat(facts.mergesExactly() && facts.orderMatters()).as(subject.name()).isFalse();
  }

  static Stream<Variant> variants() {
    return Filters.kinds().stream().flatMap(kind -> kind.variants().stream());
  }

  @ParameterizedTest
  @MethodSource("variants")
  void filtersAreMadeForAsManyWritersAsStated(Variant variant) {
    assertThat(variant.supports(Writers.ONE)).isEqualTo(!variant.isStatic());
    Shape shape = variant.shape(Needs.forKeys(1_000, 0.01).withUniverse(4_096));
    long[] keys = Keys.members(900);
    Filter last = null;
    for (Writers writers : Writers.values()) {
      if (!variant.supports(writers)) {
        assertThatThrownBy(() -> variant.create(shape, Subject.HASHER, writers))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageStartingWith(variant.name() + " ");
        continue;
      }
      Filter filter = variant.create(shape, Subject.HASHER, writers);
      if (filter instanceof AddableFilter addable && variant.refusal().isEmpty()) {
        addable.addHashes(keys, 0, keys.length);
      }
      assertThat(last == null || same(filter, last)).as("the same for any writers").isTrue();
      last = filter;
    }
  }

  /** 8 rounds in a long run, 2 otherwise: two threads add every second key each. */
  @ParameterizedTest
  @MethodSource("variants")
  void manyWritersLoseNothing(Variant variant) {
    if (!variant.supports(Writers.MANY) || variant.refusal().isPresent()) {
      return;
    }
    Shape shape = variant.shape(Needs.forKeys(10_000, 0.01));
    long[] keys = Keys.members(10_000);
    AddableFilter alone = (AddableFilter) variant.create(shape, Subject.HASHER, Writers.ONE);
    alone.addHashes(keys, 0, keys.length);
    for (int round = 0; round < Effort.of(8); round++) {
      AddableFilter filter = (AddableFilter) variant.create(shape, Subject.HASHER, Writers.MANY);
      Race.run(
          2,
          thread -> {
            for (int i = thread; i < keys.length; i += 2) {
              filter.addHash(keys[i]);
            }
          });
      if (!LOSSY.contains(variant.name())) {
        assertThat(Subject.hits(filter, keys)).isEqualTo(keys.length);
      }
      assertThat(variant.orderMatters() || same(filter, alone))
          .as("%s by two threads is %s by one", variant, variant)
          .isTrue();
    }
  }

  /** The contracts of several threads run over what is stated here. */
  @Test
  void someSubjectHasAsManyWritersAsTheVariant() {
    for (FilterKind<?> kind : Filters.kinds()) {
      Set<Boolean> lockFree =
          Subjects.all().stream()
              .filter(subject -> subject.kind() == kind && subject.is(AddableFilter.class))
              .map(Subject::lockFree)
              .collect(Collectors.toSet());
      for (Variant variant : kind.variants()) {
        if (!variant.isStatic() && !lockFree.isEmpty()) {
          assertThat(lockFree).as(variant.name()).contains(variant.supports(Writers.MANY));
        }
      }
    }
  }

  /** Each contract notices a wrong statement, in either direction. */
  @Test
  void aWrongStatementFails() {
    for (String name : List.of("bloom", "cuckoo", "counting", "scalable", "two-choice", "fuse")) {
      VariantSubject subject = VariantSubject.named(name);
      Facts facts = subject.facts();
      assertNotices(
          this::mergedPartsAreTheWholeIfAndOnlyIfStated,
          subject,
          new Facts(!facts.mergesExactly(), facts.orderMatters(), facts.storesDuplicates()));
      assertNotices(
          this::anotherOrderGivesAnotherFilterIfAndOnlyIfStated,
          subject,
          new Facts(facts.mergesExactly(), !facts.orderMatters(), facts.storesDuplicates()));
      assertNotices(
          this::aRepeatedKeyIsStoredAgainIfAndOnlyIfStated,
          subject,
          new Facts(facts.mergesExactly(), facts.orderMatters(), !facts.storesDuplicates()));
    }
  }

  private static void assertNotices(
      Consumer<VariantSubject> contract, VariantSubject subject, Facts wrong) {
    contract.accept(subject);
    assertThatThrownBy(() -> contract.accept(subject.stating(wrong)))
        .isInstanceOf(AssertionError.class);
  }
}
