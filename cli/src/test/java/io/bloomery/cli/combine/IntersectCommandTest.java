package io.bloomery.cli.combine;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.Intersectable;
import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntersectCommandTest {

  @TempDir private Path directory;
  private Path out;

  @BeforeEach
  void nameOutput() {
    out = directory.resolve("out.bloom");
  }

  private Path build(String name, String kind, int from, int to) {
    Path file = directory.resolve(name);
    StringBuilder lines = new StringBuilder();
    IntStream.range(from, to).forEach(i -> lines.append("key ").append(i).append('\n'));
    Bloom.Run run =
        bloomWith(lines.toString(), "build", "-q", "-o", file, "-n", "10000", "--kind", kind);
    assertThat(run.code()).isZero();
    return file;
  }

  @ParameterizedTest
  @ValueSource(strings = {"blocked", "bloom", "split-block", "bloom-g", "striped"})
  void noCommonKeyIsLostAndSizesAreEstimated(String kind) throws IOException {
    Path one = build("1.bloom", kind, 0, 6000);
    Path two = build("2.bloom", kind, 4000, 9000);
    Bloom.Run run = bloom("intersect", one, two, "-o", out);
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .startsWith("Intersected 2 filters into " + out + "\n")
        .containsPattern("keys in any +about (8,[6-9]|9,[0-3])[0-9]* keys\n")
        .containsPattern("keys in both +about [12],[0-9]+ keys\n")
        .containsPattern("similarity +0.2[0-9]+ of all keys are in both \\(Jaccard\\)\n");
    Filter both = Filters.open(out);
    assertThat(IntStream.range(4000, 6000)).allMatch(i -> both.mightContain("key " + i));
    assertThat(both.falsePositiveRate()).isLessThan(Filters.open(two).falsePositiveRate());
    Map<?, ?> json = Json.object(bloom("intersect", one, two, "--count", "--json").out());
    // 5σ of 23 and 15 keys, those of a Bloom filter of 96,000 bits and 7 hashes.
    assertThat((double) json.get("estimatedUnion")).isBetween(8885.0, 9115.0);
    assertThat((double) json.get("estimatedIntersection")).isBetween(1928.0, 2072.0);
    assertThat((double) json.get("jaccard")).isBetween(0.211, 0.234);
    assertThat(json.keySet().toString())
        .isEqualTo(
            "[kind, fields, inputs, sizeInBits, fillRatio, expectedRate, estimatedUnion,"
                + " estimatedIntersection, jaccard]");
  }

  @Test
  void moreThanTwoFiltersGiveAnUpperBound() {
    Path one = build("1.bloom", "bloom", 0, 6000);
    Path two = build("2.bloom", "bloom", 4000, 9000);
    Path three = build("3.bloom", "bloom", 5000, 7000);
    Bloom.Run run = bloom("intersect", one, two, three, "-o", out, "--json");
    Map<?, ?> json = Json.object(run.out());
    assertThat((double) json.get("estimatedIntersectionAtMost")).isBetween(1000.0, 2000.0);
    assertThat((double) json.get("estimatedUnion")).isBetween(8885.0, 9115.0); // 5σ
    assertThat(json.containsKey("jaccard")).isFalse();
    assertThat(bloom("intersect", one, two, three, "--count", "-q").out())
        .isEqualTo(bloom("intersect", one, two, three, "--count").out());
    assertThat(bloom("intersect", one, two, three, "--count").out())
        .startsWith("Intersection of 3 filters\n")
        .containsPattern("keys in all, at most +about 1,[0-9]+ keys\n");
  }

  @Test
  void disjointEqualEmptyAndFullFilters() throws IOException {
    Path one = build("1.bloom", "bloom", 0, 3000);
    Path two = build("2.bloom", "bloom", 3000, 6000);
    Path empty = build("0.bloom", "bloom", 0, 0);
    assertThat(jaccard(one, two)).isLessThan(0.02);
    assertThat(jaccard(one, one)).isEqualTo(1);
    assertThat(jaccard(empty, empty)).isZero();
    Path full = build("full.bloom", "bloom", 0, 300_000);
    Bloom.Run run = bloom("intersect", full, one, "--count");
    assertThat(run.out())
        .containsPattern("keys in any +too many keys to tell: every bit is set\n")
        .containsPattern("keys in both +not known: every bit is set\n");
  }

  private static double jaccard(Path one, Path two) {
    return (double)
        Json.object(bloom("intersect", one, two, "--count", "--json").out()).get("jaccard");
  }

  /** Which of two groups a key of a two-choice filter sets depends on the other keys. */
  @Test
  void kindsWhoseBitsDependOnOtherKeysAreRefused() {
    Path one = build("1.bloom", "two-choice", 0, 30);
    Bloom.Run run = bloom("intersect", one, one, "-o", out);
    assertError(run, "kind two-choice cannot be intersected; kinds that can: ");
    List<String> able =
        Filters.kinds().stream()
            .filter(kind -> Intersectable.class.isAssignableFrom(kind.type()))
            .map(FilterKind::name)
            .filter(kind -> isBuilt(kind))
            .toList();
    assertThat(run.err()).endsWith(": " + String.join(", ", able) + "\n");
    assertThat(able).contains("bloom", "blocked", "split-block", "bloom-g", "striped");
  }

  /** Whether a command builds a filter of this kind from keys alone. */
  private boolean isBuilt(String kind) {
    return bloomWith("a\n", "build", "-o", directory.resolve(kind), "--kind", kind).code() == 0;
  }

  @Test
  void wrongUseIsExplained() throws IOException {
    Path one = build("1.bloom", "bloom", 0, 30);
    Path two = build("2.bloom", "blocked", 0, 30);
    assertError(bloom("intersect", one, one), "say where to write the filter (-o OUT)");
    assertError(bloom("intersect", one, one, "-o", out, "--count"), "leave out -o");
    assertError(bloom("intersect", one, two, "-o", out), "only filters of one kind");
    assertError(bloom("intersect", one, "-o", out), "FILTER");
    assertError(bloom("intersect", one, directory, "-o", out), "is a directory");
    byte[] bytes = Files.readAllBytes(one);
    bytes[4300] ^= 1;
    Path damaged = Files.write(directory.resolve("damaged"), bytes);
    assertError(bloom("intersect", one, damaged, "-o", out), damaged + ", byte ");
    assertThat(out).doesNotExist();
  }
}
