package io.bloomery.cli.remove;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.testkit.Inputs.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrequencyFilter;
import io.bloomery.ReadOptions;
import io.bloomery.RemovableFilter;
import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RemoveCommandTest {

  @TempDir private Path directory;
  private Path filter;

  @BeforeEach
  void build() {
    filter = directory.resolve("x.bloom");
    build("cuckoo", 1000);
  }

  private void build(String kind, int keys) {
    Bloom.Run run =
        bloomWith(numbers(keys), "build", "-fo", filter, "-n", 2000, "-p", "1e-6", "--kind", kind);
    assertThat(run.code()).as(run.err()).isZero();
  }

  @Test
  void removesKeysAndCountsAbsentOnes() throws IOException {
    Bloom.Run run = bloomWith("1\n2\n\n3\n2\nnever\n", "remove", filter);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .startsWith("Removed from " + filter + "\n")
        .containsPattern("kind +cuckoo\n")
        .containsPattern("keys read +5\n")
        .containsPattern("removed +3\n")
        .containsPattern("certainly absent +1\n")
        .containsPattern("still present +0, probably\n")
        .containsPattern("empty keys +1 skipped\n")
        .containsPattern("expected rate +.*, before ");
    assertThat(run.err())
        .startsWith("bloom: warning: ")
        .contains("1 of 5 keys is certainly absent", "are removed in place of others")
        .hasLineCount(1);
    Filter opened = Filters.open(filter);
    assertThat(Stream.of("1", "2", "3", "never")).noneMatch(opened::mightContain);
    assertThat(IntStream.range(4, 1000)).allMatch(i -> opened.mightContain("" + i));
  }

  @Test
  void keysComeFromTheCommandLineAndFiles() throws IOException {
    Path keys = Files.writeString(directory.resolve("keys"), "1\n2\n");
    assertThat(bloomWith("3\n", "remove", filter, "-k", "4", "--key", "5").code()).isZero();
    assertThat(bloomWith("3\n", "remove", filter, keys, "-k", "6").code()).isZero();
    Filter opened = Filters.open(filter);
    assertThat(Stream.of("1", "2", "4", "5", "6")).noneMatch(opened::mightContain);
    assertThat(opened.mightContain("3")).isTrue(); // standard input was not read
  }

  @Test
  void addingAndRemovingKeysRestoresTheFile() throws IOException {
    bloomWith(numbers(1000), "build", "-fo", filter, "-n", 2000, "--kind", "counting");
    byte[] before = Files.readAllBytes(filter);
    assertThat(bloomWith("a\nb\nc\n", "add", filter).code()).isZero();
    assertThat(filter).satisfies(file -> assertThat(Files.readAllBytes(file)).isNotEqualTo(before));
    assertThat(bloomWith("c\na\nb\n", "remove", filter, "-q").out()).isEmpty();
    assertThat(filter).hasBinaryContent(before);
  }

  @Test
  void typedKeysAreRemoved() throws IOException {
    bloomWith("7\n-1\n8\n", "build", "-fo", filter, "--kind", "cuckoo", "--type", "int64");
    assertThat(bloom("remove", filter, "-k", "7", "--type", "text").code()).isEqualTo(2);
    assertThat(bloom("remove", filter, "-k", "7").code()).isZero();
    assertThat(bloomWith("-1\n", "remove", filter, "--type", "int64").code()).isZero();
    RemovableFilter opened = Filters.open(filter, ReadOptions.as(RemovableFilter.class));
    assertThat(opened.mightContain(7L)).isFalse();
    assertThat(opened.mightContain(-1L)).isFalse();
    assertThat(opened.mightContain(8L)).isTrue();
    Bloom.Run wrong = bloomWith("8\nx\n", "remove", filter, "--type", "int64");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("x").hasLineCount(1);
    assertThat(Filters.open(filter, ReadOptions.as(RemovableFilter.class)).mightContain(8L))
        .isTrue();
  }

  static Stream<String> kinds() {
    return Filters.kinds().stream()
        .filter(kind -> RemovableFilter.class.isAssignableFrom(kind.type()))
        .map(FilterKind::name);
  }

  /** The report agrees with the filter's answers, whatever the kind supports. */
  @ParameterizedTest
  @MethodSource("kinds")
  void everyKindWithDeletesReportsItsOutcome(String kind) throws IOException {
    build(kind, 500);
    Bloom.Run run = bloomWith(numbers(100), "remove", filter, "--json");
    Map<?, ?> json = Json.object(run.out());
    double removed = (Double) json.get("removed");
    double refused = (Double) json.get("notRemovable");
    assertThat(json.get("kind")).isEqualTo(kind);
    assertThat(json.get("certainlyAbsent")).isEqualTo(0.0);
    assertThat(removed + refused).isEqualTo(100);
    assertThat(run.code()).isEqualTo(refused > 0 ? 1 : 0);
    assertThat(run.err().isEmpty()).isEqualTo(refused == 0);
    Filter opened = Filters.open(filter);
    long present = IntStream.range(0, 100).filter(i -> opened.mightContain("" + i)).count();
    assertThat(json.get("stillPresent")).isEqualTo((double) present);
    assertThat(present).isGreaterThanOrEqualTo((long) refused);
    if (!kind.equals("removed-pair")) { // it has false negatives
      assertThat(IntStream.range(100, 500)).allMatch(i -> opened.mightContain("" + i));
    }
  }

  @Test
  void countingKindsRemoveOneRepetitionEach() throws IOException {
    bloomWith("a\na\na\nb\n", "build", "-fo", filter, "-n", 100, "--counts", "--deletes");
    FrequencyFilter before = Filters.open(filter, ReadOptions.as(FrequencyFilter.class));
    assertThat(before.countHash(before.hasher().hash("a"))).isEqualTo(3);
    Map<?, ?> json = Json.object(bloomWith("a\na\nb\n", "remove", filter, "--json").out());
    assertThat(json.get("removed")).isEqualTo(3.0);
    assertThat(json.get("stillPresent")).isEqualTo(1.0);
    FrequencyFilter after = Filters.open(filter, ReadOptions.as(FrequencyFilter.class));
    assertThat(after.countHash(after.hasher().hash("a"))).isEqualTo(1);
    assertThat(after.mightContain("b")).isFalse();
  }

  @Test
  void kindsWithFinalDeletesSaySo() throws IOException {
    build("removed-pair", 100);
    assertThat(bloom("remove", filter, "-k", "5").code()).isZero();
    byte[] before = Files.readAllBytes(filter);
    Bloom.Run run = bloom("add", filter, "-k", "5");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("bloom: " + filter + ": the key was removed")
        .contains("cannot be added again; the file is as it was")
        .hasLineCount(1);
    assertThat(filter).hasBinaryContent(before);
  }

  @Test
  void aDryRunAndAFailedCheckChangeNothing() throws IOException {
    byte[] before = Files.readAllBytes(filter);
    Bloom.Run dry = bloomWith("1\n2\n", "remove", filter, "--dry-run");
    assertThat(dry.code()).isZero();
    assertThat(dry.out()).startsWith("Would remove from ").containsPattern("removed +2\n");
    Bloom.Run checked = bloomWith("1\nnever\n", "remove", filter, "--check-first");
    assertThat(checked.code()).isEqualTo(1);
    assertThat(checked.out()).containsPattern("removed +0\n").containsPattern("absent +1\n");
    assertThat(checked.err()).contains("so nothing was removed").hasLineCount(1);
    assertThat(filter).hasBinaryContent(before);
    Map<?, ?> json =
        Json.object(bloomWith("1\n", "remove", filter, "--check-first", "--json").out());
    assertThat(json.get("changed")).isEqualTo(true);
    assertThat(Filters.open(filter).mightContain("1")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          FILTER nosuch                | nosuch: no such file
          DIR/none -k a                | none: no such file
          DIR -k a                     | is a directory, not a filter
          FILTER FILTER                | is not a file of keys but a filter
          DIR/spark DIR/spark          | is also the input
          FILTER -k a --secret-file S  | made without a secret key; leave out --secret-file
          DIR/blocked -k a             | kind blocked has no deletes; build one that has with bloom
          DIR/fuse -k a                | or of kind removed-pair, counting
          DIR/spark -k a --format spark | a filter of format spark has no deletes
          """)
  void errorsLeaveTheFileUnchanged(String args, String message) throws IOException {
    Files.writeString(directory.resolve("S"), "0123456789abcdef");
    bloomWith("a\n", "build", "-o", directory.resolve("blocked"));
    bloomWith("a\n", "build", "-o", directory.resolve("fuse"), "--kind", "fuse");
    bloomWith("a\n", "build", "-o", directory.resolve("spark"), "--format", "spark");
    byte[] before = Files.readAllBytes(filter);
    String line =
        args.replace("FILTER", filter.toString())
            .replace("DIR", directory.toString())
            .replaceAll("S$", directory.resolve("S").toString());
    Bloom.Run run = bloomWith("a\n", (Object[]) ("remove " + line).split(" ", -1));
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: ").contains(message).hasLineCount(1);
    assertThat(run.out()).isEmpty();
    assertThat(filter).hasBinaryContent(before);
  }

  @Test
  void withoutRemovedKeysTheFileIsNotRewritten() throws IOException {
    Object before = Files.getAttribute(filter, "unix:ino");
    assertThat(bloomWith("", "remove", filter).code()).isZero();
    assertThat(bloom("remove", filter, "-k", "never").code()).isEqualTo(1);
    assertThat(Files.getAttribute(filter, "unix:ino")).isEqualTo(before);
  }
}
