package io.bloomery.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.AddableFilter;
import io.bloomery.FilterFullException;
import io.bloomery.HashedFilter;
import io.bloomery.RemovableFilter;
import io.bloomery.Storable;
import io.bloomery.deletable.DLeftCountingFilter;
import io.bloomery.deletable.DLeftShape;
import io.bloomery.frozen.FilterCascade;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Mix;
import io.bloomery.membership.DLeftFingerprintFilter;
import io.bloomery.membership.DLeftFingerprintShape;
import io.bloomery.membership.MemoryOptimizedFilter;
import io.bloomery.membership.MemoryOptimizedShape;
import io.bloomery.membership.TwoChoiceBloomFilter;
import io.bloomery.membership.TwoChoiceShape;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Attacks that the first table of docs/threats.md names, on every kind that it names them for.
 * Whoever knows the hash chooses hashes, since each is that of some number of 8 bytes ({@code
 * CraftedKeysTest}); so an attack is a choice of hashes.
 */
final class ThreatsTest {

  /** Kinds whose false positives are chosen by few adds. */
  private static final Set<String> FEW_ADDS =
      Set.of(
          "bloom",
          "blocked",
          "split-block",
          "bloom-g",
          "bloom-alpha",
          "striped",
          "generalized",
          "counting",
          "one-word-counting",
          "blocked-counting",
          "variable-increment",
          "multilayer",
          "deletable",
          "removed-pair",
          "split",
          "dynamic",
          "spectral",
          "count-min",
          "adaptive",
          "layered",
          "counter-braids",
          "stable",
          "decaying",
          "aging",
          "double-buffered",
          "time-decaying",
          "exponential-decay",
          "recent",
          "filter-bank",
          "counting-bank",
          "spatial",
          "combinatorial",
          "compact-approximator",
          "attenuated",
          "weighted",
          "popularity",
          "variable-signature",
          "retouched",
          "molecule");

  /** Kinds of which two files show how many keys they share. */
  private static final Set<String> SHARED =
      Set.of(
          "bloom",
          "blocked",
          "split-block",
          "bloom-g",
          "bloom-alpha",
          "striped",
          "two-choice",
          "generalized",
          "hash-selection",
          "retouched");

  /** Kinds that lose members when keys are removed that were never added. */
  private static final Set<String> LOSE =
      Set.of(
          "counting",
          "one-word-counting",
          "blocked-counting",
          "counting-bloom-g",
          "variable-increment",
          "multilayer",
          "deletable",
          "dynamic",
          "d-left",
          "cuckoo",
          "quotient",
          "elastic");

  private static final int MANY = 10_000;
  private static final int FEW = 20;

  /** The subjects of these kinds, all of which there are. */
  static List<Subject> subjects(Set<String> kinds) {
    List<Subject> found =
        Subjects.all().stream()
            .filter(subject -> subject.kind() != null && kinds.contains(subject.kind().name()))
            .toList();
    assertThat(found.stream().map(subject -> subject.kind().name()).distinct())
        .hasSameSizeAs(kinds);
    return found;
  }

  static List<Subject> filledByFewAdds() {
    return subjects(FEW_ADDS);
  }

  /**
   * Finds keys that make a chosen absent key present: of 10,000 that do so together, the last one
   * that is needed, then the last one before it that is needed beside it, and so on.
   */
  @ParameterizedTest
  @MethodSource("filledByFewAdds")
  void fewKeysMakeAChosenKeyPresent(Subject subject) {
    long[] many = Keys.members(MANY);
    HashedFilter filled = subject.of(many);
    long[] targets =
        Arrays.stream(Keys.outsiders(100_000)).filter(filled::mightContainHash).limit(3).toArray();
    // One variety has fewer errors than that.
    int least =
        Arrays.stream(targets).mapToInt(target -> needed(subject, many, target)).min().orElse(0);
    assertThat(least).isLessThanOrEqualTo(FEW);
  }

  private static int needed(Subject subject, long[] many, long target) {
    long[] needed = {};
    int left = many.length;
    while (needed.length <= FEW && !holds(subject, needed, many, 0, target)) {
      int low = 0;
      int high = left;
      while (high - low > 1) {
        int middle = (low + high) >>> 1;
        if (holds(subject, needed, many, middle, target)) {
          high = middle;
        } else {
          low = middle;
        }
      }
      needed = concat(needed, many[high - 1]);
      left = high - 1;
    }
    return needed.length;
  }

  private static boolean holds(Subject subject, long[] some, long[] many, int from, long target) {
    long[] hashes = concat(some, Arrays.copyOf(many, from));
    return subject.of(hashes).mightContainHash(target);
  }

  private static long[] concat(long[] some, long... more) {
    return LongStream.concat(Arrays.stream(some), Arrays.stream(more)).toArray();
  }

  /** Each of the few sets a bit of the group that a filter with two choices takes for the key. */
  @Test
  void fewKeysFillAGroup() throws IOException {
    TwoChoiceShape shape = TwoChoiceShape.forKeys(100, 0.01, 2);
    long target = Keys.outsiders(1)[0];
    TwoChoiceBloomFilter alone = TwoChoiceBloomFilter.create(shape);
    alone.addHash(target);
    TwoChoiceBloomFilter filter = TwoChoiceBloomFilter.create(shape);
    int added = 0;
    for (long hash : Keys.members(20_000)) {
      TwoChoiceBloomFilter more = filter.copy();
      more.addHash(hash);
      if (common(alone, more) > common(alone, filter)) {
        filter = more;
        added++;
      }
    }
    assertThat(filter.mightContainHash(target)).isTrue();
    assertThat(added).isLessThanOrEqualTo(shape.hashesPerKey());
  }

  static List<Subject> comparable() {
    return subjects(SHARED);
  }

  /** Files of 1,000 keys of which half are shared, and five pairs that share none. */
  @ParameterizedTest
  @MethodSource("comparable")
  void twoFilesShowThatTheyShareKeys(Subject subject) throws IOException {
    long[] keys = Keys.members(8_000);
    long shared = common(subject, keys, 500);
    for (int from = 1_000; from < 6_000; from += 1_000) {
      long unrelated = common(subject, keys, from);
      // The number of common bits of unrelated files is about Poisson's.
      assertThat(shared - unrelated).isGreaterThan((long) (5 * Math.sqrt(2.0 * unrelated)));
    }
  }

  /** How many set bits the files of the first 1,000 keys and of 1,000 others have in common. */
  private static long common(Subject subject, long[] keys, int from) throws IOException {
    return common(
        (Storable) subject.of(Arrays.copyOf(keys, 1_000)),
        (Storable) subject.of(Arrays.copyOfRange(keys, from, from + 1_000)));
  }

  private static long common(Storable one, Storable other) throws IOException {
    List<Words> ours = Frame.encode(one).sections();
    List<Words> theirs = Frame.encode(other).sections();
    long bits = 0;
    for (int i = 0; i < Math.min(ours.size(), theirs.size()); i++) {
      for (long j = 0; j < Math.min(ours.get(i).length(), theirs.get(i).length()); j++) {
        bits += Long.bitCount(ours.get(i).get(j) & theirs.get(i).get(j));
      }
    }
    return bits;
  }

  static List<Subject> losing() {
    return subjects(LOSE);
  }

  /** Of 100,000 strangers those that are reported present are removed, and members with them. */
  @ParameterizedTest
  @MethodSource("losing")
  void removingStrangersHidesMembers(Subject subject) {
    long[] members = Keys.members(Subject.KEYS);
    RemovableFilter filter = (RemovableFilter) subject.of(members);
    int removed = 0;
    for (long stranger : Keys.outsiders(100_000)) {
      removed += filter.mightContainHash(stranger) && filter.removeHash(stranger) ? 1 : 0;
    }
    // Varieties with a low rate report none of them.
    assertThat(members.length - Subject.hits(filter, members))
        .isGreaterThanOrEqualTo(removed > FEW ? removed / 2 : 0);
  }

  /** A removed pair: keys that are added and removed hide others in the second filter. */
  @Test
  void removedKeysHideMembers() {
    RemovableFilter filter = (RemovableFilter) subjects(Set.of("removed-pair")).get(0).of();
    long[] members = Keys.outsiders(2_000);
    filter.addHashes(members, 0, members.length);
    for (long hash : Keys.members(MANY)) {
      filter.removeHash(hash);
      if (!filter.mightContainHash(hash)) {
        addAndRemove(filter, hash);
      }
    }
    assertThat(Subject.hits(filter, members)).isLessThan(members.length);
  }

  private static void addAndRemove(RemovableFilter filter, long hash) {
    try {
      filter.addHash(hash);
      filter.removeHash(hash);
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("looks like a key that was");
    }
  }

  static List<Subject> withCounters() {
    return subjects(
        Set.of("counting", "one-word-counting", "blocked-counting", "counting-bloom-g"));
  }

  /** Counters of 4 bits stick at 15; a copy of the file tells how often a key was added. */
  @ParameterizedTest
  @MethodSource("withCounters")
  void countersStickAndAreRead(Subject subject) {
    long key = Keys.outsiders(1)[0];
    RemovableFilter filter = (RemovableFilter) subject.of(key, key, key, key, key);
    int times = 0;
    while (filter.mightContainHash(key)) {
      filter.removeHash(key);
      times++;
    }
    assertThat(times).isEqualTo(5);
    if (subject.name().endsWith(" 4")) {
      for (int i = 0; i < 40; i++) {
        filter.addHash(key);
      }
      for (int i = 0; i < 40; i++) {
        filter.removeHash(key);
      }
      assertThat(filter.mightContainHash(key)).isTrue();
    }
  }

  /** Keys of one bin: a prefix filter for 10,000 keys refuses the first after 2,000. */
  @Test
  void aBinIsFilled() {
    AddableFilter filter = (AddableFilter) subjects(Set.of("prefix")).get(0).of();
    assertThatThrownBy(() -> LongStream.range(0, 2_000).forEach(filter::addHash))
        .isInstanceOf(FilterFullException.class);
  }

  /** Keys all of whose buckets are among the first tenth: full at a tenth of the cells. */
  @Test
  void aTenthOfAllBucketsIsFilled() {
    int buckets = 1_024;
    int few = buckets / 10;
    DLeftShape shape = new DLeftShape(4, buckets, 1, 14, 2);
    DLeftCountingFilter filter = DLeftCountingFilter.create(shape);
    assertThatThrownBy(
            () -> {
              for (long remainder = 0; remainder < 1 << 14; remainder++) {
                for (long first = 0; first < few; first++) {
                  if (areAmong(first, remainder, buckets, few)) {
                    filter.addHash(first << 54 | remainder);
                  }
                }
              }
            })
        .isInstanceOf(FilterFullException.class);
    assertThat(filter.keyCount()).isLessThan(4L * buckets * shape.cells() / 9);
  }

  /** Whether the buckets in the other three tables are among the first few as well. */
  private static boolean areAmong(long first, long remainder, int buckets, int few) {
    for (int table = 1; table < 4; table++) {
      if ((first + Mix.reduce(Mix.stream(remainder, table), buckets)) % buckets >= few) {
        return false;
      }
    }
    return true;
  }

  /** Keys of a twentieth of all buckets, which are then full and report every key present. */
  @Test
  void aTwentiethOfAllBucketsAnswersPresent() {
    DLeftFingerprintShape shape = new DLeftFingerprintShape(2, 1_000, 1);
    DLeftFingerprintFilter crowded = DLeftFingerprintFilter.create(shape);
    DLeftFingerprintFilter even = DLeftFingerprintFilter.create(shape);
    SplittableRandom random = Seeds.random(96);
    for (int i = 0; i < 4_000; ) {
      long hash = random.nextLong();
      if (Mix.reduce(Mix.stream(hash, 1), 1_000) < 50
          && Mix.reduce(Mix.stream(hash, 2), 1_000) < 50) {
        crowded.addHash(hash);
        even.addHash(Keys.hash(i));
        i++;
      }
    }
    assertThat(crowded.falsePositiveRate()).isGreaterThan(0.07);
    assertThat(even.falsePositiveRate()).isLessThan(0.01);
  }

  /** The list of one bucket has all keys that were chosen for it. */
  @Test
  void aListIsMadeLong() {
    MemoryOptimizedFilter filter =
        MemoryOptimizedFilter.create(new MemoryOptimizedShape(1_000, 4, 64, 0));
    long first = Keys.hash(0);
    filter.addHash(first);
    int chosen = 1;
    for (long hash : Keys.members(200_000)) {
      if (filter.bucketLoad(hash) == chosen) {
        chosen += filter.addHash(hash) ? 1 : 0;
      }
    }
    assertThat(chosen).isGreaterThan(100);
    assertThat(filter.bucketLoad(first)).isEqualTo(chosen);
  }

  /** A text and the number that has its hash cannot be told apart, on both sides of a cascade. */
  @Test
  void aCascadeOfEqualHashesFails() {
    long[] members = Keys.members(1_000);
    long[] others = Keys.outsiders(5_000);
    others[17] = members[3];
    assertThatThrownBy(() -> FilterCascade.ofHashes(members, others))
        .isInstanceOf(RuntimeException.class)
        .hasMessageContaining("both");
    FilterCascade cascade = FilterCascade.ofHashes(members, Keys.outsiders(5_000));
    assertThat(Arrays.stream(Keys.outsiders(5_000, 1)).filter(cascade::mightContainHash).count())
        .isPositive();
  }
}
