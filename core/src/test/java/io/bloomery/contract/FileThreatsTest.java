package io.bloomery.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.FrequencyFilter;
import io.bloomery.HashedFilter;
import io.bloomery.LookupFilter;
import io.bloomery.SampleFilters;
import io.bloomery.testkit.Keys;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the first table of docs/threats.md says of whoever reads a file, on every kind that it says
 * it of: all that follows is asked of a file that was read again, not of the filter that wrote it.
 */
final class FileThreatsTest {

  /** Kinds whose files answer how often a guessed key was added. */
  private static final Set<String> COUNTS =
      Set.of("spectral", "count-min", "space-code", "adaptive", "layered", "counter-braids");

  /** Kinds that are built once, and whose files are searched for false positives. */
  private static final Set<String> SEARCHED =
      Set.of(
          "fuse",
          "xor",
          "ribbon",
          "perfect-hash",
          "sharded",
          "compressed-bloom",
          "best-of",
          "hash-selection",
          "golomb-coded",
          "bloomier",
          "bloomier-cascade",
          "mutable-bloomier");

  private static final int MANY = 10_000;

  /** What someone has who has only the file, and knows its hash, which is public. */
  private static Filter read(Filter filter) throws IOException {
    return Filters.read(SampleFilters.bytes(filter));
  }

  static List<Subject> counting() {
    return ThreatsTest.subjects(COUNTS);
  }

  @ParameterizedTest
  @MethodSource("counting")
  void countsOfGuessedKeysAreRead(Subject subject) throws IOException {
    long often = Keys.outsiders(2)[0];
    long once = Keys.outsiders(2)[1];
    FrequencyFilter filter = (FrequencyFilter) subject.of(once);
    filter.addHash(often, 1_000);
    FrequencyFilter read = (FrequencyFilter) read((Filter) filter);
    assertThat(read.countHash(often)).isGreaterThan(4 * read.countHash(once));
  }

  static List<Subject> lookups() {
    List<Subject> found =
        Subjects.all().stream()
            .filter(subject -> subject.kind() != null && subject.rule() != null)
            .toList();
    assertThat(found).hasSizeGreaterThan(10);
    return found;
  }

  /** Values, sets, areas or distances of guessed keys. */
  @ParameterizedTest
  @MethodSource("lookups")
  void valuesOfGuessedKeysAreRead(Subject subject) throws IOException {
    long[] members = Keys.members(1_000);
    LookupFilter read = (LookupFilter) read(subject.of(members));
    for (long member : members) {
      assertThat(subject.rule().allows(member, read.getHash(member))).isTrue();
    }
  }

  static List<Subject> searched() {
    return ThreatsTest.subjects(SEARCHED);
  }

  /** Of 100,000 guesses that cost nothing but time, those that pass are false positives. */
  @ParameterizedTest
  @MethodSource("searched")
  void falsePositivesAreComputed(Subject subject) throws IOException {
    HashedFilter filter = subject.of(Keys.members(MANY));
    HashedFilter read = (HashedFilter) read(filter);
    long[] found =
        Arrays.stream(Keys.outsiders(100_000)).filter(read::mightContainHash).limit(10).toArray();
    // Varieties that are exact, or nearly so, give none away.
    int least = (int) Math.min(10, 100_000 * filter.falsePositiveRate() / 2);
    assertThat(found).hasSizeGreaterThanOrEqualTo(least);
    assertThat(Arrays.stream(found).allMatch(filter::mightContainHash)).isTrue();
  }
}
