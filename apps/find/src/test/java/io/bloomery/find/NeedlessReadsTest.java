package io.bloomery.find;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.testkit.Inputs;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import io.bloomery.tools.input.BadRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The share of packed files that is read for an absent key is what the report promises. */
class NeedlessReadsTest {

  private static final int FILES = 5;
  private static final int QUERIES = 2_000;
  private static final SearchOptions TRUSTING =
      new SearchOptions(false, false, true, true, false, false, 0, 0, List.of());

  @TempDir private Path directory;

  private final SplittableRandom random = Seeds.random(9);

  private void writeFiles(int lines) throws IOException {
    Path files = Files.createDirectory(directory.resolve("files"));
    for (int i = 0; i < FILES; i++) {
      StringBuilder text = new StringBuilder();
      for (int line = 0; line < lines; line++) {
        text.append("word-").append(random.nextInt(1 << 24)).append(" of file\n");
      }
      Files.write(files.resolve(i + ".gz"), Inputs.gzip(text.toString().getBytes(UTF_8)));
    }
  }

  private Map<?, ?> build(IndexOptions options) {
    ReadProgress silent =
        new ReadProgress() {
          @Override
          public void begin(long bytes) {}

          @Override
          public void read(long bytes) {}
        };
    IndexReport report =
        FileIndex.build(
            directory.resolve("index"),
            List.of(directory.resolve("files")),
            options,
            true,
            BadRows.fail(),
            problem -> {
              throw new AssertionError(problem);
            },
            silent);
    return Json.object(report.json());
  }

  private static final class Nothing implements Matches {
    @Override
    public void changed(List<Path> files) {}

    @Override
    public boolean line(Path file, long number, byte[] line) {
      throw new AssertionError("an absent key was found");
    }

    @Override
    public boolean end(Path file) {
      return true;
    }

    @Override
    public void candidate(Path file) {}
  }

  /**
   * The distribution of what is read of a file is known: up to the last block whose filter errs.
   */
  @Test
  void whatIsReadIsWhatWasPromised() throws IOException {
    writeFiles(3_000);
    IndexOptions options =
        new IndexOptions(KeyRule.tokens(KeyRule.JOINTS), 0.05, 0.9, 1 << 13, true, false);
    double promised = (Double) build(options).get("readInVain");
    IndexTable table = IndexFile.open(directory.resolve("index")).table();
    double mean = 0;
    double variance = 0;
    for (IndexedFile file : table.files()) {
      assertThat(file.how()).isEqualTo(IndexedFile.How.PACKED);
      assertThat(file.blocks()).isGreaterThan(5);
      double expected = 0;
      double squares = 0;
      double noneLater = 1;
      for (int i = file.firstBlock() + file.blocks() - 1; i >= file.firstBlock(); i--) {
        IndexedBlock block = table.blocks().get(i);
        double last = noneLater * block.rate(); // this filter errs and no later one does
        double read = block.from() + block.length();
        expected += last * read;
        squares += last * read * read;
        noneLater *= 1 - block.rate();
      }
      mean += expected;
      variance += squares - expected * expected;
    }
    assertThat(promised).isCloseTo(mean / table.contentBytes(), within(1e-9));
    FileIndex index = FileIndex.open(directory.resolve("index"));
    double read = 0;
    for (int i = 0; i < QUERIES; i++) {
      String key = "absent-" + Long.toHexString(random.nextLong());
      read += index.search(List.of(key), TRUSTING, problem -> {}, new Nothing()).bytesRead();
    }
    double deviation = Math.sqrt(variance / QUERIES);
    assertThat(read / QUERIES).isCloseTo(mean, within(5 * deviation));
  }

  /** One filter for all of a packed file errs less often than one of many. */
  @Test
  void blocksOfPackedFilesAreAsLongAsPossible() throws IOException {
    writeFiles(20_000);
    IndexOptions defaults = IndexOptions.of(KeyRule.tokens(KeyRule.JOINTS));
    double promised = (Double) build(defaults).get("readInVain");
    assertThat(IndexFile.open(directory.resolve("index")).table().files())
        .allMatch(file -> file.blocks() == 1);
    IndexOptions fixed =
        new IndexOptions(defaults.rule(), defaults.rate(), defaults.share(), 1 << 16, true, false);
    assertThat((Double) build(fixed).get("readInVain")).isGreaterThan(promised);
    assertThat(IndexFile.open(directory.resolve("index")).table().files())
        .allMatch(file -> file.blocks() > 4);
  }
}
