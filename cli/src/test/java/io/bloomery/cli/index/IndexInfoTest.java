package io.bloomery.cli.index;

import static io.bloomery.cli.Bloom.bloom;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code info} and {@code verify} on an index of files. */
class IndexInfoTest {

  @TempDir private Path directory;
  private Path index;

  @BeforeEach
  void build() throws IOException {
    Path logs = Files.createDirectory(directory.resolve("logs"));
    Files.writeString(logs.resolve("a.log"), "one two\n".repeat(1000));
    Files.write(logs.resolve("b.bin"), new byte[] {0, 1, 2, 3});
    index = directory.resolve("x.bloomidx");
    assertThat(bloom("index", logs, "-o", index, "-q").code()).isZero();
  }

  @Test
  void infoDescribesAnIndex() {
    Bloom.Run run = bloom("info", index);
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .startsWith(index.toString())
        .containsPattern("format +index of files, version 3\n")
        .containsPattern("keys +tokens, joined by -\\.\n")
        .containsPattern("roots +" + directory.resolve("logs"))
        .containsPattern("files +2\n")
        .containsPattern("content +8,000 bytes")
        .containsPattern("blocks +1\n")
        .containsPattern("read needlessly +")
        .contains("b.bin");
    assertThat(bloom("info", "--json", index).out())
        .contains("\"version\":3", "\"files\":2", "\"filesLeftOut\":1", "\"contentBytes\":8000");
  }

  @Test
  void verifyDetectsAChangeOfAnyByte() throws IOException {
    assertThat(bloom("verify", index).out()).contains("table and 1 block are sound");
    byte[] bytes = Files.readAllBytes(index);
    Path damaged = directory.resolve("damaged.bloomidx");
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] ^= 4;
      Files.write(damaged, bytes);
      Bloom.Run run = bloom("verify", damaged);
      assertThat(run.code()).as("byte %d: %s", i, run.err()).isEqualTo(1);
      bytes[i] ^= 4;
    }
    bytes[7] = 1; // format version 1
    Files.write(damaged, bytes);
    assertThat(bloom("verify", damaged).code()).isEqualTo(1);
    Files.write(damaged, new byte[] {'B', 'L', 'M', 'I', 'D', 'X', 0});
    assertThat(bloom("verify", damaged).code()).isBetween(1, 2);
  }

  @Test
  void keysAreNotLookedUpInAnIndex() {
    Bloom.Run run = bloom("verify", index, "--present", directory.resolve("logs/a.log"));
    assertThat(run.err()).contains("is an index; bloom find looks up keys").hasLineCount(1);
    assertThat(run.code()).isEqualTo(2);
  }
}
