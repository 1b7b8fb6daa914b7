package io.bloomery.cli.option;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Runs.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rejected rows go to a file that the command writes nothing else to. */
class RejectedRowsTest {

  @TempDir private Path directory;

  private Path rows;
  private Path filter;

  @BeforeEach
  void makeFiles() throws IOException {
    rows = Files.writeString(directory.resolve("rows.csv"), "id,name\n1,Ann\n2\n");
    filter = directory.resolve("f.bloom");
    assertThat(bloom("build", "-q", "-o", filter, rows).code()).isZero();
  }

  private void assertRefused(Path written, Object... words) throws IOException {
    Path link = directory.resolve("link");
    byte[] before = Files.exists(written) ? Files.readAllBytes(written) : null;
    List<Path> names =
        new ArrayList<>(List.of(written, directory.resolve("./" + written.getFileName())));
    if (before != null) {
      Files.deleteIfExists(link);
      names.add(Files.createSymbolicLink(link, written));
    }
    for (Path name : names) {
      List<Object> all = new ArrayList<>(Arrays.asList(words));
      all.addAll(List.of("--column", "name", "--on-error", "reject=" + name));
      assertError(bloom(all.toArray()), "is named for something else, too");
      if (before == null) {
        assertThat(written).doesNotExist();
      } else {
        assertThat(written).hasBinaryContent(before);
      }
    }
  }

  @Test
  void noOutputGetsRejectedRows() throws IOException {
    Path out = directory.resolve("out");
    for (int round = 0; round < 2; round++) {
      assertRefused(out, "build", rows, "-f", "-o", out);
      assertRefused(out, "check", filter, rows, "-f", "-o", out);
      assertRefused(out, "diff", rows, rows, "-f", "-o", out);
      assertRefused(out, "top", rows, "-f", "-o", out);
      assertRefused(out, "index", rows, "-f", "-o", out);
      assertRefused(out, "dedup", rows, "--state", out);
      Path part = directory.resolve("part-0");
      assertRefused(part, "partition", rows, "-n", "2", "-f", "-o", directory.resolve("part-%d"));
      Files.writeString(out, "kept\n");
      Files.writeString(part, "kept\n");
    }
    assertRefused(filter, "add", filter, rows);
    assertRefused(filter, "check", filter, rows);
  }

  @Test
  void aDeviceMayGetBoth() {
    assertThat(
            bloom(
                    "check",
                    filter,
                    rows,
                    "-f",
                    "-o",
                    "/dev/null",
                    "--column",
                    "name",
                    "--on-error",
                    "reject=/dev/null")
                .err())
        .doesNotContain("is named for something else");
  }
}
