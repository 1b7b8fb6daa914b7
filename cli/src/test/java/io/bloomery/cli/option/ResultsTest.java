package io.bloomery.cli.option;

import static io.bloomery.cli.Bloom.bloom;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code -o} of the commands that print results. */
class ResultsTest {

  @TempDir private Path directory;

  @BeforeEach
  void prepare() throws IOException {
    write("a.csv", "id,x\n1,p\n2,q\n3,r\n");
    write("b.csv", "id,y\n3,s\n1,t\n1,u\n");
    Path keys = write("keys", "one\ntwo\n");
    assertThat(bloom("build", keys, "-o", file("f.bloom"), "-p", "1e-9").code()).isZero();
    Path logs = Files.createDirectory(file("logs"));
    Files.writeString(logs.resolve("log"), "one day\n");
    assertThat(bloom("index", logs, "-o", file("i.bloomidx")).code()).isZero();
  }

  private Path file(String name) {
    return directory.resolve(name);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(file(name), text);
  }

  private Bloom.Run run(String line, Object... more) {
    List<Object> words = new ArrayList<>();
    for (String word : line.split(" ", -1)) {
      words.add(Files.exists(file(word)) ? file(word) : word);
    }
    words.addAll(List.of(more));
    return bloom(words.toArray());
  }

  private long files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.count();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "join a.csv b.csv --on id",
        "diff a.csv b.csv",
        "check f.bloom keys a.csv",
        "dedup a.csv b.csv a.csv",
        "top a.csv b.csv",
        "find one i.bloomidx --grep"
      })
  void theFileHasTheBytesOfStandardOutput(String line) throws IOException {
    Bloom.Run printed = run(line, "-q");
    assertThat(printed.out()).isNotEmpty();
    assertThat(run(line, "-q", "-o", "-")).isEqualTo(printed);
    Path out = file("out");
    long before = files();
    assertThat(run(line, "-q", "-o", out)).isEqualTo(new Bloom.Run(0, "", ""));
    assertThat(Files.readString(out)).isEqualTo(printed.out());
    assertThat(files()).isEqualTo(before + 1);
    assertThat(run(line, "-o", out).err())
        .isEqualTo("bloom: " + out + ": exists; --force overwrites it\n");
    Files.writeString(out, "old\n");
    assertThat(run(line, "-q", "-f", "-o", out).code()).isZero();
    assertThat(Files.readString(out)).isEqualTo(printed.out());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "join a.csv b.csv --on id -o b.csv",
        "diff a.csv b.csv -o a.csv",
        "check f.bloom keys -o keys",
        "check f.bloom keys -o f.bloom",
        "top a.csv -o a.csv",
        "find one i.bloomidx -o i.bloomidx"
      })
  void anInputIsNotOverwritten(String line) throws IOException {
    Path target = file(line.substring(line.lastIndexOf(' ') + 1));
    byte[] before = Files.readAllBytes(target);
    Bloom.Run run = run(line, "-f");
    assertThat(run.err())
        .isEqualTo("bloom: " + target + ": is read as well; write to another file\n");
    assertThat(run.code()).isEqualTo(2);
    assertThat(target).hasBinaryContent(before);
    Path link = Files.createLink(file("link"), target);
    assertThat(run(line.substring(0, line.lastIndexOf(' ')), link, "-f").code()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "join a.csv bad.csv --on id",
        "diff a.csv bad.csv --column id",
        "check f.bloom keys bad.csv --column 1"
      })
  void aFailedCommandLeavesTheFileUnchanged(String line) throws IOException {
    write("bad.csv", "id,y\n3,\"s\n");
    Path out = write("out", "old\n");
    long before = files();
    assertThat(run(line, "-f", "-o", out).code()).isEqualTo(2);
    assertThat(out).hasContent("old\n");
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void theSummaryGoesToStandardOutputOnRequest() {
    Path out = file("out");
    assertThat(run("join a.csv b.csv --on id --json", "-o", out).out()).contains("\"rows\":3,");
    assertThat(out).hasContent("id,x,y\n1,p,t\n1,p,u\n3,r,s\n");
    assertThat(run("check f.bloom keys --count", "-fo", out).out())
        .isEqualTo("2 keys: 2 probably present, 0 certainly absent\n");
    assertThat(out).hasContent("probably present\tone\nprobably present\ttwo\n");
    assertThat(run("diff a.csv b.csv --silent", "-fo", out).err())
        .isEqualTo("bloom: --silent prints nothing; leave out -o\n");
  }
}
