package io.bloomery.cli.index;

import static io.bloomery.cli.Bloom.bloom;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Searches in a public list of English words, compared with an exact map. */
class FoundWordsTest {

  private static final int QUERIES = 60;

  @TempDir private Path directory;

  private Path documents;
  private final Map<String, TreeSet<String>> exact = new TreeMap<>();
  private final List<String> words = new ArrayList<>();

  /** One document per word length; words with characters other than a–z are left out. */
  @BeforeEach
  void makeDocuments() throws IOException {
    documents = Files.createDirectory(directory.resolve("documents"));
    Map<Integer, List<String>> byLength = new TreeMap<>();
    try (InputStream in = Files.newInputStream(Path.of("../examples/words.txt.gz"));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(new GZIPInputStream(in), UTF_8))) {
      lines
          .lines()
          .filter(word -> word.matches("[a-z]+"))
          .forEach(
              word -> byLength.computeIfAbsent(word.length(), n -> new ArrayList<>()).add(word));
    }
    for (Map.Entry<Integer, List<String>> each : byLength.entrySet()) {
      Path file = documents.resolve(each.getKey() + ".txt");
      Files.write(file, each.getValue());
      for (String word : each.getValue()) {
        exact.computeIfAbsent(word, any -> new TreeSet<>()).add(file.toString());
        words.add(word);
      }
    }
    assertThat(words).hasSizeGreaterThan(60_000);
  }

  private List<String> queries() {
    SplittableRandom random = Seeds.random(27);
    List<String> queries = new ArrayList<>();
    for (int i = 0; i < QUERIES; i++) {
      String word = words.get(random.nextInt(words.size()));
      queries.add(i % 2 == 0 ? word : new StringBuilder(word).reverse().toString());
    }
    return queries;
  }

  private static List<String> names(Bloom.Run run) {
    return run.out().lines().sorted().collect(Collectors.toList());
  }

  @Test
  void findListsTheFilesWithTheWord() {
    Path index = directory.resolve("words.bloomidx");
    assertThat(bloom("index", documents, "-o", index, "--block-size", "4KiB", "-q").code())
        .isZero();
    for (String word : queries()) {
      Bloom.Run run = bloom("find", word, index);
      List<String> expected = List.copyOf(exact.getOrDefault(word, new TreeSet<>()));
      assertThat(names(run)).as(word).isEqualTo(expected);
      assertThat(run.code()).as(word).isEqualTo(expected.isEmpty() ? 1 : 0);
    }
  }

  /** At a rate of 10^-9, 60 searches of 20 documents are expected to give no false positive. */
  @Test
  void secureSearchListsTheDocumentsWithTheWord() {
    Path index = directory.resolve("words.bloom");
    Path secret = directory.resolve("secret");
    Bloom.Run built =
        bloom(
            "secure-index",
            "build",
            documents,
            "-o",
            index,
            "--rate",
            "1e-9",
            "--secret-file",
            secret,
            "--generate-secret");
    assertThat(built.err()).isEmpty();
    for (String word : queries()) {
      Bloom.Run run = bloom("secure-index", "search", word, index, "--secret-file", secret);
      assertThat(names(run))
          .as(word)
          .isEqualTo(List.copyOf(exact.getOrDefault(word, new TreeSet<>())));
    }
  }
}
