package io.bloomery.cli.index;

import static io.bloomery.cli.Runs.assertError;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Inputs;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines around matches are those that GNU grep prints, byte for byte. */
class FindContextTest {

  private static final List<String> WORDS = List.of("alpha", "beta", "gamma", "delta", "needle");

  @TempDir private Path directory;

  private IndexFixture fixture;
  private Path plain; // what grep reads: the same files, unpacked

  @BeforeEach
  void makeDirectories() throws IOException {
    fixture = new IndexFixture(directory.toRealPath());
    plain = Files.createDirectory(directory.toRealPath().resolve("unpacked"));
  }

  private void write(String name, String text, boolean packed) throws IOException {
    byte[] bytes = text.getBytes(ISO_8859_1);
    Files.write(plain.resolve(name), bytes);
    Files.write(fixture.logs().resolve(name), packed ? Inputs.gzip(text) : bytes);
  }

  /** What grep prints of all files in the order of their names; names are as find prints them. */
  private String grep(List<String> options, String... patterns) throws Exception {
    List<String> words = new ArrayList<>(List.of("grep", "-H", "-w", "-F", "-a"));
    words.addAll(options);
    for (String pattern : patterns) {
      words.addAll(List.of("-e", pattern));
    }
    words.add("--");
    try (Stream<Path> files = Files.list(plain)) {
      words.addAll(files.map(Path::toString).sorted().toList());
    }
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), ISO_8859_1);
    assertThat(process.waitFor()).isBetween(0, 1);
    return out.replace(plain.toString(), fixture.logs().toString());
  }

  private void assertLikeGrep(List<String> options, String... keys) throws Exception {
    List<Object> words = new ArrayList<>(List.of("--grep"));
    for (String option : options) {
      words.add(option.equals("-n") ? "--line-number" : option);
    }
    words.addAll(List.of(keys));
    Bloom.Run run = fixture.findRun(words.toArray());
    assertThat(run.latin1()).as(words + " " + run.err()).isEqualTo(grep(options, keys));
  }

  private String text(SplittableRandom random, int lines, int rarity, String lineEnd) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      boolean hit = random.nextInt(rarity) == 0;
      String word = WORDS.get(hit ? 4 : random.nextInt(4));
      text.append("line ").append(random.nextInt(9)).append(' ').append(word);
      text.append(" x".repeat(random.nextInt(8)));
      if (random.nextInt(20) == 0) {
        text.setLength(text.length() - 1 - random.nextInt(3));
      }
      text.append(i == lines - 1 && random.nextBoolean() ? "" : lineEnd);
    }
    return text.toString();
  }

  @Test
  void randomFilesGiveWhatGrepGives() throws Exception {
    SplittableRandom random = Seeds.random(61);
    for (int round = 0; round < 6; round++) {
      for (int i = 0; i < 6; i++) {
        int rarity = 1 << (1 + random.nextInt(9));
        String lineEnd = random.nextInt(3) == 0 ? "\r\n" : "\n";
        int lines = random.nextInt(random.nextBoolean() ? 12 : 1500);
        write("f" + i, text(random, lines, rarity, lineEnd), random.nextInt(3) == 0);
      }
      fixture.make("--share", "50%", "--joints", "", "--force");
      int before = random.nextInt(4);
      int after = random.nextInt(4);
      assertLikeGrep(List.of("-A", "" + after), "needle");
      assertLikeGrep(List.of("-B", "" + before, "-n"), "needle");
      assertLikeGrep(List.of("-C", "" + (before + 1), "-n"), "needle");
      assertLikeGrep(List.of("-A", "" + after, "-C", "7", "-n"), "needle");
      assertLikeGrep(List.of("-B", "" + before, "-A", "" + after, "-n"), "needle", "delta");
      assertLikeGrep(List.of("-C", "5000", "-n"), "needle");
      assertLikeGrep(List.of("-C", "0"), "needle");
    }
  }

  /** Blocks of 4 KiB, of which the filters let find read those with a match only. */
  @Test
  void linesOfBlocksWithoutAMatchAreRead() throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 4000; i++) {
      text.append("row ").append(i).append(" of many\n");
    }
    String many = text.toString();
    write("a.log", many, false);
    write("b.gz", many, true);
    write("c.log", many.stripTrailing(), false);
    fixture.make("--share", "50%");
    for (String key : List.of("0", "1", "229", "230", "231", "2000", "3998", "3999")) {
      assertLikeGrep(List.of("-C", "3", "-n"), key);
      assertLikeGrep(List.of("-B", "900", "-A", "2"), key);
      assertLikeGrep(List.of("-A", "900"), key, "17");
    }
    Bloom.Run run = fixture.findRun("--grep", "-C", "3", "--json", "2000");
    Map<?, ?> summary = Json.lines(run.out()).get(Json.lines(run.out()).size() - 1);
    assertThat((Double) summary.get("bytesRead")).isLessThan(2.0 * many.length());
  }

  /** The lines around a match were read by the search already. */
  @Test
  void whatIsReadTwiceCountsOnce() throws Exception {
    String text = "one\nneedle\nthree\n";
    write("a.log", text, false);
    fixture.make();
    Bloom.Run run = fixture.findRun("--grep", "-C", "1", "--json", "needle");
    List<Map<?, ?>> lines = List.copyOf(Json.lines(run.out()));
    assertThat(lines.get(lines.size() - 1).get("bytesRead")).isEqualTo((double) text.length());
  }

  @Test
  void linesLongerThanWhatIsReadAtATime() throws Exception {
    String longLine = "y ".repeat(100_000);
    write("a.log", longLine + "\n" + longLine + "needle " + longLine + "\n" + longLine, false);
    write("b.gz", longLine + "\n" + longLine + "needle " + longLine + "\n" + longLine, true);
    write("c.log", "needle\n" + "\n".repeat(70_000) + "needle", false);
    fixture.make("--joints", "");
    assertLikeGrep(List.of("-C", "1", "-n"), "needle");
    assertLikeGrep(List.of("-C", "69999", "-n"), "needle");
    assertLikeGrep(List.of("-B", "70000", "-n"), "needle");
  }

  @Test
  void jsonMarksLinesAroundMatches() throws IOException {
    fixture.write("a.log", "one\ntwo\nthree\nfour\n");
    fixture.make();
    List<Map<?, ?>> objects =
        Json.lines(fixture.findRun("--json", "--grep", "-B1", "-A", "1", "three").out());
    String file = fixture.logs().resolve("a.log").toString();
    assertThat(objects).hasSize(4);
    assertThat(objects.get(0)).hasToString("{file=" + file + ", line=2.0, text=two, context=true}");
    assertThat(objects.get(1)).hasToString("{file=" + file + ", line=3.0, text=three}");
    assertThat(objects.get(2))
        .hasToString("{file=" + file + ", line=4.0, text=four, context=true}");
  }

  /** Lines around a row are lines, also where the row has several. */
  @Test
  void rowsOfSeveralLinesAreOneMatch() throws IOException {
    String text = "id,text\n1,\"a\nb\"\n2,\"c\nd\"\n3,e\n4,f\n5,g\n";
    fixture.write("a.csv", text);
    Files.write(fixture.logs().resolve("b.csv.gz"), Inputs.gzip(text));
    fixture.make("--column", "id");
    String expected = "N-2-1,\"a\nN-3-b\"\nN:4:2,\"c\nd\"\nN-6-3,e\nN-7-4,f\nN:8:5,g\n";
    String out = fixture.findRun("--grep", "--line-number", "-B", "2", "-A", "1", "2", "5").out();
    String a = fixture.logs().resolve("a.csv").toString();
    String b = fixture.logs().resolve("b.csv.gz").toString();
    assertThat(out).isEqualTo(expected.replace("N", a) + "--\n" + expected.replace("N", b));
  }

  @Test
  void optionsThatDoNotFitAreErrors() throws IOException {
    fixture.write("a.log", "one\n");
    fixture.make();
    assertError(fixture.findRun("-C", "1", "one"), "-A, -B and -C need --grep");
    assertError(fixture.findRun("--grep", "-A", "-1", "one"), "-A is -1; it must be 0 or more");
    assertError(fixture.findRun("--grep", "-A", "x", "one"), "'x'");
    assertThat(fixture.findRun("-s", "--grep", "-A", "1", "one"))
        .isEqualTo(new Bloom.Run(0, "", ""));
  }
}
