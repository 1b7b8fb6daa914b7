package io.bloomery.cli.index;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Runs.assertError;
import static io.bloomery.cli.index.IndexFixture.lines;
import static io.bloomery.cli.index.IndexFixture.touch;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexCommandTest {

  @TempDir private Path directory;

  private IndexFixture fixture;
  private Path log;

  @BeforeEach
  void makeLogs() throws IOException {
    fixture = new IndexFixture(directory);
    log = fixture.write("a.log", lines("a", 0, 3000));
    fixture.write("b.log", lines("b", 0, 3000));
    fixture.write("s1", "one\n");
    fixture.write("s2", "two\n");
  }

  private static void assertFiles(Map<?, ?> report, int files, int read, int unchanged) {
    assertThat(report.get("files")).isEqualTo((double) files);
    assertThat(report.get("filesRead")).isEqualTo((double) read);
    assertThat(report.get("filesUnchanged")).isEqualTo((double) unchanged);
  }

  @Test
  void theIndexTakesAtMostItsShareOfTheContent() throws IOException {
    fixture.write("large.log", lines("l", 0, 100_000));
    for (double share : new double[] {0.01, 0.02, 0.1}) {
      Map<?, ?> report = fixture.make("--share", share, "--block-size", "64KiB");
      double content = (Double) report.get("contentBytes");
      assertThat((Double) report.get("indexBytes")).isLessThanOrEqualTo(share * content + 300);
      assertThat(Files.size(fixture.index()))
          .isEqualTo(((Double) report.get("indexBytes")).longValue());
    }
  }

  @Test
  void repeatingTheCommandReadsNothing() throws IOException {
    assertFiles(fixture.make(), 4, 4, 0);
    byte[] before = Files.readAllBytes(fixture.index());
    Map<?, ?> again = fixture.make();
    assertFiles(again, 4, 0, 4);
    assertThat(again.get("contentBytesRead")).isEqualTo(0.0);
    assertThat(Files.readAllBytes(fixture.index())).isEqualTo(before);
    assertFiles(fixture.make("--force"), 4, 4, 0);
    assertThat(Files.readAllBytes(fixture.index())).isEqualTo(before);
    assertFiles(fixture.make("--rate", "1%"), 4, 4, 0);
  }

  @Test
  void anUpdateGivesTheSameBytesAsANewIndex() throws IOException {
    fixture.make();
    Files.writeString(log, lines("a", 3000, 3500), StandardOpenOption.APPEND);
    fixture.write("b.log", lines("n", 0, 2000));
    Files.delete(fixture.logs().resolve("s1"));
    fixture.write("s3", "three\n");
    assertThat(bloom("index", "--update", fixture.index(), "-q").err()).isEmpty();
    byte[] updated = Files.readAllBytes(fixture.index());
    fixture.make("--force");
    assertThat(updated).isEqualTo(Files.readAllBytes(fixture.index()));
    assertThat(fixture.find("a-3400")).containsExactly("a.log");
    assertThat(fixture.find("b-1")).isEmpty();
    assertThat(fixture.find("one")).isEmpty();
    assertThat(fixture.find("three")).containsExactly("s3");
  }

  /** Waits until files that change get a later time than this one: clocks of file systems tick. */
  private void awaitTick(Path file) throws IOException {
    Object changed = Files.getAttribute(file, "unix:ctime");
    Path probe = directory.resolve("probe");
    do {
      Files.writeString(probe, "x");
    } while (Files.getAttribute(probe, "unix:ctime").equals(changed));
    Files.delete(probe);
  }

  /**
   * Any program can restore a file's size and modification time, but not its change time (ctime).
   */
  @Test
  void aFileEditedInPlaceIsReadDespiteEqualSizeAndTime() throws Exception {
    Path log = Files.writeString(directory.resolve("edited.log"), "user=before\n".repeat(9000));
    Path edited = directory.resolve("edited.bloomidx");
    assertThat(bloom("index", log, "-o", edited).code()).isZero();
    assertThat(bloom("find", "user=after!", edited).code()).isEqualTo(1);
    FileTime time = Files.getLastModifiedTime(log);
    awaitTick(log);
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
      file.seek(12 * 4500);
      file.writeBytes("user=after!\n");
    }
    Files.setLastModifiedTime(log, time);
    assertThat(Files.size(log)).isEqualTo(12 * 9000);
    assertThat(bloom("find", "user=after!", edited).code()).isZero();
    assertThat(bloom("index", "--update", edited, "-q").code()).isZero();
    Bloom.Run found = bloom("find", "--grep", "--line-number", "user=after!", edited);
    assertThat(found.out()).endsWith("edited.log:4501:user=after!\n");
    assertThat(found.err()).doesNotContain("changed since");
  }

  /** The promised share includes what must be decompressed to reach a block. */
  @Test
  void theShareOfACompressedFileIsWhatIsRead() throws IOException {
    Path packed = directory.resolve("lines.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      for (int i = 0; i < 200_000; i++) {
        out.write(("line " + Long.toHexString(i * 0x9E3779B97F4A7C15L) + "\n").getBytes(UTF_8));
      }
    }
    Path gz = directory.resolve("gz.bloomidx");
    Map<?, ?> report =
        Json.object(
            bloom("index", packed, "-o", gz, "--block-size", "64KiB", "-p", "5%", "--json").out());
    double promised = (Double) report.get("readInVain");
    double content = (Double) report.get("contentBytes");
    double sum = 0;
    double squares = 0;
    int samples = 400;
    for (int i = 0; i < samples; i++) {
      Map<?, ?> json = Json.object(bloom("find", "absent" + i, gz, "--json").out());
      double share = (Double) json.get("bytesRead") / content;
      sum += share;
      squares += share * share;
    }
    double mean = sum / samples;
    double deviation = Math.sqrt((squares / samples - mean * mean) / samples);
    // Decompression goes in pieces of 256 KiB, so up to one piece more than needed is read.
    assertThat(mean)
        .isBetween(promised - 5 * deviation, promised + 5 * deviation + (1 << 18) / content);
    assertThat(promised).isGreaterThan(0.3);
  }

  @Test
  void onlyTheEndOfAGrownFileIsRead() throws IOException {
    fixture.make();
    Files.writeString(log, "the end\n", StandardOpenOption.APPEND);
    Map<?, ?> report = fixture.make();
    assertFiles(report, 4, 1, 3);
    assertThat((Double) report.get("contentBytesRead")).isLessThan(5000);
    assertThat(fixture.find("end")).containsExactly("a.log");
    assertThat(fixture.findRun("--grep", "--line-number", "end").out()).endsWith(":3001:the end\n");
    assertThat(fixture.find("a-0")).containsExactly("a.log");
  }

  @Test
  void aLargerFileWithAnotherBeginningIsReadCompletely() throws IOException {
    fixture.make();
    Files.writeString(log, lines("n", 0, 4000));
    assertThat(fixture.findRun("a-5").code()).isEqualTo(1);
    assertThat(fixture.findRun("-s", "n-5").code()).isZero();
    assertThat((Double) fixture.make().get("contentBytesRead")).isGreaterThan(50_000);
    assertThat(fixture.find("n-5")).containsExactly("a.log");
  }

  @Test
  void aPartlyWrittenLineIsFoundOnceComplete() throws IOException {
    fixture.write("growing", lines("g", 0, 1000) + "half");
    fixture.make();
    Path growing = fixture.logs().resolve("growing");
    Files.writeString(growing, "way there\nmore\n", StandardOpenOption.APPEND);
    Bloom.Run run = fixture.findRun("--grep", "halfway there");
    assertThat(run.out()).isEqualTo(growing + ":halfway there\n");
    assertThat(run.err())
        .startsWith("bloom: warning: 1 file was added or changed since the index was made")
        .matches("(?s).*\n1 file; [0-9.]+ kB read\n");
    assertThat(fixture.findRun("half").code()).isEqualTo(1);
    fixture.make();
    assertThat(fixture.find("halfway there")).containsExactly("growing");
  }

  @Test
  void anOutdatedIndexGivesNoWrongAnswer() throws IOException {
    fixture.make();
    fixture.write("new/file", "brand new\n");
    Files.writeString(log, "changed\n");
    Files.writeString(fixture.logs().resolve("s1"), "ten\n");
    touch(fixture.logs().resolve("s1"));
    Files.delete(fixture.logs().resolve("b.log"));
    assertThat(fixture.find("brand")).containsExactly("new/file");
    assertThat(fixture.find("changed")).containsExactly("a.log");
    assertThat(fixture.find("a-1", "b-1", "one")).isEmpty();
    assertThat(fixture.find("ten")).containsExactly("s1");
    assertThat(fixture.find("two")).containsExactly("s2");
    assertThat(fixture.findRun("two").err()).startsWith("bloom: warning: 3 files were added or");
    assertFiles(fixture.make(), 4, 4, 0);
    assertThat(fixture.findRun("two").err()).doesNotContain("warning");
  }

  @Test
  void aRenamedFileIsNotReadAgain() throws IOException {
    fixture.make();
    Files.move(log, fixture.logs().resolve("a.log.1"));
    Files.move(fixture.logs().resolve("s2"), fixture.logs().resolve("s9"));
    fixture.write("a.log", lines("new", 0, 2000));
    Bloom.Run run = fixture.findRun("-c", "a-17");
    assertThat(run.out()).isEqualTo(fixture.logs().resolve("a.log.1") + ":1\n");
    assertThat(run.err()).contains("1 file was added");
    assertFiles(fixture.make(), 5, 1, 4);
    assertThat(fixture.find("two")).containsExactly("s9");
  }

  @Test
  void filesAndIndexCanBeMovedTogether() throws IOException {
    fixture.make();
    Path moved = directory.resolveSibling(directory.getFileName() + "-moved");
    Files.move(directory, moved);
    try {
      Bloom.Run run = bloom("find", "a-17", moved.resolve("logs.bloomidx"));
      assertThat(run.out()).isEqualTo(moved.resolve("logs/a.log") + "\n");
      assertThat(run.err()).startsWith("1 file; ");
    } finally {
      Files.move(moved, directory);
    }
  }

  @Test
  void loopsAndTheIndexItselfAreNotFollowed() throws IOException {
    Files.createSymbolicLink(fixture.logs().resolve("loop"), fixture.logs());
    Files.createSymbolicLink(fixture.logs().resolve("link"), log);
    Path inside = fixture.logs().resolve("x.bloomidx");
    for (int round = 0; round < 2; round++) {
      Bloom.Run run = bloom("index", fixture.logs(), "-o", inside);
      assertThat(run.code()).isZero();
      assertThat(run.out()).contains("files            4: ");
    }
    assertThat(bloom("find", "a-17", inside).out()).isEqualTo(log + "\n");
    Path other = directory.resolve("linked");
    Files.createSymbolicLink(other, fixture.logs());
    assertThat(bloom("index", other, "-o", directory.resolve("y")).out())
        .contains("files            5: 4 read");
  }

  @Test
  void unreadableFilesAreReportedAndTheRestIsIndexed() throws IOException {
    Files.write(fixture.logs().resolve("bad.gz"), new byte[] {0x1F, (byte) 0x8B, 8, 0, 1, 2, 3});
    Bloom.Run run = bloom("index", fixture.logs(), "-o", fixture.index());
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .contains("warning: ", "bad.gz: the gzip data are cut off")
        .hasLineCount(1);
    assertThat(run.out()).contains("files            4: ");
    Bloom.Run found = fixture.findRun("a-17");
    assertThat(found.code()).isEqualTo(2);
    assertThat(found.out()).isEqualTo(log + "\n");
  }

  @Test
  void mistakesAreErrors() throws IOException {
    Path index = fixture.index();
    assertError(bloom("index", fixture.logs()), "an index needs a file: -o FILE");
    assertError(bloom("index", "-o", index), "nothing to index");
    assertError(bloom("index", directory.resolve("no"), "-o", index), "no: no such file");
    assertError(bloom("index", "--update", index), "logs.bloomidx: no such file");
    assertError(bloom("index", log, "--update", log), "leave them out, or leave out --update");
    assertError(bloom("index", "--update", log), "a.log: is not an index");
    assertError(bloom("index", log, "-o", log), "a.log: exists; --force overwrites it");
    assertError(bloom("index", log, "-o", index, "--block-size", "1K"), "must be 4KiB to 256MiB");
    assertError(
        bloom("index", log, "-o", index, "--whole-lines", "--joints", "-"), "--joints is about");
    assertThat(Files.exists(index)).isFalse();
  }
}
