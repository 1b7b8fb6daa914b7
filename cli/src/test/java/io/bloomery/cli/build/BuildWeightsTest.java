package io.bloomery.cli.build;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Filters;
import io.bloomery.HashedFilter;
import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import io.bloomery.weighted.PopularityBloomFilter;
import io.bloomery.weighted.WeightedBloomFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code bloom build --weights} and {@code bloom plan --weights}. */
class BuildWeightsTest {

  private static final int MEMBERS = 5_000;
  private static final int HOT = 100;

  @TempDir private Path directory;
  private Path keys;
  private Path queries;
  private Path out;

  /** Members are 0 … 4999; every second of 20,000 queries is for one of 100 other keys. */
  @BeforeEach
  void writeFiles() throws IOException {
    keys = write("keys", IntStream.range(0, MEMBERS).mapToObj(Integer::toString));
    queries = write("queries", IntStream.range(0, 20_000).mapToObj(BuildWeightsTest::query));
    out = directory.resolve("x.bloom");
  }

  private static String query(int i) {
    return Integer.toString(
        i % 2 == 0 ? 1_000_000 + i / 2 % HOT : i % 4 == 1 ? i / 4 : 2_000_000 + i);
  }

  private Path write(String name, Stream<String> lines) throws IOException {
    return Files.writeString(
        directory.resolve(name), lines.collect(Collectors.joining("\n", "", "\n")));
  }

  private static Map<?, ?> json(Bloom.Run run) {
    assertThat(run.err()).isEmpty();
    return Json.object(run.out());
  }

  @Test
  void aFileOfQueriesMakesAWeightedFilter() throws IOException {
    Bloom.Run run = bloom("build", keys, "-o", out, "--weights", queries);
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("  kind           weighted, WeightedBloomFilter\n")
        .containsPattern("  listed keys    10[0-9]\n")
        .containsPattern("  plain filter   [0-9.]+ % \\(1 in [0-9]+\\) in the same memory\n")
        .contains("; the rate is that of a query by the weights of ");
    HashedFilter filter = (HashedFilter) Filters.open(out);
    assertThat(filter).isInstanceOf(WeightedBloomFilter.class);
    WeightedBloomFilter weighted = (WeightedBloomFilter) filter;
    for (int i = 0; i < MEMBERS; i++) {
      assertThat(filter.mightContain(Integer.toString(i))).isTrue();
    }
    int hot = weighted.shape().hot().hashesPerKey();
    assertThat(hot).isGreaterThan(weighted.shape().hashesPerKey() + 3);
    for (int i = 0; i < HOT; i++) {
      long hash = filter.hasher().hash(Integer.toString(1_000_000 + i));
      assertThat(weighted.hashesOf(hash)).isEqualTo(hot);
    }
    // A third of the queries that can err are for keys seen only once.
    assertThat(weighted.shape().hot().queries()).isBetween(0.3, 0.7);
  }

  @Test
  void theReportComparesWithAPlainFilterOfTheSameSize() {
    Map<?, ?> facts =
        json(bloom("build", keys, "-o", out, "--weights", queries, "--bits-per-key", 10, "--json"));
    assertThat(((Number) facts.get("bits")).longValue()).isLessThanOrEqualTo(50_000);
    double plain = (Double) facts.get("plainRate");
    double promised = (Double) facts.get("promisedRate");
    assertThat(plain).isCloseTo(0.00821, within(0.000005));
    assertThat(promised / plain).isCloseTo(0.771, within(0.001));
    // The rate is the seventh power of the fill, whose relative deviation is 0.25 %; five of these.
    assertThat((Double) facts.get("expectedRate")).isCloseTo(promised, within(0.087 * promised));
    // Keys are listed in groups by rank; the last group may have a few that were seen once.
    assertThat(((Number) facts.get("listedKeys")).intValue()).isBetween(HOT, HOT + 10);
    assertThat(json(bloom("build", keys, "-fo", out, "--json")).get("plainRate")).isNull();
  }

  /** Weights in other formats list the same keys. */
  @ParameterizedTest
  @CsvSource({"tsv", "zipf:0", "zipf:1.5"})
  void otherFormatsListTheSameKeys(String format) throws IOException {
    Path file =
        write(
            "other",
            IntStream.range(0, HOT)
                .mapToObj(i -> (1_000_000 + i) + (format.equals("tsv") ? "\t" + (HOT - i) : "")));
    Bloom.Run run =
        bloom(
            "build",
            keys,
            "-o",
            out,
            "--weights",
            file,
            "--weights-format",
            format,
            "-n",
            6_000,
            "--kind",
            "weighted");
    assertThat(run.err()).isEmpty();
    WeightedBloomFilter filter = (WeightedBloomFilter) Filters.open(out);
    assertThat(filter.hashesOf(filter.hasher().hash("1000000")))
        .isEqualTo(filter.shape().hot().hashesPerKey());
    // All queries are for these keys, and none of them is in the set.
    assertThat(filter.shape().hashesPerKey()).isEqualTo(1);
  }

  @Test
  void keysAndWeightsHaveTheSameType() throws IOException {
    Path hex = write("hex", IntStream.range(0, HOT).mapToObj(i -> "000" + (1_000_000 + i) + "\t1"));
    Bloom.Run run =
        bloom(
            "build",
            keys,
            "-o",
            out,
            "--weights",
            hex,
            "--weights-format",
            "tsv",
            "--type",
            "int64",
            "--kind",
            "popularity",
            "--seed",
            7);
    assertThat(run.err()).isEmpty();
    PopularityBloomFilter filter = (PopularityBloomFilter) Filters.open(out);
    assertThat(filter.mightContain(4_999L)).isTrue();
    assertThat(filter.hashesOf(filter.hasher().hash(1_000_007L)))
        .isGreaterThan(filter.shape().hashesPerKey());
    write("hex", Stream.of("12x\t1"));
    assertThat(
            bloom(
                    "build",
                    keys,
                    "-fo",
                    out,
                    "--weights",
                    hex,
                    "--weights-format",
                    "tsv",
                    "--type",
                    "int64")
                .err())
        .startsWith("bloom: " + hex + ", line 1: \"12x\" is not of type int64");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a | no tab between a key and its weight",
        "EMPTY | the weight \"\" is not a number of 0 or more",
        "a\t-1 | the weight \"-1\" is not a number of 0 or more",
        "a\tNaN | the weight \"NaN\" is not a number of 0 or more",
        "a\tb\tc | the weight \"c\" is not a number of 0 or more"
      })
  void rowsWithoutAValidWeightAreErrors(String row, String message) throws IOException {
    String line = row.strip().replace("EMPTY", "a\t");
    Path file = Files.writeString(directory.resolve("tsv"), "x\t1\n" + line + "\n");
    Bloom.Run run = bloom("build", keys, "-o", out, "--weights", file, "--weights-format", "tsv");
    assertThat(run.err()).isEqualTo("bloom: " + file + ", line 2: " + message + "\n");
    assertThat(run.code()).isEqualTo(2);
    assertThat(out).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--kind weighted | kind weighted needs --weights FILE: past queries, one per" + " line",
        "--weights-format tsv | --weights-format needs --weights FILE",
        "--weights q --weights-format csv | --weights-format is csv; it must be queries, tsv or"
            + " zipf:S with S from 0 to 10",
        "--weights q --weights-format zipf:11 | --weights-format is zipf:11; it must be queries,"
            + " tsv or zipf:S with S from 0 to 10",
        "--weights zipf:1 | --weights zipf:1 names no keys; list the popular ones, the most popular"
            + " first: --weights FILE --weights-format zipf:1",
        "--weights q --kind bloom | kind bloom treats all keys alike; --weights is for weighted and"
            + " popularity",
        "--weights q --deletes | --weights and --deletes exclude each other: no filter here does"
            + " both",
        "--weights - | keys and weights are both standard input; give a file for one of them",
        "--weights q --format guava | --format takes -n and --rate only: the other system chooses"
            + " kind, size and hash"
      })
  void contradictoryOptionsAreErrors(String options, String message) {
    Object[] args = ("build -o " + out + " " + options.strip()).split(" ");
    Bloom.Run run = bloomWith(new byte[0], args);
    assertThat(run.err()).isEqualTo("bloom: " + message + "\n");
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void noKeysAreListedWithoutAGain() {
    Bloom.Run run = bloom("build", keys, "-o", out, "--weights", keys);
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("  listed keys    0\n");
  }

  @Test
  void plansForWeights() {
    Map<?, ?> law = json(bloom("plan", "-n", "1M", "--weights", "zipf:1", "--json"));
    assertThat(law.get("needs")).isEqualTo(List.of("skewed"));
    assertThat(law.toString()).contains("WeightedBloomFilter", "over 2,000,000 keys");
    assertThat(bloom("plan", "-n", 5000, "--weights", queries, "--explain", "weighted").out())
        .startsWith("weighted is number ")
        .contains("; the rate is that of a query by the weights of ");
    assertThat(bloom("plan", "-n", 5000, "--explain", "popularity").out())
        .contains("it is a filter for skewed popularity; see --skewed");
    assertThat(bloom("plan", "-n", 5, "--weights", "zipf:x").err())
        .isEqualTo("bloom: --weights is zipf:x; it must be zipf:S with S from 0 to 10\n");
    assertThat(bloom("plan", "-n", 5, "--weights", "zipf:1", "--weights-format", "tsv").err())
        .isEqualTo("bloom: --weights-format needs a file, and --weights zipf:1 is not one\n");
  }
}
