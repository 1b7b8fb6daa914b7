package io.bloomery.find;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Inputs;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import io.bloomery.tools.input.BadRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An index against a search that reads every line. */
class FileIndexTest {

  private static final int WORDS = 3_000;
  private static final double RATE = 0x1p-7; // small tables have no share of a column

  @TempDir private Path directory;
  private final Map<Path, List<String>> files = new TreeMap<>();
  private Path target;

  @BeforeEach
  void writeFiles() throws IOException {
    SplittableRandom random = Seeds.random(1);
    target = directory.resolve("index");
    Path logs = Files.createDirectory(directory.resolve("logs"));
    for (int i = 0; i < 8; i++) {
      write(logs.resolve("large-" + i + ".log"), lines(random, 4_000), false);
      write(logs.resolve("small-" + i + ".log"), lines(random, 5), false);
    }
    write(logs.resolve("packed.log.gz"), lines(random, 4_000), true);
  }

  private void write(Path file, List<String> lines, boolean packed) throws IOException {
    String text = String.join("\n", lines) + "\n";
    Files.write(file, packed ? Inputs.gzip(text) : text.getBytes(UTF_8));
    files.put(file, lines);
  }

  /** Lines of words, of which some are in all files and most in few lines. */
  private static List<String> lines(SplittableRandom random, int count) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int rare = (int) (WORDS * Math.pow(random.nextDouble(), 0.2));
      lines.add("level=info word-%d id=%d".formatted(rare, random.nextInt(1_000_000)));
    }
    return lines;
  }

  private static IndexOptions options(boolean lines) {
    KeyRule rule = lines ? KeyRule.lines() : KeyRule.tokens(KeyRule.JOINTS);
    return new IndexOptions(rule, RATE, 0.9, 1 << 12, true, false);
  }

  private Map<?, ?> build(IndexOptions options) {
    IndexReport report =
        FileIndex.build(
            target,
            List.of(directory.resolve("logs")),
            options,
            false,
            BadRows.fail(),
            this::fail,
            new Silent());
    return Json.object(report.json());
  }

  private void fail(String problem) {
    throw new AssertionError(problem);
  }

  private static final class Silent implements ReadProgress {
    @Override
    public void begin(long bytes) {}

    @Override
    public void read(long bytes) {}
  }

  /** Keeps what was found, each line with its file and number. */
  private static class Found implements Matches {
    private final List<String> lines = new ArrayList<>();
    private final List<Path> changed = new ArrayList<>();

    @Override
    public void changed(List<Path> files) {
      changed.addAll(files);
    }

    @Override
    public boolean line(Path file, long number, byte[] line) {
      lines.add(file.getFileName() + ":" + number + ":" + new String(line, UTF_8));
      return true;
    }

    @Override
    public boolean end(Path file) {
      return true;
    }

    @Override
    public void candidate(Path file) {
      throw new AssertionError(file);
    }
  }

  private Found find(String... keys) {
    Found found = new Found();
    FileIndex.open(target).search(List.of(keys), SearchOptions.LINES, this::fail, found);
    return found;
  }

  /** What a search of all lines finds. */
  private List<String> expected(String word) {
    List<String> expected = new ArrayList<>();
    files.forEach(
        (file, lines) -> {
          for (int i = 0; i < lines.size(); i++) {
            if (List.of(lines.get(i).split("[ =]", -1)).contains(word)) {
              expected.add(file.getFileName() + ":" + (i + 1) + ":" + lines.get(i));
            }
          }
        });
    return expected;
  }

  @Test
  void findsTheLinesThatASearchOfEverythingFinds() {
    build(options(false));
    for (int word = 0; word < WORDS; word += 97) {
      assertThat(find("word-" + word).lines).isEqualTo(expected("word-" + word));
    }
    assertThat(find("word").lines).isEmpty();
    assertThat(find("info").lines).hasSize(files.values().stream().mapToInt(List::size).sum());
  }

  @Test
  void findsWhatWasAddedAndChangedSinceAndReadsOnlyThatToBringTheIndexUpToDate()
      throws IOException {
    build(options(false));
    Path added = directory.resolve("logs/added.log");
    write(added, List.of("a word-new", "b"), false);
    assertThat(find("word-new").lines).containsExactly("added.log:1:a word-new");
    assertThat(find("word-new").changed).containsExactly(added);
    IndexReport report = FileIndex.update(target, BadRows.fail(), this::fail, new Silent());
    // Those of the group of small files, of which there is one more.
    assertThat((Double) Json.object(report.json()).get("filesUnchanged"))
        .isGreaterThanOrEqualTo(9.0);
    assertThat(find("word-new").changed).isEmpty();
    assertThat(find("word-new").lines).containsExactly("added.log:1:a word-new");
  }

  /** A block without the key is read at the rate that was asked for, neither less nor more. */
  @Test
  void blocksWithoutTheKeyAreReadAtTheStatedRate() throws IOException {
    for (int i = 0; i < 8; i++) {
      Files.delete(directory.resolve("logs/small-" + i + ".log")); // share a block, of many parts
    }
    build(options(true));
    FileIndex index = FileIndex.open(target);
    SearchOptions trusting =
        new SearchOptions(false, false, true, true, false, false, 0, 0, List.of());
    long read = 0;
    int keys = 200;
    for (int i = 0; i < keys; i++) {
      Found found = new Found();
      String absent = "no line " + Seeds.of(i);
      read += index.search(List.of(absent), trusting, this::fail, found).partsRead();
      assertThat(found.lines).isEmpty();
    }
    assertThat(index.blocks()).isGreaterThan(200);
    Rates.assertRate(read, (long) keys * index.blocks(), RATE, 5);
  }

  @Test
  void withoutReadingTheFilesThatMayHoldTheKeyAreNamed() {
    build(options(false));
    List<Path> candidates = new ArrayList<>();
    Found found =
        new Found() {
          @Override
          public void candidate(Path file) {
            candidates.add(file);
          }
        };
    SearchOptions unread =
        new SearchOptions(false, false, true, false, false, false, 0, 0, List.of());
    SearchResult result =
        FileIndex.open(target).search(List.of("word-2999"), unread, this::fail, found);
    assertThat(result.bytesRead()).isZero();
    assertThat(candidates)
        .containsAll(
            files.keySet().stream()
                .filter(
                    file -> files.get(file).stream().anyMatch(line -> line.contains(" word-2999 ")))
                .toList());
  }
}
