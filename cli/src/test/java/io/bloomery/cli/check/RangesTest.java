package io.bloomery.cli.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code bloom build --ranges} and {@code bloom check --from --to}. */
final class RangesTest {

  @TempDir Path directory;

  private Bloom.Run bloom(String arguments) {
    String[] words = arguments.replace("@", directory + "/").split(" ");
    return Bloom.bloom((Object[]) words);
  }

  private void lines(String name, String... lines) throws IOException {
    Files.writeString(directory.resolve(name), String.join("\n", lines) + "\n", UTF_8);
  }

  private void numbers() throws IOException {
    lines(
        "keys",
        IntStream.range(-1_000, 1_000)
            .mapToObj(i -> Integer.toString(1_000 * i))
            .toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({
    "--frozen, grafite",
    "'', dyadic",
    "--kind dyadic, dyadic",
    "--kind grafite, grafite"
  })
  void rangesOfNumbers(String option, String kind) throws IOException {
    numbers();
    String options = ("--type int64 --ranges 100 -p 1e-6 " + option).strip();
    Bloom.Run built = bloom("build @keys -o @f.bloom --json " + options);
    assertThat(built.code()).as(built.err()).isZero();
    Map<?, ?> report = Json.object(built.out());
    assertThat(report.get("kind")).isEqualTo(kind);
    assertThat(report.get("distinctKeys")).isEqualTo(2_000.0);

    Bloom.Run present = bloom("check @f.bloom --from -5050 --to -4990 --from 0 --to 0");
    assertThat(present.out()).isEqualTo("probably present\t-5050\t-4990\nprobably present\t0\t0\n");
    assertThat(present.err()).isEqualTo("2 ranges: 2 probably present, 0 certainly absent\n");
    assertThat(present.code()).isZero();

    Bloom.Run some = bloom("check @f.bloom --from 1 --to 99 --from 900 --to 1000 --mode absent");
    assertThat(some.out()).isEqualTo("1\t99\n");
    assertThat(some.code()).isEqualTo(1);
    assertThat(bloom("check @f.bloom --from 1 --to 99 -s").out()).isEmpty();
    assertThat(bloom("check @f.bloom --from 1 --to 99 --count").out())
        .isEqualTo("1 range: 0 probably present, 1 certainly absent\n");
    assertThat(bloom("check @f.bloom @keys --count").out())
        .startsWith("2,000 keys: 2,000 probably");
    assertThat(bloom("info @f.bloom").out()).contains("for ranges of 100 keys");
    assertThat(bloom("verify @f.bloom").code()).isZero();
  }

  /** The order is that of bytes, and case is not folded unless the file says so. */
  @Test
  void rangesOfTexts() throws IOException {
    lines(
        "keys",
        IntStream.range(0, 500).mapToObj(i -> "user-%04d".formatted(3 * i)).toArray(String[]::new));
    Bloom.Run built =
        bloom("build @keys -o @f.bloom -n 500 --ranges 300 --key-bytes 9 -p 1e-5 --frozen -q");
    assertThat(built.code()).as(built.err()).isZero();
    assertThat(bloom("check @f.bloom --from user-0007 --to user-0009").code()).isZero();
    assertThat(bloom("check @f.bloom --from user-0007 --to user-0008").code()).isEqualTo(1);
    assertThat(bloom("check @f.bloom --from user-2000 --to user-2001").code()).isEqualTo(1);
    assertThat(bloom("check @f.bloom --from b --to a").err()).contains("from is above to");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          build @keys -o @g.bloom --ranges 5 | --ranges needs --type int64
          build @keys -o @g.bloom --ranges 5 --key-bytes 4 | needs -n
          build @keys -o @g.bloom --ranges 5 --type double | not of --type double
          build @keys -o @g.bloom --ranges 5 --type int64 --key-bytes 4 | have 8 bytes
          build @keys -o @g.bloom --ranges 5 --type int64 --kind bloom | does not answer for ranges
          build @keys -o @g.bloom --ranges 5 --type int64 --deletes | ranges of keys together
          build @keys -o @g.bloom --ranges 5 --type int64 --weights @keys | exclude each other
          build @keys -o @g.bloom --kind grafite | bloom build --ranges L builds it
          build @words -o @g.bloom --ranges 5 --type int64 | is not of type int64
          check @plain --from 1 --to 5 | does not keep the order
          check @f.bloom --from 1 | give both
          check @f.bloom --from 5 --to 1 | from = 5 is above to = 1
          check @f.bloom --from x --to 1 | is not of type int64
          check @f.bloom --from 1 --to 5 --key 4 | leave out --key
          check @f.bloom --from 1 --to 5 @keys | leave out --key
          """)
  void whatIsRefusedSaysWhy(String command, String reason) throws IOException {
    numbers();
    lines("words", "zebra", "gnu");
    assertThat(bloom("build @keys -o @plain -q").code()).isZero();
    assertThat(bloom("build @keys -o @f.bloom --type int64 --ranges 5 --frozen -q").code())
        .isZero();
    Bloom.Run run = bloom(command);
    assertThat(run.err()).contains(reason).hasLineCount(1);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(directory.resolve("g.bloom")).doesNotExist();
  }
}
