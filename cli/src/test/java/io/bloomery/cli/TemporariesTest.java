package io.bloomery.cli;

import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The directory for temporary files, which the launcher takes from TMPDIR. */
class TemporariesTest {

  private static final String PROPERTY = "java.io.tmpdir";

  /** Command lines that need a temporary file: of KEYS, and of their standard input. */
  private static final String LINES =
      """
      count --exact --memory-limit 8M -q KEYS
      top --exact
      dedup --exact -q KEYS
      dedup --exact --memory-limit 8M -q KEYS
      diff --memory-limit 8M KEYS OTHER
      join --no-header --on 1 --memory-limit 8M KEYS OTHER
      check FILTER --against KEYS -q
      build -f -o OUT --format guava
      info -
      verify -
      check - -k a
      convert - -o OUT --to bloom -f
      """;

  @TempDir private Path directory;
  private final String before = System.getProperty(PROPERTY);

  @AfterEach
  void restore() {
    System.setProperty(PROPERTY, before);
  }

  private static String keys() {
    return IntStream.range(0, 120_000)
        .mapToObj(i -> i + "-" + "x".repeat(60))
        .collect(Collectors.joining("\n"));
  }

  private Bloom.Run run(String line, byte[] keys, byte[] filter) {
    Object[] words =
        Arrays.stream(line.split(" "))
            .map(word -> word.matches("[A-Z]{3,}") ? directory.resolve(word).toString() : word)
            .toArray();
    return bloomWith(line.contains(" -") && line.matches(".* -( .*)?") ? filter : keys, words);
  }

  @Test
  void everyCommandWritesThereAndSaysIfItCannot() throws IOException {
    byte[] keys = Files.readAllBytes(Files.writeString(directory.resolve("KEYS"), keys()));
    Files.write(directory.resolve("OTHER"), keys);
    Path filter = directory.resolve("FILTER");
    assertThat(bloomWith(keys, "build", "-q", "-o", filter, "--kind", "bloom").code()).isZero();
    byte[] stored = Files.readAllBytes(filter);
    Path none = directory.resolve("none");
    Path own = Files.createDirectory(directory.resolve("own"));
    for (String line : LINES.lines().toList()) {
      System.setProperty(PROPERTY, none.toString());
      Bloom.Run missing = run(line, keys, stored);
      assertThat(missing.err())
          .as(line)
          .isEqualTo(
              "bloom: temporary file in %s: no such directory; TMPDIR sets another directory\n"
                  .formatted(none));
      assertThat(missing.code()).as(line).isEqualTo(2);

      System.setProperty(PROPERTY, own.toString());
      assertThat(run(line, keys, stored).err()).as(line).doesNotContain("temporary");
      try (Stream<Path> left = Files.list(own)) {
        assertThat(left).as(line).isEmpty();
      }
    }
    System.setProperty(PROPERTY, "/proc"); // where nobody makes files
    assertThat(run("info -", keys, stored).err())
        .startsWith("bloom: temporary file in /proc: ")
        .endsWith("; TMPDIR sets another directory\n");
  }
}
