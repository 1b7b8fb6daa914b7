package io.bloomery.cli.dedup;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static io.bloomery.testkit.Inputs.gzip;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bloom dedup -o} writes a complete file or none. */
class DedupOutputTest {

  @TempDir private Path directory;

  private long files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.count();
    }
  }

  @Test
  void linesGoToTheFile() throws IOException {
    Path out = directory.resolve("out");
    Bloom.Run run = bloomWith("a\nb\na\n", "dedup", "-o", out);
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("  new            2\n");
    assertThat(out).hasContent("a\nb\n");
    assertError(bloomWith("c\n", "dedup", "-o", out), out + ": exists; --force overwrites it");
    assertThat(bloomWith("c\n", "dedup", "-f", "-o", out, "--json").out())
        .startsWith("{\"linesRead\":1,\"newLines\":1,");
    assertThat(out).hasContent("c\n");
    assertThat(bloomWith("a\nb\na\n", "dedup", "-d", "-q", "-f", "-o", out).err()).isEmpty();
    assertThat(out).hasContent("a\n");
    assertThat(files()).isEqualTo(1);
  }

  /** The file is replaced after all of it has been read. */
  @Test
  void aFileMayReplaceItself() throws IOException {
    String once = IntStream.range(0, 200_000).mapToObj(i -> i + "\n").collect(joining());
    Path file = Files.writeString(directory.resolve("lines"), once + once);
    assertThat(bloom("dedup", file, "-q", "-f", "-o", file).code()).isZero();
    assertThat(Files.readString(file)).isEqualTo(once);
  }

  @Test
  void aFailedCommandLeavesTheFileUnchanged() throws IOException {
    byte[] packed = gzip("one\ntwo\n");
    packed[packed.length - 5] ^= 1;
    Path damaged = Files.write(directory.resolve("damaged.gz"), packed);
    Path out = Files.writeString(directory.resolve("out"), "old\n");
    assertError(bloom("dedup", damaged, "-f", "-o", out), "damaged gzip data");
    assertThat(out).hasContent("old\n");
    assertThat(files()).isEqualTo(2);
    assertError(bloom("dedup", "-o", directory), "is a directory");
    assertError(bloom("dedup", "-o", directory.resolve("no/such")), "there is no directory");
  }
}
