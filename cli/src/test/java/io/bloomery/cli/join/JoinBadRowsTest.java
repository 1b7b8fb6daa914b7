package io.bloomery.cli.join;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Runs.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code bloom join} does with rows that cannot be read: {@code --on-error}. */
class JoinBadRowsTest {

  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  /** Rows with too few fields, malformed quotes, or a value that is not of its type. */
  @Test
  void badRowsAreSkippedOrRejected() throws IOException {
    String odd = "id,x\n1,a\n2\n\"3\"x,b\nfour,c\n4,\"d\n";
    Path left = write("odd", odd);
    Path right = write("other", "id,y\n01,p\n9,q,r\n4,s\n");
    Path bad = directory.resolve("bad");
    Bloom.Run run =
        bloom("join", left, right, "--on", "id", "--type", "number", "--on-error", "reject=" + bad);
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEqualTo("id,x,y\n1,a,p\n");
    assertThat(Files.readString(bad).lines().sorted())
        .containsExactly("\"3\"x,b", "2", "4,\"d", "9,q,r", "four,c");
    assertThat(run.err())
        .contains("4 rows rejected, the first: " + left + ", line 3: the row \"2\" has 1 field")
        .contains(
            "1 row rejected, the first: " + right + ", line 3: the row \"9,q,r\" has 3 fields");
    Map<?, ?> json =
        Json.object(
            bloom(
                    "join",
                    left,
                    right,
                    "--on",
                    "id",
                    "--type",
                    "number",
                    "--on-error",
                    "skip",
                    "-c",
                    "--json")
                .out());
    assertThat(json.get("badRows")).isEqualTo(5.0);
    assertThat(json.get("leftRows")).isEqualTo(1.0);
    assertError(bloom("join", left, right, "--on", "id"), "line 3: the row \"2\" has 1 field");
    assertError(
        bloom("join", left, right, "--on", "id", "--on-error", "reject=" + right),
        "cannot be read and get the rejected rows, too");
  }

  /** A value that TSV cannot have is a bad row of RIGHT. */
  @Test
  void valuesThatTheOtherFormatCannotHaveAreBadRows() throws IOException {
    Path left = write("l.tsv", "id\tx\n1\ty\n2\tz\n");
    Path right = write("r.csv", "id,z\n1,\"a\tb\"\n2,c\n");
    Bloom.Run run = bloom("join", left, right, "--on", "id", "-q", "--on-error", "skip");
    assertThat(run.out()).isEqualTo("id\tx\tz\n2\tz\tc\n");
    assertThat(run.err()).contains("1 row skipped");
  }
}
