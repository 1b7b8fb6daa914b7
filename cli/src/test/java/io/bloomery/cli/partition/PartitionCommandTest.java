package io.bloomery.cli.partition;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static io.bloomery.testkit.Inputs.gzip;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionCommandTest {

  @TempDir private Path directory;

  private List<String> lines(int part) throws IOException {
    return Files.readAllLines(directory.resolve("part-" + part + ".txt"), ISO_8859_1);
  }

  private List<String> all(int parts) throws IOException {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      all.addAll(lines(i));
    }
    return all;
  }

  private long files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.count();
    }
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  /** Computes the part as the documentation states it, from the library's hash. */
  @Test
  void eachLineIsInThePartOfItsHash() throws IOException {
    String input = Inputs.numbers(20_000) + "\n\nno line end";
    Bloom.Run run = bloomWith(input, "partition", "--by", "key", "-n", 7, "-o", directory);
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(all(7)).containsExactlyInAnyOrderElementsOf(input.lines().toList());
    long[] counts = new long[7];
    for (int part = 0; part < 7; part++) {
      for (String line : lines(part)) {
        long upper = Hasher.xxh3(1).hash(line.getBytes(UTF_8)) >>> 32;
        assertThat(upper * 7 / (1L << 32)).isEqualTo(part);
        counts[part]++;
      }
    }
    counts[PartitionRun.part(Hasher.xxh3(1).hash(new byte[0]), 7)] -= 2;
    Rates.assertUniform(counts, 5);
    assertThat(files()).isEqualTo(7);
  }

  @Test
  void aKeyHasTheSamePartInEveryFileAndRun() throws IOException {
    Path csv = file("a.csv", "id,who\n1,ann\n2,bob\n3,\"c,\"\"d\"\"\"\n");
    Path packed = Files.write(directory.resolve("b.gz"), gzip("who\tday\nbob\tMon\nc,\"d\"\tTue"));
    bloom("partition", csv, "--column", "who", "-n", 3, "-o", directory.resolve("a-%d"));
    bloom("partition", packed, "--column", "who", "-n", 3, "-o", directory.resolve("b-%d"));
    bloomWith("ann\nbob\nc,\"d\"\n", "partition", "-n", 3, "-o", directory);
    for (int i = 0; i < 3; i++) {
      List<String> a = Files.readAllLines(directory.resolve("a-" + i));
      List<String> b = Files.readAllLines(directory.resolve("b-" + i));
      assertThat(a.get(0)).isEqualTo("id,who");
      assertThat(b.get(0)).isEqualTo("who\tday");
      for (String key : List.of("ann", "bob", "c,\"d\"")) {
        boolean here = lines(i).contains(key);
        String inCsv = key.startsWith("c") ? "3,\"c,\"\"d\"\"\"" : key;
        assertThat(a.stream().anyMatch(row -> row.endsWith(inCsv))).isEqualTo(here);
        assertThat(b.stream().anyMatch(row -> row.startsWith(key + "\t")))
            .isEqualTo(here && !key.equals("ann"));
      }
    }
    List<String> before = all(3);
    bloomWith("ann\nbob\nc,\"d\"\n", "partition", "-n", 3, "-f", "-o", directory);
    assertThat(all(3)).isEqualTo(before);
  }

  /**
   * Follows the advice of {@code bloom plan}. With the hash that filters use, the keys of a part
   * would fall into an eighth of its filter's blocks and give 8 times the promised rate.
   */
  @Test
  void aFilterOfOnePartKeepsItsRate() throws IOException {
    bloomWith(Inputs.numbers(200_000), "partition", "-n", 8, "-q", "-o", directory);
    Path half = file("half", String.join("\n", lines(3).subList(0, 12_000)));
    Path filter = directory.resolve("f.bloom");
    bloom("build", half, "-o", filter, "-n", 12_000, "-p", "1%", "-q");
    List<String> absent = lines(3).subList(12_000, lines(3).size());
    Bloom.Run run = bloomWith(String.join("\n", absent), "check", filter, "--count", "--json");
    long found = ((Number) Json.object(run.out()).get("probablyPresent")).longValue();
    Rates.assertRateAtMost(found, absent.size(), 0.01, 5);
  }

  @Test
  void rowsArePrintedCompletely() throws IOException {
    Path first = file("1", "\uFEFFone\r\ntwo");
    Path second = file("2", "\uFEFFthree");
    bloom("partition", first, second, "-n", 1, "-o", directory);
    assertThat(Files.readString(directory.resolve("part-0.txt")))
        .isEqualTo("one\r\ntwo\r\nthree\n");
    Path blanks = file("blanks", "\uFEFF  a\n  b \n\uFEFFc\n");
    bloom("partition", blanks, "--trim", "-n", 1, "-f", "-o", directory);
    assertThat(Files.readString(directory.resolve("part-0.txt"))).isEqualTo("  a\n  b \n\uFEFFc\n");
    Path json = file("3", "\uFEFF{\"a\":1}\n{\"a\":2}");
    bloom("partition", json, json, "--json-key", ".a", "-n", 1, "-f", "-o", directory);
    assertThat(lines(0)).containsExactly("{\"a\":1}", "{\"a\":2}", "{\"a\":1}", "{\"a\":2}");
    bloomWith("ABCDEF", "partition", "--binary", 2, "-n", 1, "-f", "-o", directory);
    assertThat(Files.readString(directory.resolve("part-0.txt"))).isEqualTo("ABCDEF");
    Path csv = file("4.csv", "\uFEFFa,b\n1,2\n");
    Path other = file("5.csv", "b;a\n4;3\n");
    assertError(
        bloom("partition", csv, other, "--column", "a", "-n", 2, "-f", "-o", directory),
        "no column is named \"a\"");
    other = file("5.csv", "b\ta\n4\t3");
    bloom("partition", csv, other, "--column", "a", "-n", 1, "-f", "-o", directory);
    assertThat(lines(0)).containsExactly("a,b", "1,2", "3,4");
  }

  @Test
  void emptyInputGivesEmptyParts() throws IOException {
    assertThat(bloomWith("", "partition", "-n", 3, "-o", directory).code()).isZero();
    assertThat(all(3)).isEmpty();
    assertThat(files()).isEqualTo(3);
    bloomWith("a,b", "partition", "--column", "b", "-n", 2, "-f", "-o", directory);
    assertThat(all(2)).containsExactly("a,b", "a,b");
  }

  /** Parts and rows that are larger than a buffer. */
  @Test
  void largePartsManyPartsAndLongRowsAreWritten() throws IOException {
    String longest = "x".repeat(300_000);
    String input = Inputs.numbers(200_000) + longest + "\n" + longest + "y\n";
    for (int parts : new int[] {2, 50}) {
      bloomWith(input, "partition", "-n", parts, "-q", "-f", "-o", directory.resolve("%03d"));
      List<String> all = new ArrayList<>();
      for (int i = 0; i < parts; i++) {
        all.addAll(Files.readAllLines(directory.resolve(padded(i))));
      }
      all.sort(null);
      assertThat(all.equals(input.lines().sorted().toList())).isTrue();
      assertThat(files()).isEqualTo(parts);
    }
  }

  private static String padded(int part) {
    return String.valueOf(1000 + part).substring(1);
  }

  @Test
  void failuresLeaveNothingBehind() throws IOException {
    byte[] bytes = gzip(Inputs.numbers(100_000));
    bytes[bytes.length - 5] ^= 1;
    Path damaged = Files.write(directory.resolve("damaged.gz"), bytes);
    file("part-1.txt", "old\n");
    assertError(
        bloom("partition", damaged, "-n", 3, "-o", directory), "part-1.txt: exists; --force");
    assertError(bloom("partition", damaged, "-n", 3, "-f", "-o", directory), "damaged gzip data");
    assertThat(directory.resolve("part-1.txt")).hasContent("old\n");
    assertThat(files()).isEqualTo(2);
    assertError(bloom("partition", "-n", 3, "-o", directory.resolve("x")), "-o needs %d once");
    assertError(bloom("partition", "-n", 3, "-o", directory.resolve("%d-%d")), "-o needs %d once");
    assertError(bloom("partition", "-n", 3, "-o", directory.resolve("no/%d")), "no directory");
    assertError(bloom("partition", "-n", 10_001), "-n is 10001; it must be 1 to 10000");
    assertError(bloom("partition", "-n", 0), "0 keys: a whole number from 1");
    assertError(bloom("partition"), "--parts=N");
    assertError(bloom("partition", "--by", "who", "-n", 2), "'who' is not the word key; --column");
    assertThat(files()).isEqualTo(2);
  }

  /** A directory takes the second file's name while the input is read. */
  @Test
  void aNameThatIsTakenRollsBackTheOtherFiles() throws IOException {
    try (PartFiles files = new PartFiles(PartNames.of(directory), 3, true)) {
      files.write(0, new byte[] {'a'}, 0, 1);
      Files.createDirectories(directory.resolve("part-1.txt/x"));
      assertThat(org.assertj.core.api.Assertions.catchThrowable(files::finish))
          .hasMessageContaining("part-1.txt: is a directory");
    }
    assertThat(files()).isEqualTo(1);
  }

  @Test
  void reportsAsTextAndJson() throws IOException {
    Bloom.Run run = bloomWith("a\nb\na\n", "partition", "-n", 2, "--json", "-o", directory);
    List<Map<?, ?>> lines = Json.lines(run.out());
    assertThat(lines).hasSize(3);
    assertThat(lines.get(1).get("file")).isEqualTo(directory.resolve("part-1.txt").toString());
    assertThat(((Number) lines.get(0).get("rows")).longValue()).isEqualTo(lines(0).size());
    assertThat(((Number) lines.get(2).get("rows")).longValue()).isEqualTo(3);
    run = bloomWith("a\nb\na\n", "partition", "-n", 2, "-f", "-o", directory);
    assertThat(run.out()).startsWith("Partitioned by key\n  rows           3\n");
    assertThat(bloomWith("a\n", "partition", "-n", 2, "-f", "-q", "-o", directory).out()).isEmpty();
  }

  @Test
  void typesAndSeedsDecideThePart() throws IOException {
    bloomWith("42\n0042\n0x2a\n", "partition", "-n", 5, "--type", "int64", "-o", directory);
    assertThat(all(5)).containsExactly("42", "0042", "0x2a");
    for (int seed : new int[] {0, 7}) {
      bloomWith("one\n", "partition", "-n", 5, "--seed", seed, "-f", "-q", "-o", directory);
      int part = PartitionRun.part(Hasher.xxh3(seed).hash("one".getBytes(UTF_8)), 5);
      assertThat(lines(part)).containsExactly("one");
    }
  }
}
