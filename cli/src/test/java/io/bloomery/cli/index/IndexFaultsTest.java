package io.bloomery.cli.index;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.index.IndexFixture.lines;
import static io.bloomery.testkit.Inputs.gzip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.bloomery.cli.Bloom;
import io.bloomery.cli.BloomProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Indexing and searching while files change, cannot be read, or the process is interrupted. */
class IndexFaultsTest {

  @TempDir private Path directory;

  private IndexFixture fixture;

  @BeforeEach
  void makeFixture() throws IOException {
    fixture = new IndexFixture(directory);
  }

  private List<String> filesBesideTheLogs() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Interrupts the command once its temporary file appears, so while it is writing. */
  @Test
  void anInterruptLeavesTheOldIndexAndNothingElse() throws Exception {
    fixture.write("a.log", lines("a", 0, 300));
    fixture.make();
    byte[] before = Files.readAllBytes(fixture.index());
    fixture.write("b.log", lines("b", 0, 500_000));
    try (BloomProcess process = BloomProcess.start("index", "--update", fixture.index())) {
      BloomProcess.await(
          () -> {
            try {
              return filesBesideTheLogs().size() > 2 || !process.isRunning();
            } catch (IOException e) {
              return false;
            }
          },
          "the temporary file");
      assertThat(new ProcessBuilder("kill", "-INT", "" + process.pid()).start().waitFor()).isZero();
      assertThat(process.exitCode()).isEqualTo(130);
      assertThat(process.err()).isEmpty();
      assertThat(process.out()).isEmpty();
    }
    assertThat(filesBesideTheLogs()).containsExactly("logs", "logs.bloomidx");
    assertThat(Files.readAllBytes(fixture.index())).isEqualTo(before);
    assertThat(fixture.find("b-499999")).containsExactly("b.log");
  }

  @Test
  void concurrentUpdatesAreBothCompleteAndCorrect() throws Exception {
    fixture.write("a.log", lines("a", 0, 3000));
    fixture.make();
    for (int round = 0; round < 2; round++) {
      fixture.write("b" + round + ".log", lines("b" + round, 0, 20_000));
      try (BloomProcess one = BloomProcess.start("index", "--update", fixture.index(), "-q");
          BloomProcess two = BloomProcess.start("index", "--update", fixture.index(), "-q")) {
        while (one.isRunning() || two.isRunning()) {
          assertThat(fixture.find("a-17")).containsExactly("a.log");
        }
        assertThat(one.exitCode()).as(one.err()).isZero();
        assertThat(two.exitCode()).as(two.err()).isZero();
        assertThat(one.err() + two.err()).isEmpty();
      }
      byte[] updated = Files.readAllBytes(fixture.index());
      fixture.make("--force");
      assertThat(Files.readAllBytes(fixture.index())).isEqualTo(updated);
    }
    assertThat(filesBesideTheLogs()).containsExactly("logs", "logs.bloomidx");
  }

  @Test
  void filesWithoutReadPermissionAreNamedAndLeftOut() throws IOException {
    Path secret = fixture.write("secret.log", lines("s", 0, 100));
    Path hidden = fixture.write("hidden/h.log", lines("h", 0, 100)).getParent();
    fixture.write("open.log", lines("o", 0, 100));
    Assumptions.assumeTrue(
        secret.toFile().setReadable(false) && !Files.isReadable(secret),
        "the superuser reads everything");
    assertThat(hidden.toFile().setReadable(false)).isTrue();
    try {
      Bloom.Run run = bloom("index", fixture.logs(), "-o", fixture.index());
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err())
          .contains("secret.log: permission denied", "hidden: permission denied")
          .hasLineCount(2);
      assertThat(run.out()).contains("files         1: 1 read");
      Bloom.Run found = fixture.findRun("o-17");
      assertThat(found.code()).isEqualTo(2);
      assertThat(found.out()).isEqualTo(fixture.logs().resolve("open.log") + "\n");
      assertThat(found.err()).contains("secret.log: permission denied");
      assertThat(fixture.findRun("--trust", "o-17").code()).isZero();
    } finally {
      assertThat(hidden.toFile().setReadable(true)).isTrue();
    }
    assertThat(secret.toFile().setReadable(true)).isTrue();
    assertThat(fixture.find("s-17", "h-17")).containsExactly("hidden/h.log", "secret.log");
    fixture.make();
    assertThat(fixture.find("s-17", "h-17")).containsExactly("hidden/h.log", "secret.log");
  }

  @Test
  void thousandsOfSmallFilesShareBlocks() throws IOException {
    for (int i = 0; i < 2000; i++) {
      fixture.write("d" + i % 20 + "/f" + i, "common line\nonly-" + i + "\n");
    }
    var report = fixture.make("--block-size", "64KiB", "--share", "50%");
    assertThat(report.get("files")).isEqualTo(2000.0);
    assertThat((Double) report.get("blocks")).isLessThan(4);
    for (int i = 0; i < 2000; i += 577) {
      assertThat(fixture.find("only-" + i)).containsExactly("d" + i % 20 + "/f" + i);
    }
    assertThat(fixture.find("only-2000")).isEmpty();
    assertThat(fixture.find("common")).hasSize(2000);
    fixture.write("d3/f3", "other\n");
    Files.delete(fixture.logs().resolve("d4/f4"));
    assertThat(fixture.find("only-3", "only-4")).isEmpty();
    assertThat(fixture.find("other")).containsExactly("d3/f3");
    assertThat(fixture.make("--block-size", "64KiB", "--share", "50%").get("files"))
        .isEqualTo(1999.0);
    assertThat(fixture.find("other", "only-23")).containsExactly("d3/f23", "d3/f3");
  }

  /** A compressed file may consist of several compressed members. */
  @Test
  void everyMemberOfACompressedFileIsIndexed() throws IOException {
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    ByteArrayOutputStream zstd = new ByteArrayOutputStream();
    for (int i = 0; i < 5; i++) {
      gzip.writeBytes(gzip(lines("g" + i, 0, 400)));
      zstd.writeBytes(Zstd.compress(lines("z" + i, 0, 400).getBytes(UTF_8)));
    }
    Files.write(fixture.logs().resolve("a.gz"), gzip.toByteArray());
    Files.write(fixture.logs().resolve("b.zst"), zstd.toByteArray());
    fixture.make("--share", "50%");
    for (int i = 0; i < 5; i++) {
      assertThat(fixture.find("g" + i + "-399")).containsExactly("a.gz");
      assertThat(fixture.find("z" + i + "-0")).containsExactly("b.zst");
    }
    assertThat(fixture.findRun("--grep", "--line-number", "z4-399").out())
        .endsWith("b.zst:2000:10:00 GET /z4/0 id=z4-399 ok\n");
  }

  @Test
  void filesThatShrinkOrVanishGiveNoWrongAnswer() throws IOException {
    Path shrunk = fixture.write("shrunk.log", lines("s", 0, 3000));
    Path gone = fixture.write("gone.log", lines("g", 0, 3000));
    Path packed = Files.write(fixture.logs().resolve("p.gz"), gzip(lines("p", 0, 3000)));
    fixture.make();
    Files.writeString(shrunk, lines("s", 0, 100));
    Files.delete(gone);
    Files.write(packed, gzip(lines("p", 0, 10)));
    assertThat(fixture.find("s-50", "g-50", "p-5")).containsExactly("p.gz", "shrunk.log");
    assertThat(fixture.find("s-2000", "g-2000", "p-2000")).isEmpty();
    Bloom.Run trusted = fixture.findRun("--trust", "s-50", "s-2000", "g-2000");
    assertThat(trusted.out()).isEqualTo(shrunk + "\n");
    assertThat(trusted.err()).contains("gone.log: no such file");
    assertThat(trusted.code()).isEqualTo(2);
  }

  @Test
  void anIndexedFileThatIsGoneIsNamed() throws IOException {
    Path one = fixture.write("one.log", lines("one", 0, 100));
    Path two = fixture.write("two.log", lines("two", 0, 100));
    assertThat(bloom("index", one, two, "-o", fixture.index(), "-q").code()).isZero();
    Files.delete(two);
    Bloom.Run run = fixture.findRun("one-17");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out()).isEqualTo(one + "\n");
    assertThat(run.err()).contains("two.log: no such file");
  }

  @Test
  void linesLongerThanAChunkAndKeysAcrossChunksAreFound() throws IOException {
    StringBuilder text = new StringBuilder("first\n");
    for (int i = 0; i < 6; i++) {
      text.append("x ".repeat(100_000 + i)).append("mark-").append(i).append(" y\n");
    }
    text.append("short\n".repeat(50_000)).append("mark-9");
    Path file = fixture.write("long", text.toString());
    for (String size : List.of("4KiB", "1MiB", "32MiB")) {
      fixture.make("--block-size", size, "--force");
      assertThat(fixture.find("-c", "mark-0", "mark-3", "mark-5", "mark-9"))
          .containsExactly("long:4");
      assertThat(fixture.find("-c", "short")).containsExactly("long:50000");
      assertThat(fixture.findRun("--grep", "--line-number", "mark-9").out())
          .isEqualTo(file + ":50008:mark-9\n");
    }
    Files.writeString(file, text.insert(0, "zero\n"));
    assertThat(fixture.find("-c", "mark-0", "mark-5", "mark-9")).containsExactly("long:3");
    assertThat(fixture.findRun("--grep", "--line-number", "mark-9").out())
        .isEqualTo(file + ":50009:mark-9\n");
  }

  @Test
  void blocksTooLargeForTheHeapAreRefused() throws Exception {
    fixture.write("a.log", lines("a", 0, 300));
    try (BloomProcess process =
        BloomProcess.start(
            "index", fixture.logs(), "-o", fixture.index(), "--block-size", "256MiB")) {
      assertThat(process.exitCode()).isEqualTo(2);
      assertThat(process.err())
          .matches(
              "bloom: blocks of 268 MB need up to .* BLOOM_JAVA_OPTS=-Xmx\\d+m gives enough\n");
    }
  }

  /** Nearly all tokens are distinct, so each block has as many keys as possible. */
  @Test
  void memoryIsBoundedWhateverTheContent() throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; text.length() < 17 << 20; i++) {
      text.append(Integer.toString(i, 36)).append(i % 20 == 0 ? '\n' : ' ');
    }
    fixture.write("a.log", text.toString());
    List<Object> words = new ArrayList<>(List.of("index", fixture.logs(), "-o", fixture.index()));
    words.addAll(List.of("-q", "--block-size", "8MiB"));
    try (BloomProcess process = BloomProcess.start(words.toArray())) { // 256 MB of heap
      assertThat(process.exitCode()).as(process.err()).isZero();
    }
    assertThat(fixture.find("zzzz")).containsExactly("a.log");
  }
}
