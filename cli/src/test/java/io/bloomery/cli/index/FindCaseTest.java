package io.bloomery.cli.index;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Runs.assertError;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Inputs;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import io.bloomery.tools.name.Octets;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code find -i}: an exact model of letters and their forms, and GNU grep where both agree. */
class FindCaseTest {

  /**
   * Letters, each with all of its forms: those of which Unicode's simple folding makes one. The
   * forms of a letter have different lengths in UTF-8, and some letters that look alike have none
   * in common.
   */
  private static final List<List<byte[]>> LETTERS =
      List.of(
          forms("a", "A"),
          forms("k", "K", "\u212A"), // Kelvin
          forms("s", "S", "\u017F"), // long s
          forms("i", "I"),
          forms("\u0131"), // dotless
          forms("\u0130"), // dotted
          forms("é", "É"),
          forms("å", "Å", "\u212B"), // Ångström
          forms("ß", "\u1E9E"),
          forms("σ", "ς", "Σ"),
          forms("ж", "Ж"),
          forms("\u01C6", "\u01C5", "\u01C4"), // dž in three forms
          forms("\u2C65", "\u023A"), // three bytes and two
          forms("\uD801\uDC28", "\uD801\uDC00"), // Deseret
          forms("\uFB01"), // a ligature
          forms("7"),
          List.of(new byte[] {(byte) 0xFF}), // not UTF-8
          List.of(new byte[] {(byte) 0xC3})); // half a letter

  private static final int LINES = 4000;

  /** A word: its letters by number, and the bytes in which it happens to be written. */
  private record Word(List<Integer> letters, String text) {}

  @TempDir private Path directory;

  private IndexFixture fixture;
  private final SplittableRandom random = Seeds.random(28);
  private final List<List<Word>> lines = new ArrayList<>();
  private Path file;

  private static List<byte[]> forms(String... forms) {
    return Arrays.stream(forms).map(form -> form.getBytes(UTF_8)).toList();
  }

  private Word write(List<Integer> letters) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int letter : letters) {
      List<byte[]> forms = LETTERS.get(letter);
      bytes.writeBytes(forms.get(random.nextInt(forms.size())));
    }
    return new Word(letters, Octets.text(bytes.toByteArray()));
  }

  private List<Integer> letters() {
    List<Integer> letters = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      letters.add(random.nextInt(LETTERS.size()));
    }
    return letters;
  }

  @BeforeEach
  void makeLines() throws IOException {
    fixture = new IndexFixture(directory.toRealPath());
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      List<Word> line = List.of(write(letters()), write(letters()));
      lines.add(line);
      text.append(line.get(0).text).append(' ').append(line.get(1).text);
      text.append(i % 3 == 0 ? "\r\n" : "\n");
    }
    file = Files.write(fixture.logs().resolve("words"), Octets.bytes(text.toString()));
  }

  /** The numbers of the lines that are found. */
  private List<Integer> expected(Predicate<List<Word>> matches) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (matches.test(lines.get(i))) {
        numbers.add(i + 1);
      }
    }
    return numbers;
  }

  private void assertTokensAreFound() {
    int hits = 0;
    for (int i = 0; i < 25; i++) {
      Word key = write(i % 2 == 0 ? letters() : lines.get(random.nextInt(LINES)).get(0).letters);
      List<Integer> any =
          expected(line -> line.stream().anyMatch(word -> word.letters.equals(key.letters)));
      assertThat(fixture.linesFound("-i", key.text)).as(key.text).isEqualTo(any);
      List<Integer> exact =
          expected(line -> line.stream().anyMatch(word -> word.text.equals(key.text)));
      assertThat(fixture.linesFound(key.text)).as("exactly " + key.text).isEqualTo(exact);
      assertThat(any).containsAll(exact);
      hits += any.size() - exact.size();
      Word first = write(key.letters);
      Word second = write(lines.get(i).get(1).letters);
      assertThat(fixture.linesFound("-i", "--all-keys", first.text, second.text))
          .isEqualTo(
              expected(
                  line ->
                      line.stream().anyMatch(word -> word.letters.equals(first.letters))
                          && line.stream().anyMatch(word -> word.letters.equals(second.letters))));
      List<Word> both = lines.get(random.nextInt(LINES));
      assertThat(
              fixture.linesFound(
                  "-i", write(both.get(0).letters).text + " " + write(both.get(1).letters).text))
          .isEqualTo(
              expected(
                  line ->
                      line.get(0).letters.equals(both.get(0).letters)
                          && line.get(1).letters.equals(both.get(1).letters)));
    }
    assertThat(hits).as("lines of another case").isGreaterThan(25);
  }

  @Test
  void tokensAreFoundInAnyCaseByAnIndexForThat() {
    fixture.make("--ignore-case", "--share", "90%");
    assertTokensAreFound();
  }

  @Test
  void tokensAreFoundInAnyCaseByAnyIndex() {
    fixture.make("--share", "90%");
    assertTokensAreFound();
  }

  @Test
  void tokensOfPackedFilesAreFoundInAnyCase() throws IOException {
    Files.write(fixture.logs().resolve("words.gz"), Inputs.gzip(Files.readAllBytes(file)));
    Files.delete(file);
    fixture.make("-i", "--share", "90%");
    assertTokensAreFound();
  }

  @Test
  void wholeLinesAndColumnsAreFoundInAnyCase() throws IOException {
    for (String option : new String[] {"-i", "--text"}) {
      fixture.make("--whole-lines", option, "--share", "90%");
      for (int i = 0; i < 10; i++) {
        List<Word> line = lines.get(random.nextInt(LINES));
        String key = write(line.get(0).letters).text + " " + write(line.get(1).letters).text;
        assertThat(fixture.linesFound("-i", key))
            .isEqualTo(
                expected(
                    each ->
                        each.get(0).letters.equals(line.get(0).letters)
                            && each.get(1).letters.equals(line.get(1).letters)));
      }
      fixture.make("--column", "2", "--separator", " ", option, "--share", "90%", "--force");
      for (int i = 0; i < 10; i++) {
        Word key = write(lines.get(random.nextInt(LINES)).get(1).letters);
        assertThat(fixture.linesFound("-i", key.text))
            .isEqualTo(expected(each -> each.get(1).letters.equals(key.letters)));
        assertThat(fixture.linesFound(key.text))
            .isEqualTo(expected(each -> each.get(1).text.equals(key.text)));
      }
    }
  }

  /** Words of letters that the C library folds alike. */
  @Test
  void grepFindsTheSame() throws Exception {
    String[] words = {
      "Straße", "STRAßE", "ΣΟΦΟΣ", "σοφος", "Жук", "жУК", "ÉTÉ", "été", "AbC", "aBc"
    };
    List<String> text = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      text.add(words[random.nextInt(words.length)] + " " + words[random.nextInt(words.length)] + i);
    }
    Files.delete(file);
    Files.write(fixture.logs().resolve("text"), text);
    fixture.make("-i", "--joints", "", "--share", "90%");
    for (String word : words) {
      ProcessBuilder builder =
          new ProcessBuilder("grep", "-HniwF", word, fixture.logs().resolve("text").toString());
      builder.environment().put("LC_ALL", "C.UTF-8");
      Process process = builder.start();
      String grep = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).isZero();
      assertThat(fixture.findRun("-i", "--grep", "--line-number", word).out()).isEqualTo(grep);
    }
  }

  @Test
  void anIndexForAnyCaseReadsOnlyWhereTheKeyMayBe() throws IOException {
    Files.delete(file);
    fixture.write("a.log", IndexFixture.lines("Abc", 0, 20_000));
    fixture.make("-i", "--share", "50%");
    Bloom.Run run = fixture.findRun("-i", "--json", "aBC-777");
    assertThat((Double) Json.lines(run.out()).get(1).get("bytesRead")).isLessThan(30_000);
    assertThat(run.err()).isEmpty();
    assertThat(fixture.find("--no-verify", "-i", "aBC-777")).containsExactly("a.log");
    assertThat(bloom("info", fixture.index()).out()).contains("case is ignored");
    fixture.make("--share", "50%");
    Bloom.Run all = fixture.findRun("-i", "aBC-777");
    assertThat(all.out()).endsWith("a.log\n");
    assertThat(all.err())
        .startsWith(
            "the index distinguishes case, so all files are read; bloom index --ignore-case")
        .hasLineCount(2);
    assertThat(fixture.findRun("-i", "-q", "aBC-777").err()).isEmpty();
    assertError(fixture.findRun("-i", "--no-verify", "aBC-777"), "cannot say which files");
  }

  @Test
  void anUpdateKnowsThatCaseIsIgnored() throws IOException {
    fixture.make("-i", "--share", "50%");
    fixture.write("new", "Straße\n");
    assertThat(bloom("index", "--update", fixture.index(), "-q").code()).isZero();
    assertThat(fixture.find("--trust", "-i", "STRAẞE")).containsExactly("new");
    assertThat(fixture.find("--trust", "STRAẞE")).isEmpty();
    assertError(bloom("index", "--update", fixture.index(), "-i"), "--update takes paths");
  }
}
