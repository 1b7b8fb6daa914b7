package io.bloomery.cli.check;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.testkit.Inputs.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filters;
import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyCommandTest {

  @TempDir private Path directory;
  private Path filter;
  private Path members;
  private Path others;

  @BeforeEach
  void build() throws IOException {
    filter = directory.resolve("x.bloom");
    members = Files.writeString(directory.resolve("members"), numbers(10_000));
    others = Files.writeString(directory.resolve("others"), others(50_000));
    assertThat(bloom("build", members, "-o", filter, "--kind", "bloom").code()).isZero();
  }

  private static String others(int count) {
    return IntStream.range(0, count).mapToObj(i -> "x" + i).collect(Collectors.joining("\n"));
  }

  @Test
  void aGoodFilterIsGood() {
    Bloom.Run run = bloom("verify", filter, "--present", members, "--absent", others);
    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .startsWith(filter + "\n")
        .containsPattern("checksums +header and 1 page are sound\n")
        .containsPattern("present keys +10,000 looked up, none missing\n")
        .containsPattern("absent keys +50,000 looked up, [0-9]{3} found\n")
        .containsPattern("measured rate +[01]\\.[0-9]+ % \\(1 in [0-9]+\\)\n")
        .containsPattern("95 % interval +0\\.[0-9]+ % to [01][.0-9]* %\n")
        .containsPattern("predicted rate +[01].*inside the interval\n")
        .containsPattern("verdict +good\n");
  }

  @Test
  void aFreshFilterOfHiveIsGood() throws IOException {
    Path hive = directory.resolve("x.hive");
    assertThat(bloom("build", members, "-o", hive, "--format", "hive-bloomk").code()).isZero();
    Files.writeString(others, others(300_000));
    Bloom.Run run =
        bloom("verify", hive, "--format", "hive-bloomk", "--present", members, "--absent", others);
    assertThat(run.out()).containsPattern("predicted rate .*inside the interval\n");
    assertThat(run.code()).isZero();
  }

  @Test
  void jsonHasTheReport() throws IOException {
    Map<?, ?> json =
        Json.object(
            bloom("verify", filter, "--present", members, "--absent", others, "--json").out());
    assertThat(json.get("sound")).isEqualTo(true);
    assertThat(json.get("falseNegatives")).isEqualTo(0.0);
    assertThat(json.get("absentKeys")).isEqualTo(50_000.0);
    double rate = (Double) json.get("falsePositives") / 50_000;
    assertThat(json.get("measuredRate")).isEqualTo(rate);
    assertThat((Double) json.get("intervalLow")).isLessThan(rate);
    assertThat((Double) json.get("intervalHigh")).isGreaterThan(rate);
    assertThat(json.get("predictedRate")).isEqualTo(Filters.open(filter).falsePositiveRate());
    assertThat(json.get("predictedInside")).isEqualTo(true);
    assertThat(json.get("good")).isEqualTo(true);
  }

  @Test
  void aFlippedBitIsFound() throws IOException {
    byte[] bytes = Files.readAllBytes(filter);
    bytes[5000] ^= 4;
    Files.write(filter, bytes);
    Bloom.Run run = bloom("verify", filter);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).containsPattern("problem +.*byte 4096: page 0").contains("bad");
    assertThat(Json.object(bloom("verify", filter, "--json").out()).get("sound")).isEqualTo(false);
  }

  @Test
  void missingKeysAreFound() {
    Bloom.Run run = bloom("verify", filter, "--present", others, "--json");
    assertThat(run.code()).isEqualTo(1);
    assertThat((Double) Json.object(run.out()).get("falseNegatives")).isGreaterThan(49_000);
  }

  /** Members among the "absent" keys look like too high a rate. */
  @Test
  void tooHighARateIsFound() {
    Bloom.Run run = bloomWith(numbers(1000) + others(5000), "verify", filter, "--absent", "-");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).contains("below the interval: it errs too often");
  }

  @Test
  void aPromisedRateMayBeMuchHigherThanTheMeasuredOne() {
    Bloom.Run run = bloom("verify", filter, "--absent", others, "--rate", "5%");
    assertThat(run.code()).isZero();
    assertThat(run.out()).containsPattern("promised rate +5 % .*above the interval: it errs less");
    assertThat(bloom("verify", filter, "--absent", others, "--rate", "0.1%").code()).isEqualTo(1);
  }

  @Test
  void filtersOfOtherSystemsAreMeasuredToo() throws IOException {
    Path text = Files.writeString(directory.resolve("text"), "not a filter ".repeat(9));
    Bloom.Run run = bloom("verify", text);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).contains("not a filter").doesNotContain("checksums");
  }

  @Test
  void errorsAreOneLine() throws IOException {
    Path empty = Files.createFile(directory.resolve("empty"));
    assertError(bloom("verify", directory.resolve("no")), "no such file");
    assertError(bloom("verify", filter, "--rate", "1%"), "give --absent FILE too");
    assertError(bloom("verify", filter, "--absent", empty), "no keys; a rate cannot be measured");
    assertError(bloom("verify", filter, "--absent", "-", "--present", "-"), "cannot both");
    assertError(bloom("verify", filter, "--present", directory.resolve("no")), "no such file");
  }

  private static void assertError(Bloom.Run run, String message) {
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: ").contains(message).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }
}
