package io.bloomery.cli.index;

import static io.bloomery.cli.Bloom.bloom;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Indexes of older versions, as they were written then, answer as they did. */
class OldIndexesTest {

  @TempDir private Path directory;

  private Path index(String name) throws IOException {
    Path index = directory.resolve(name);
    try (InputStream in = OldIndexesTest.class.getResourceAsStream(name)) {
      Files.write(index, in.readAllBytes());
    }
    return index;
  }

  private void write(String name, String before, String line) throws IOException {
    Files.createDirectories(directory.resolve("files"));
    Files.writeString(
        directory.resolve("files").resolve(name),
        IntStream.rangeClosed(1, 900)
            .mapToObj(i -> line.replace("&", "" + i))
            .collect(Collectors.joining("", before, "")));
  }

  private Map<?, ?> summary(Object... words) {
    Bloom.Run run = bloom(words);
    assertThat(run.err()).isEmpty();
    return Json.lines(run.out()).get(Json.lines(run.out()).size() - 1);
  }

  @Test
  void tokens() throws IOException {
    write("a.txt", "", "10:00 Event id-& of Many\n");
    Path index = index("version2-tokens.bloomidx");
    for (int i = 1; i <= 900; i += 41) {
      Map<?, ?> found = summary("find", "--trust", "--json", "id-" + i, index);
      assertThat(found.get("filesFound")).isEqualTo(1.0);
      assertThat((Double) found.get("bytesRead")).isLessThan(10_000);
    }
    assertThat(Json.lines(bloom("find", "--trust", "--json", "-iq", "ID-7", index).out()))
        .hasSize(1);
    assertThat(summary("index", "--update", index, "--json").get("filesRead")).isEqualTo(1.0);
    assertThat(bloom("info", index).out()).contains("version 3");
  }

  /** Its filters have keys between tabs, which are rows of CSV by now: everything is read. */
  @Test
  void keysOfSeveralColumns() throws IOException {
    write("t.tsv", "one\ttwo\tthree\n", "Rome\t&\tx\n");
    Path index = index("version2-columns.bloomidx");
    for (int i = 1; i <= 900; i += 41) {
      assertThat(summary("find", "--trust", "--json", "Rome," + i, index).get("filesFound"))
          .isEqualTo(1.0);
    }
    assertThat(summary("find", "--trust", "--json", "Rome\t7", index).get("filesFound"))
        .isEqualTo(0.0);
    assertThat(summary("index", "--update", index, "--json").get("filesRead")).isEqualTo(1.0);
    Map<?, ?> found = summary("find", "--trust", "--json", "Rome,77", index);
    assertThat(found.get("filesFound")).isEqualTo(1.0);
    assertThat((Double) found.get("bytesRead")).isLessThan(10_000);
  }
}
