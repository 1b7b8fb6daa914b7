package io.bloomery.cli.partition;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Inputs;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Rates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampleCommandTest {

  private static final int KEYS = 100_000;

  @TempDir private Path directory;

  private static List<String> sample(String input, Object share, Object... more) {
    Object[] args = new Object[more.length + 3];
    args[0] = "sample";
    args[1] = share;
    args[2] = "-q";
    System.arraycopy(more, 0, args, 3, more.length);
    Bloom.Run run = bloomWith(input, args);
    assertThat(run.err()).isEmpty();
    return run.out().lines().toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.1%", "1%", "0.25", "50%", "99.9%"})
  void theShareOfKeysIsKept(String share) {
    double p =
        share.endsWith("%")
            ? Double.parseDouble(share.substring(0, share.length() - 1)) / 100
            : Double.parseDouble(share);
    for (int seed = 2; seed < 5; seed++) {
      List<String> kept = sample(Inputs.numbers(KEYS), share, "--by", "key", "--seed", seed);
      Rates.assertRate(kept.size(), KEYS, p, 5);
    }
  }

  @Test
  void aShareOfNothingOrEverything() {
    String input = "a\n\nb\n" + Inputs.numbers(1000);
    for (String none : List.of("0%", "0", "0.0")) {
      assertThat(sample(input, none)).isEmpty();
    }
    for (String all : List.of("100%", "1", "1.0")) {
      assertThat(sample(input, all)).isEqualTo(input.lines().toList());
    }
    assertThat(sample("id,a\n1,2\n", "0%", "--column", "a")).containsExactly("id,a");
  }

  /** The rule that the documentation states. */
  @Test
  void aKeyIsKeptIfItsHashIsBelowTheShare() {
    Set<String> kept = new HashSet<>(sample(Inputs.numbers(10_000), "12.5%"));
    Inputs.numbers(10_000)
        .lines()
        .forEach(
            key -> {
              long hash = Hasher.xxh3(2).hash(key.getBytes(UTF_8));
              assertThat(kept.contains(key)).isEqualTo(hash >>> 61 == 0);
            });
  }

  @Test
  void samplesOfTwoFilesHaveTheSameKeys() throws IOException {
    Path orders = directory.resolve("orders.csv");
    Path people = directory.resolve("people.tsv");
    Files.writeString(
        orders,
        IntStream.range(0, 9000)
            .mapToObj(i -> i + "," + i % 3000)
            .collect(Collectors.joining("\n", "order,who\n", "\n")));
    Files.writeString(
        people,
        IntStream.range(0, 3000)
            .mapToObj(i -> i + "\tname" + i)
            .collect(Collectors.joining("\n", "who\tname\n", "\n")));
    List<String> some = sample("", "10%", orders, "--column", "who");
    Set<String> ofOrders =
        some.stream()
            .skip(1)
            .map(row -> row.substring(row.indexOf(',') + 1))
            .collect(Collectors.toSet());
    Set<String> ofPeople =
        sample("", "10%", people, "--column", "who").stream()
            .skip(1)
            .map(row -> row.substring(0, row.indexOf('\t')))
            .collect(Collectors.toSet());
    assertThat(some.get(0)).isEqualTo("order,who");
    assertThat(ofOrders).isEqualTo(ofPeople).hasSizeGreaterThan(200);
    assertThat(some).hasSize(1 + 3 * ofOrders.size());
    Set<String> smaller =
        sample("", "3%", people, "--column", "who").stream()
            .skip(1)
            .map(row -> row.substring(0, row.indexOf('\t')))
            .collect(Collectors.toSet());
    assertThat(ofPeople).containsAll(smaller);
  }

  /** {@code bloom sample} and {@code bloom partition} hash with different default seeds. */
  @Test
  void partsCanBeSampled() throws IOException {
    bloomWith(Inputs.numbers(KEYS), "partition", "-n", 4, "-q", "-o", directory);
    for (int part = 0; part < 4; part++) {
      Path file = directory.resolve("part-" + part + ".txt");
      int rows = Files.readAllLines(file).size();
      Rates.assertRate(sample("", "10%", file).size(), rows, 0.1, 5);
    }
  }

  @Test
  void reportsAndWritesFiles() throws IOException {
    Path out = directory.resolve("out");
    Bloom.Run run = bloomWith("a\nb\n", "sample", "100%", "-o", out, "--json");
    assertThat(Json.object(run.out()).get("rowsKept"))
        .isEqualTo(Json.object(run.out()).get("rowsRead"));
    assertThat(out).hasContent("a\nb\n");
    assertError(bloomWith("c\n", "sample", "100%", "-o", out), "exists; --force");
    assertThat(bloomWith("a\nb\n", "sample", "0%", "--count").out())
        .startsWith("Sampled by key\n  rows read  2\n  kept       0\n");
    assertThat(bloomWith("a\nb\n", "sample", "1").err()).contains("  kept       2\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"101%", "200", "1.1", "x", "1e-3", "%", ""})
  void invalidSharesAreErrors(String share) {
    assertError(bloom("sample", share), "share");
  }
}
