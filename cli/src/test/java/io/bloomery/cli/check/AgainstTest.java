package io.bloomery.cli.check;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.HashedFilter;
import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.LineSplitter;
import io.bloomery.tools.input.Reading;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code check --against}, on a filter built from every third word of a dictionary. */
class AgainstTest {

  private static final Path WORDS = Path.of("..", "examples", "words.txt.gz");

  @TempDir private Path directory;
  private final List<String> all = new ArrayList<>();
  private final Set<String> inside = new HashSet<>();
  private Path file;
  private Path filter;

  @BeforeEach
  void build() throws IOException {
    try (BufferedReader words =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(Files.newInputStream(WORDS)), UTF_8))) {
      words.lines().forEach(all::add);
    }
    List<String> third = new ArrayList<>();
    for (int i = 0; i < all.size(); i += 3) {
      third.add(all.get(i));
    }
    inside.addAll(third);
    file = Files.write(directory.resolve("third.txt"), third);
    filter = directory.resolve("third.bloom");
    assertThat(bloom("build", file, "-o", filter, "-p", "20%").code()).isZero();
  }

  private static String lines(List<String> words) {
    return words.stream().map(word -> word + "\n").collect(Collectors.joining());
  }

  @ParameterizedTest
  @ValueSource(strings = {"present", "absent"})
  void printedLinesMatchTheModel(String mode) {
    List<String> expected =
        all.stream().filter(word -> inside.contains(word) == mode.equals("present")).toList();
    Bloom.Run run = bloom("check", filter, WORDS, "--against", file, "--mode", mode);
    assertThat(run.out()).isEqualTo(lines(expected));
    assertThat(run.code()).isZero();
    assertThat(run.err())
        .startsWith(
            "104,334 keys: %,d present, %,d absent, "
                .formatted(inside.size(), all.size() - inside.size()))
        .endsWith(" false positives among them\n");
    assertThat(bloom("check", filter, WORDS, "--mode", mode).out()).isNotEqualTo(run.out());
  }

  @Test
  void answersMatchTheModelFromAPipeToo() throws IOException {
    StringBuilder expected = new StringBuilder();
    String last = all.get(all.size() - 1);
    for (String word : List.of(last, all.get(0))) {
      expected.append(inside.contains(word) ? "present\t" : "absent\t").append(word).append('\n');
    }
    for (String word : all) {
      expected.append(inside.contains(word) ? "present\t" : "absent\t").append(word).append('\n');
    }
    Bloom.Run run =
        bloomWith(
            Files.readAllBytes(WORDS),
            "check",
            filter,
            "-",
            "-k",
            last,
            "-k",
            all.get(0),
            "--against",
            file,
            "-q");
    assertThat(run.out()).isEqualTo(expected.toString());
    assertThat(run.err()).isEmpty();
  }

  /** The smaller budget fits a table of 256 keys only, so partitions are compared in parts. */
  @ParameterizedTest
  @ValueSource(longs = {2_140_000, 64_000_000})
  void littleMemoryStillGivesExactAnswers(long memory) throws IOException {
    Filter opened = Filters.open(filter);
    Reading reading = new Reading(new LineSplitter(), ((HashedFilter) opened).hasher(), false);
    try (Confirmation confirmation = new Confirmation(opened, reading.keys(), memory, 1 << 20)) {
      confirmation.ask(new KeyInput(null, List.of(WORDS.toString())), reading);
      try (FalsePositives wrong =
          confirmation.compare(new KeyInput(null, List.of(file.toString())), reading, "x")) {
        long found = 0;
        for (String word : all) {
          if (opened.mightContain(word)) {
            found += wrong.isNext() ? 1 : 0;
            assertThat(inside.contains(word) || found > 0).isTrue();
          }
        }
        assertThat(found).isEqualTo(wrong.count());
        assertThat(all.stream().filter(opened::mightContain).count() - found)
            .isEqualTo(inside.size());
      }
    }
  }

  @Test
  void countsTypesAndExitCodes() throws IOException {
    Path numbers = Files.writeString(directory.resolve("numbers"), "7\n0042\n-3\n");
    Path typed = directory.resolve("numbers.bloom");
    assertThat(bloom("build", numbers, "--type", "int64", "-o", typed, "-p", "50%").code())
        .isZero();
    StringBuilder asked = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      asked.append(i % 2 == 0 ? "00" : "+").append(i).append('\n');
    }
    Bloom.Run run =
        bloomWith(
            asked.toString(),
            "check",
            typed,
            "--type",
            "int64",
            "--against",
            numbers,
            "--mode",
            "present");
    assertThat(run.out()).isEqualTo("+7\n0042\n");
    String json =
        bloomWith(
                asked.toString(),
                "check",
                typed,
                "--type",
                "int64",
                "--against",
                numbers,
                "-c",
                "--json")
            .out();
    assertThat(Json.object(json).keySet())
        .hasToString("[file, keys, present, absent, falsePositives, emptyKeysSkipped, badRows]");
    Object[] one = {"check", typed, "--type", "int64", "--against", numbers, "-s", "-k", "007"};
    assertThat(bloom(one).code()).isZero();
    one[one.length - 1] = "8";
    assertThat(bloom(one).code()).isEqualTo(1);
  }

  @Test
  void aFileThatTheFilterWasNotBuiltFromIsRefused() throws IOException {
    Path other = Files.writeString(directory.resolve("other"), all.get(0) + "\nno such word\n");
    Path strict = directory.resolve("strict.bloom");
    bloom("build", file, "-o", strict, "-p", "1e-9");
    Bloom.Run run = bloom("check", strict, WORDS, "--against", other);
    assertThat(run.out()).isEmpty();
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo(
            "bloom: %s, line 2: \"no such word\" is certainly absent from %s, which was built from other keys\n"
                .formatted(other, strict));
    assertThat(bloom("check", strict, "--against", "-").err())
        .isEqualTo("bloom: --against - is standard input, which is read as well; name a file\n");
    assertThat(bloom("check", strict, WORDS, "-f", "--against", other, "-o", other).code())
        .isEqualTo(2);
  }
}
