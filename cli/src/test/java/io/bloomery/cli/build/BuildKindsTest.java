package io.bloomery.cli.build;

import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.testkit.Inputs.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrequencyFilter;
import io.bloomery.ReadOptions;
import io.bloomery.RemovableFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.cli.Bloom;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of filter, named or chosen by the planner. */
class BuildKindsTest {

  @TempDir private Path directory;
  private Path out;

  @BeforeEach
  void nameOutput() {
    out = directory.resolve("x.bloom");
  }

  static Stream<String> kinds() {
    List<String> kinds = Filters.kinds().stream().map(FilterKind::name).toList();
    return StreamSupport.stream(new FilterChoice.Names().spliterator(), false)
        .filter(kinds::contains);
  }

  private static Bloom.Run build(String kind, Object... more) {
    Object[] args = {"build", "--kind", kind};
    return bloomWith(numbers(2000), Stream.of(args, more).flatMap(Stream::of).toArray());
  }

  private static boolean hasWindow(String kind) {
    return Filters.kind(kind).type().getPackageName().endsWith(".window")
        && !kind.equals("exponential-decay");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void buildsEveryKind(String kind) throws IOException {
    if (hasWindow(kind)) {
      assertThat(build(kind, "-o", out).err())
          .isEqualTo(
              "bloom: kind " + kind + " needs -n: how many of the latest keys it remembers\n");
      return;
    }
    Bloom.Run run = build(kind, "-o", out, "-p", "2%");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out()).doesNotContain("  why ");
    assertThat(Filters.header(out).kind().name()).isEqualTo(kind);
    Bloom.Run check = bloomWith(numbers(2000), "check", out, "--count");
    assertThat(check.out()).isEqualTo("2,000 keys: 2,000 probably present, 0 certainly absent\n");
    assertThat(Filters.open(out).falsePositiveRate()).isBetween(0.0, 0.03);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void buildsEveryKindForAKeyCountAndASize(String kind) throws IOException {
    Bloom.Run atRate = build(kind, "-o", out, "-p", "2%", "-n", 2000, "--json");
    double bitsPerKey = (Double) Json.object(atRate.out()).get("bitsPerKey");
    assertThat(Filters.open(out).falsePositiveRate()).isBetween(0.0, 0.03);
    Object[] size = {"-n", 2000, "--bits-per-key", 1.05 * bitsPerKey + 1};
    Bloom.Run run =
        build(
            kind,
            Stream.of(size, new Object[] {"-fo", out, "--json"}).flatMap(Stream::of).toArray());
    assertThat(run.err()).isEmpty();
    assertThat((Double) Json.object(run.out()).get("promisedRate")).isBetween(0.0, 0.021);
    Bloom.Run check = bloomWith(numbers(2000), "check", out, "--mode", "absent");
    // A stable filter loses old keys of its window about as often as it errs: 2 % here.
    long most = kind.equals("stable") ? 40 : 0;
    assertThat(check.out().lines().count()).isLessThanOrEqualTo(most);
  }

  @ParameterizedTest
  @ValueSource(strings = {"blocked", "bloom", "split-block", "bloom-g", "striped", "fuse"})
  void takesASizeInsteadOfARate(String kind) throws IOException {
    Bloom.Run run =
        bloomWith(
            numbers(1000), "build", "-o", out, "--kind", kind, "--bits-per-key", "16", "--json");
    Map<?, ?> json = Json.object(run.out());
    ShapedFilter<?> filter = Filters.open(out, ReadOptions.as(ShapedFilter.class));
    assertThat((Double) json.get("bitsPerKey")).isBetween(14.0, 16.0);
    assertThat(json.get("bitsPerKey")).isEqualTo(filter.sizeInBits() / 1000.0);
    assertThat(json.get("promisedRate")).isEqualTo(filter.shape().falsePositiveRate(1000));
  }

  @ParameterizedTest
  @CsvSource({
    "blocked-64, block bits, 64",
    "blocked-512, block bits, 512",
    "counting-16, counter bits, 16",
    "fuse-4, arity, 4",
    "spectral-minimum, method, 1",
  })
  void takesTheVariantsOfThePlanner(String variant, String field, long value) throws IOException {
    assertThat(bloomWith(numbers(1000), "build", "-qo", out, "--kind", variant).code()).isZero();
    assertThat(Filters.header(out).numbers()).containsEntry(field, value);
    assertThat(bloomWith(numbers(1000), "check", out, "-s").code()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "--deletes, io.bloomery.RemovableFilter",
    "--counts, io.bloomery.FrequencyFilter",
    "--unknown-growth, io.bloomery.growing.ScalableBloomFilter",
    "--window -n 3002, io.bloomery.window.RecentFilter",
    "--frozen, io.bloomery.HashedFilter",
  })
  void thePlannerChoosesByNeed(String need, String type)
      throws IOException, ClassNotFoundException {
    Object[] args = ("build -o " + out + " " + need).split(" ", -1);
    Bloom.Run run = bloomWith(numbers(3000) + "7\n7\n", args);
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).containsPattern("why +[A-Z].+\\.\n");
    Filter filter = Filters.open(out);
    assertThat(filter).isInstanceOf(Class.forName(type));
    assertThat(bloomWith(numbers(3000), "check", out, "-s").code()).isZero();
    if (filter instanceof FrequencyFilter counts) {
      assertThat(counts.count("7")).isBetween(3L, 20L);
    } else if (filter instanceof RemovableFilter removable) {
      assertThat(removable.remove("7")).isTrue();
      assertThat(removable.mightContain("7")).isFalse();
    }
  }

  @Test
  void kindsWithDeletesStoreEachKeyOnceEvenIfTheKeyCountIsGiven() throws IOException {
    bloomWith("7\n".repeat(100), "build", "-o", out, "--kind", "cuckoo", "-n", 1000, "-p1e-6");
    RemovableFilter filter = Filters.open(out, ReadOptions.as(RemovableFilter.class));
    assertThat(filter.remove("7")).isTrue();
    assertThat(filter.mightContain("7")).isFalse();
  }

  @Test
  void countsAreThoseOfTheInputWithAndWithoutAKeyCount() throws IOException {
    String input = "a\nb\na\n\na\n";
    bloomWith(input, "build", "-o", out, "--kind", "count-min");
    assertThat(Filters.open(out, ReadOptions.as(FrequencyFilter.class)).count("a")).isEqualTo(3);
    bloomWith(input, "build", "-fo", out, "--kind", "count-min", "-n", 10);
    assertThat(Filters.open(out, ReadOptions.as(FrequencyFilter.class)).count("a")).isEqualTo(3);
  }

  @Test
  void tooShortAWindowIsReported() {
    Bloom.Run run = bloomWith(numbers(5000), "build", "-qo", out, "--window", "-n", 1000);
    assertThat(run.err())
        .isEqualTo(
            "bloom: warning: 5,000 keys read, more than the 1,000 of -n: the oldest of them are"
                + " forgotten\n");
  }
}
