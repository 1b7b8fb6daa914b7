package io.bloomery.cli.console;

import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.error.ArgumentException;
import io.bloomery.error.ArgumentException.Argument;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Error messages use the user's words, not names from the source code. */
final class ArgumentWordsTest {

  @TempDir private Path directory;

  @Test
  void methodArgumentsAreNamedInTheUsersWords() {
    ArgumentException low =
        new ArgumentException(
            new Argument("falsePositiveRate", 1e-17),
            " for ",
            new Argument("expectedKeys", 60_000_000_000L),
            " is below ",
            4.163336342344337E-7);
    assertThat(low)
        .hasMessage(
            "falsePositiveRate = 1.0E-17 for expectedKeys = 60000000000 is below"
                + " 4.163336342344337E-7");
    assertThat(ArgumentWords.of(low))
        .isEqualTo("a rate of 1.00e-17 for 60,000,000,000 keys is below 4.16e-07");
    assertThat(
            ArgumentWords.of(
                new ArgumentException(
                    new Argument("hashesPerKey", 300),
                    " is outside the allowed range ",
                    1,
                    " … ",
                    255)))
        .isEqualTo("hashes per key = 300 is outside the allowed range 1 … 255");
    assertThat(ArgumentWords.of(new IllegalArgumentException("XXH3-64 and BloomFilter.java")))
        .isEqualTo("XXH3-64 and BloomFilter.java");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "build -o x -n 60e9 -p 1e-17",
        "build -o x --kind bloom -n 60e9 -p 1e-17",
        "build -o x --kind cuckoo -n 6e9 -p 1e-9",
        "build -o x --kind bloom -n 1e10 --bits-per-key 1000",
        "build -o x --format guava -n 60e9 -p 0.000001",
        "build -o x --format orc -n 60e9",
        "build -o x --format cassandra -n 60e9",
        "build -o x --format cassandra -n 100 -p 0.0000001",
        "build -o x --format hadoop-bloom -n 60e9",
        "build -o x --format redis-bloom -n 60e9",
        "build -o x --format datasketches -n 60e9",
        "build -o x --format bip37 -n 60e9",
        "count --memory 1T",
        "count --error 0.0000000001",
        "top --error 0.0000000001",
        "plan -n 60e9 -p 1e-17"
      })
  void noMessageContainsNamesFromTheSource(String line) {
    List<Object> words = new ArrayList<>(List.of(line.split(" ")));
    words.replaceAll(word -> word.equals("x") ? directory.resolve("x") : word);
    Bloom.Run run = bloomWith("a\nb\n", words.toArray());
    assertThat(run.err())
        .doesNotContainPattern("\\b[a-z]+[A-Z][a-z]+")
        .doesNotContain("width =", "stage", "expectedKeys", "unexpected ")
        .doesNotContainPattern("[0-9]\\.[0-9]{6,}");
  }
}
