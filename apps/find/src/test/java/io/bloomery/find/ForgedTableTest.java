package io.bloomery.find;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.find.IndexedFile.How;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an index says of the sizes of files costs neither memory nor time beyond the files' own. */
class ForgedTableTest {

  private static final SearchOptions TRUSTING =
      new SearchOptions(false, false, true, true, true, false, 0, 0, List.of());

  @TempDir private Path home;

  private Path text;
  private Path index;

  @BeforeEach
  void makeFile() throws IOException {
    text = Files.writeString(home.toRealPath().resolve("text"), "one\ntwo three\n");
    index = home.toRealPath().resolve("index");
  }

  private static IndexedFile file(Path path, long size, How how, int first, int blocks) {
    return new IndexedFile(path.toString(), size, 0, 0, 0, how, first, blocks);
  }

  /** Writes an index of blocks without filters, so that every block is read. */
  private void write(List<long[]> blocks, List<IndexedFile> files) throws IOException {
    try (OutputStream out = Files.newOutputStream(index)) {
      IndexWriter writer = new IndexWriter(out);
      for (long[] block : blocks) {
        writer.add(block[0], block[1], 0, 0, null);
      }
      files.forEach(writer::add);
      writer.finish(IndexOptions.of(KeyRule.tokens("-.")), List.of(text.getParent()), home);
    }
  }

  private List<String> find(String key, List<String> problems) {
    List<String> lines = new ArrayList<>();
    Matches matches =
        new Matches() {
          @Override
          public void changed(List<Path> files) {}

          @Override
          public boolean line(Path file, long number, byte[] line) {
            lines.add(number + ":" + new String(line, UTF_8));
            return true;
          }

          @Override
          public boolean end(Path file) {
            return true;
          }

          @Override
          public void candidate(Path file) {
            lines.add(file.getFileName().toString());
          }
        };
    FileIndex.open(index).search(List.of(key), TRUSTING, problems::add, matches);
    return lines;
  }

  @Test
  void blocksEndWhereTheFileDoes() throws IOException {
    for (How how : new How[] {How.PLAIN, How.PACKED, How.GROUPED}) {
      long size = Long.MAX_VALUE - 1;
      write(List.of(new long[] {0, size}), List.of(file(text, size, how, 0, 1)));
      List<String> problems = new ArrayList<>();
      assertThat(find("three", problems)).as(how + " " + problems).containsExactly("2:two three");
      assertThat(problems).isEmpty();
    }
    write(
        List.of(new long[] {Long.MAX_VALUE - 9, 9}),
        List.of(file(text, Long.MAX_VALUE, How.PLAIN, 0, 1)));
    assertThat(find("three", new ArrayList<>())).isEmpty();
    assertThat(FileIndex.open(index).contentBytes()).isEqualTo(9);
  }

  @Test
  void blocksThatNoFilesCanHaveAreRefused() throws IOException {
    write(List.of(new long[] {9, Long.MAX_VALUE - 8}), List.of());
    assertThatThrownBy(() -> FileIndex.open(index))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("beyond what is possible");
    write(List.of(new long[] {0, Long.MAX_VALUE}, new long[] {0, 1}), List.of());
    assertThatThrownBy(() -> FileIndex.open(index))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("longer than files can be");
  }

  @Test
  void filesDoNotShareBlocksUnlessTheyAreAGroup() throws IOException {
    Path other = text.resolveSibling("other");
    List<long[]> blocks = List.of(new long[] {0, 14});
    write(blocks, List.of(file(text, 14, How.PLAIN, 0, 1), file(other, 14, How.PLAIN, 0, 1)));
    assertThatThrownBy(() -> FileIndex.open(index))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("two files have the same block");
    write(blocks, List.of(file(text, 14, How.GROUPED, 0, 1), file(text, 14, How.GROUPED, 0, 1)));
    assertThatThrownBy(() -> find("three", new ArrayList<>()))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("twice");
  }

  /** Names that share nearly everything with the one before take few bytes of the index. */
  @Test
  void namesTakeNoMoreThanAQuarterOfTheHeap() throws IOException {
    Path name = text.resolveSibling("x".repeat(1 << 20));
    IndexedFile file = file(name, 0, How.BINARY, 0, 0);
    long perName = 2L * name.toString().length();
    int enough = (int) (Runtime.getRuntime().maxMemory() / 4 / perName);
    write(List.of(), Collections.nCopies(enough + 1, file));
    assertThat(Files.size(index)).isLessThan(100L * enough + (1 << 21));
    assertThatThrownBy(() -> FileIndex.open(index))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("the names of its files take more than");
    write(List.of(), Collections.nCopies(3, file));
    assertThat(FileIndex.open(index).blocks()).isZero();
  }
}
