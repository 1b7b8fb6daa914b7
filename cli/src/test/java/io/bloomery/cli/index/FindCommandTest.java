package io.bloomery.cli.index;

import static io.bloomery.cli.Runs.assertError;
import static io.bloomery.cli.index.IndexFixture.lines;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Inputs;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FindCommandTest {

  @TempDir private Path directory;

  private IndexFixture fixture;

  @BeforeEach
  void makeLogs() throws IOException {
    fixture = new IndexFixture(directory);
    fixture.write("a.log", lines("a", 0, 3000));
    fixture.write("b/c.log", lines("c", 0, 3000));
    fixture.write("small1.log", "only here\n");
    fixture.write("small2.log", "and here too");
    Files.write(fixture.logs().resolve("z.gz"), Inputs.gzip(lines("z", 0, 3000)));
  }

  @Test
  void everyKeyIsFoundInItsFileAndNowhereElse() {
    fixture.make("--share", "50%");
    for (int i = 0; i < 3000; i += 271) {
      assertThat(fixture.find("a-" + i)).containsExactly("a.log");
      assertThat(fixture.find("c-" + i)).containsExactly("b/c.log");
      assertThat(fixture.find("z-" + i)).containsExactly("z.gz");
      assertThat(fixture.find("x-" + i)).isEmpty();
    }
    assertThat(fixture.find("here")).containsExactly("small1.log", "small2.log");
    assertThat(fixture.find("slow")).containsExactly("a.log", "b/c.log", "z.gz");
    assertThat(fixture.find("only", "z-7")).containsExactly("small1.log", "z.gz");
  }

  @Test
  void linesAreThoseOfGrep() {
    fixture.make();
    Bloom.Run run = fixture.findRun("--grep", "--line-number", "id=a-2900 slow");
    assertThat(run.out())
        .isEqualTo(fixture.logs().resolve("a.log") + ":2901:10:00 GET /a/2 id=a-2900 slow\n");
    Bloom.Run all = fixture.findRun("--grep", "--line-number", "slow");
    assertThat(all.out().lines()).hasSize(90);
    assertThat(all.out()).contains("z.gz:2901:10:00 GET /z/2 id=z-2900 slow\n");
    assertThat(fixture.findRun("--grep", "here").out())
        .isEqualTo(
            "%s:only here\n%s:and here too\n"
                .formatted(
                    fixture.logs().resolve("small1.log"), fixture.logs().resolve("small2.log")));
    assertThat(fixture.findRun("--grep", "--line-number", "too").out())
        .isEqualTo(fixture.logs().resolve("small2.log") + ":1:and here too\n");
    assertThat(fixture.find("-c", "slow")).containsExactly("a.log:30", "b/c.log:30", "z.gz:30");
  }

  @Test
  void aLineMatchesAnyOrAllOfSeveralKeys() {
    fixture.make();
    assertThat(fixture.find("-c", "a-100", "a-101", "slow", "--all-keys")).isEmpty();
    assertThat(fixture.find("-c", "a-100", "slow", "--all-keys")).containsExactly("a.log:1");
    assertThat(fixture.find("-c", "a-101", "slow", "--all-keys")).isEmpty();
    assertThat(fixture.find("-c", "a-100", "a-101")).containsExactly("a.log:2");
    assertThat(fixture.find("-c", "slow", "ok")).contains("a.log:3000");
  }

  @Test
  void wholeLinesAreKeys() {
    fixture.make("--whole-lines");
    assertThat(fixture.find("10:00 GET /a/2 id=a-2900 slow")).containsExactly("a.log");
    assertThat(fixture.find("id=a-2900 slow")).isEmpty();
    assertThat(fixture.find("and here too")).containsExactly("small2.log");
  }

  @Test
  void jsonHasFilesCountsAndLines() {
    fixture.make("--share", "50%");
    String file = fixture.logs().resolve("a.log").toString();
    List<Map<?, ?>> objects = Json.lines(fixture.findRun("--json", "--grep", "a-17").out());
    assertThat(objects.get(0))
        .hasToString("{file=" + file + ", line=18.0, text=10:00 GET /a/3 id=a-17 ok}");
    Map<?, ?> report = objects.get(1);
    assertThat(report.get("keys")).isEqualTo(List.of("a-17"));
    assertThat(report.get("filesFound")).isEqualTo(1.0);
    assertThat((Double) report.get("bytesRead")).isLessThan(10_000);
    assertThat(Json.lines(fixture.findRun("--json", "-c", "a-17").out()).get(0))
        .hasToString("{file=" + file + ", count=1.0}");
    Map<?, ?> none = Json.object(fixture.findRun("--json", "nowhere").out());
    assertThat(none.get("filesFound")).isEqualTo(0.0);
  }

  @Test
  void theExitCodeSaysWhetherAnythingWasFound() {
    fixture.make();
    assertThat(fixture.findRun("-s", "slow")).isEqualTo(new Bloom.Run(0, "", ""));
    assertThat(fixture.findRun("-s", "nowhere")).isEqualTo(new Bloom.Run(1, "", ""));
    Bloom.Run quiet = fixture.findRun("-q", "slow");
    assertThat(quiet).isEqualTo(new Bloom.Run(0, fixture.findRun("slow").latin1(), ""));
    assertThat(quiet.out()).isNotEmpty();
    Bloom.Run run = fixture.findRun("nowhere");
    assertThat(run.err()).startsWith("0 files; ").endsWith(" read\n").hasLineCount(1);
  }

  @Test
  void withoutVerificationNoFileIsRead() throws IOException {
    fixture.make("--share", "50%");
    Files.writeString(fixture.logs().resolve("a.log"), "all gone");
    assertThat(fixture.findRun("--no-verify", "--trust", "a-17").out())
        .contains("/a.log\n")
        .doesNotContain("c.log", "z.gz");
  }

  @Test
  void impossibleKeysAreErrors() {
    fixture.make();
    assertError(fixture.findRun("=>"), "\"=>\" has no letter or digit");
    assertError(fixture.findRun("a\nb"), "a key cannot hold a line end");
    assertError(fixture.findRun(), "a key and an index are needed");
    assertError(fixture.findRun("--line-number", "a"), "--line-number needs --grep");
    assertError(fixture.findRun("-c", "--grep", "a"), "exclude each other");
    assertError(fixture.findRun("--no-verify", "--grep", "a"), "--no-verify reads no lines");
  }

  @Test
  void aFileThatIsNotAnIndexIsNamed() throws IOException {
    Files.writeString(fixture.index(), "something else");
    assertError(fixture.findRun("a"), "logs.bloomidx: is not an index");
    Files.delete(fixture.index());
    assertError(fixture.findRun("a"), "logs.bloomidx: no such file");
    Files.createDirectory(fixture.index());
    assertError(fixture.findRun("a"), "logs.bloomidx: is a directory");
  }

  @Test
  void unusualContentIsFoundUnchanged() throws IOException {
    String longLine = "start " + "x".repeat(20_000) + " middle " + "y".repeat(20_000) + " end";
    fixture.write("odd/long", "before\n" + longLine + "\nafter" + "\n".repeat(9000) + "last");
    fixture.write("odd/crlf", lines("w", 0, 500).replace("\n", "\r\n"));
    fixture.write("odd/empty", "");
    Files.write(fixture.logs().resolve("odd/latin"), new byte[] {'c', 'a', 'f', (byte) 0xE9, '\n'});
    Files.write(fixture.logs().resolve("odd/binary"), new byte[] {'b', 'i', 'n', 0, 'x', 'y'});
    fixture.make();
    assertThat(fixture.find("middle")).containsExactly("odd/long");
    assertThat(fixture.find("last")).containsExactly("odd/long");
    assertThat(fixture.findRun("--grep", "--line-number", "last").out())
        .endsWith("odd/long:9003:last\n");
    assertThat(fixture.find("w-499")).containsExactly("odd/crlf");
    assertThat(fixture.findRun("--grep", "w-499").out()).endsWith("id=w-499 ok\r\n");
    assertThat(fixture.find("bin")).isEmpty();
    fixture.make("--text");
    assertThat(fixture.find("bin")).containsExactly("odd/binary");
    assertThat(fixture.find("xy")).containsExactly("odd/binary");
  }
}
