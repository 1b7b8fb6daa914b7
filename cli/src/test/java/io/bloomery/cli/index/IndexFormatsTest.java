package io.bloomery.cli.index;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.index.IndexFixture.lines;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compressed files, encodings, and files that an index leaves out. */
class IndexFormatsTest {

  private static final Path PACKED = Path.of("../tools/src/test/resources/unpack");

  @TempDir private Path directory;

  private IndexFixture fixture;

  @BeforeEach
  void fixture() throws IOException {
    fixture = new IndexFixture(directory);
  }

  private Path write(String name, byte[] bytes) throws IOException {
    return Files.write(fixture.logs().resolve(name), bytes);
  }

  @Test
  void compressedFilesAndEncodingsAreSearched() throws IOException {
    for (String name : List.of("large.xz", "large.bz2", "large.lz4", "large.zip")) {
      Files.copy(PACKED.resolve(name), fixture.logs().resolve(name));
    }
    write("utf16", ("\uFEFFwide " + lines("u", 0, 900)).getBytes(UTF_16LE));
    write("marked", ("\uFEFFfirst " + lines("m", 0, 900)).getBytes(UTF_8));
    fixture.make("--share", "50%");
    assertThat(fixture.find("688"))
        .containsExactly("large.bz2", "large.lz4", "large.xz", "large.zip");
    assertThat(fixture.find("u-899", "wide")).containsExactly("utf16");
    assertThat(fixture.findRun("--grep", "u-899").out()).endsWith(" id=u-899 ok\n");
    assertThat(fixture.find("first")).containsExactly("marked");
    assertThat(fixture.findRun("--grep", "m-899").out()).endsWith(" id=m-899 ok\n");
  }

  @Test
  void filesLeftOutAreNamed() throws IOException {
    fixture.write("text", lines("t", 0, 10));
    for (int i = 0; i < 7; i++) {
      write("b" + i, new byte[] {'b', 0});
    }
    write("a.7z", new byte[] {'7', 'z', (byte) 0xBC, (byte) 0xAF, 0x27, 0x1C, 0, 4});
    Files.copy(PACKED.resolve("several.zip"), fixture.logs().resolve("several.zip"));
    Map<?, ?> made = fixture.make();
    assertThat(made.get("filesLeftOut")).isEqualTo(9.0);
    assertThat(made.get("leftOut"))
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .hasSize(9)
        .contains(
            Map.of("file", fixture.logs().resolve("b6").toString(), "why", "binary"),
            Map.of("file", fixture.logs().resolve("several.zip").toString(), "why", "format"));
    Bloom.Run updated = bloom("index", "--update", fixture.index());
    String logs = fixture.logs() + "/";
    assertThat(updated.out())
        .contains("10: 0 read, 10 unchanged")
        .contains("left out         7 files that look binary (--text takes them): " + logs + "b0, ")
        .contains(logs + "b4 and 2 more\n")
        .contains("not read         2 files in a format that is not read: " + logs + "a.7z, ");
    write("new.7z", new byte[] {'7', 'z', (byte) 0xBC, (byte) 0xAF, 0x27, 0x1C, 0, 4});
    assertThat(fixture.find("t-9")).containsExactly("text");
    assertThat(fixture.findRun("7z").code()).isEqualTo(1);
  }

  @Test
  void damagedFilesAreStillProblems() throws IOException {
    fixture.write("text", "t\n");
    byte[] bytes = Files.readAllBytes(PACKED.resolve("large.xz"));
    bytes[bytes.length / 2] ^= 1;
    write("damaged.xz", bytes);
    Bloom.Run run = bloom("index", fixture.logs(), "-o", fixture.index());
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("damaged.xz: the xz data are damaged").hasLineCount(1);
  }
}
