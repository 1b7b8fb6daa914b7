package io.bloomery.cli.option;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filters;
import io.bloomery.FrequencyFilter;
import io.bloomery.ReadOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --type} of {@code dedup} and {@code count}: lines are equal if their values are. */
class TypedLinesTest {

  private static final String NUMBERS = "7\n0x7\n-1\n007\n-01\n8\n";

  @TempDir private Path directory;

  @Test
  void dedupComparesValues() {
    assertThat(bloomWith(NUMBERS, "dedup", "-q", "--type", "int64").out()).isEqualTo("7\n-1\n8\n");
    assertThat(bloomWith(NUMBERS, "dedup", "-q", "--type", "int64", "--last", "9").out())
        .isEqualTo("7\n-1\n8\n");
    assertThat(bloomWith(NUMBERS, "dedup", "-q", "--type", "text").out()).isEqualTo(NUMBERS);
    assertThat(
            bloomWith("id,x\n1,a\n01,b\n2,c\n", "dedup", "-q", "--column", "id", "--type", "int64")
                .out())
        .isEqualTo("id,x\n1,a\n2,c\n");
  }

  @Test
  void countComparesValues() throws IOException {
    assertThat(bloomWith(NUMBERS, "count", "-q", "--type", "int64", "--key", "0007").out())
        .isEqualTo("at most 3\t0007\n");
    assertThat(bloomWith(NUMBERS, "count", "-q", "--type", "int64", "--total").out())
        .startsWith("at most 3\t7\nat most 3\t0x7\nat most 2\t-1\n");
    Path asked = Files.writeString(directory.resolve("asked"), "0xff\n+7\n");
    assertThat(bloomWith(NUMBERS, "count", "-q", "--type", "int64", "--keys-file", asked).out())
        .isEqualTo("0\t0xff\nat most 3\t+7\n");
  }

  /** The library finds the counts under the same typed keys. */
  @Test
  void savedCountersAreKeyedByValue() throws IOException {
    Path out = directory.resolve("numbers.bloom");
    bloomWith(NUMBERS, "count", "-q", "--type", "int64", "-o", out, "--key", "7");
    assertThat(Filters.open(out, ReadOptions.as(FrequencyFilter.class)).count(7L)).isEqualTo(3);
    assertThat(bloom("count", "-q", "--filter", out, "--type", "int64", "-k", "07").out())
        .isEqualTo("at most 3\t07\n");
    assertThat(bloom("count", "-q", "--filter", out, "-k", "7").out()).isEqualTo("at most 3\t7\n");
    assertError(
        bloom("count", "-q", "--filter", out, "-k", "7", "--type", "text"),
        "its keys are of type int64, not text; leave out --type");
    assertError(
        bloomWith("7\n", "count", "-q", "--filter", out, "-"),
        "its keys are of type int64, and distinct lines are found by their bytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dedup --count", "count -q --total", "count -q --key 1"})
  void aValueOfAnotherTypeIsAnErrorThatNamesItsLine(String line) {
    Object[] args = (line + " --type int64").split(" ");
    assertError(bloomWith("1\n2\nthree\n", args), "standard input, line 3: \"three\" is not of");
  }

  @Test
  void exactCountsCompareBytes() {
    assertError(
        bloomWith(NUMBERS, "count", "--exact", "--type", "int64"),
        "--exact compares the bytes of keys and --type their values");
    assertError(
        bloom("count", "-q", "--key", "x", "--type", "int64"), "\"x\" is not of type int64");
  }
}
