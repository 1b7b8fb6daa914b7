package io.bloomery.cli.join;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Runs.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unmatched rows of RIGHT, keys of several columns, and line ends. */
class OuterJoinTest {

  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  @Test
  void unmatchedRightRowsHaveTheKeyInTheLeftKeyColumn() throws IOException {
    Path left = write("l", "name,id,x\nAnn,1,a\nBob,2,b\n");
    Path right = write("r", "id\ty\n2\tq\n3,3\ts\n");
    assertThat(bloom("join", left, right, "--on", "id", "--how", "right", "-q").out())
        .isEqualTo("name,id,x,y\nBob,2,b,q\n,\"3,3\",,s\n");
    assertThat(bloom("join", left, right, "--on", "id", "--how", "full", "-q").out().lines())
        .containsExactlyInAnyOrder("name,id,x,y", "Ann,1,a,", "Bob,2,b,q", ",\"3,3\",,s");
    assertThat(bloom("join", left, right, "--on", "id", "--how", "full", "--json").out())
        .contains("\"type\":\"full\"", "\"rows\":3,");
  }

  @Test
  void keysOfSeveralColumns() throws IOException {
    Path left = write("l", "a,b,x\n1,2,p\n1,3,q\n");
    Path right = write("r", "y,second,first\nu,2,1\nv,2,9\n");
    assertThat(bloom("join", left, right, "--left-on=a,b", "--right-on=first,second", "-q").out())
        .isEqualTo("a,b,x,y\n1,2,p,u\n");
    assertThat(
            bloom(
                    "join",
                    left,
                    right,
                    "--left-on=a,b",
                    "--right-on=first,second",
                    "--how=right",
                    "-q")
                .out())
        .isEqualTo("a,b,x,y\n1,2,p,u\n9,2,,v\n");
    assertError(
        bloom("join", left, right, "--left-on=a,b", "--right-on=first"),
        "the key has 2 columns in LEFT and 1 in RIGHT");
    assertError(bloom("join", left, left, "--on=a,1"), "the key names a column twice: a,1");
  }

  @Test
  void lineEndsFollowTheLeftFile() throws IOException {
    Path windows = write("w", "id,x\r\n1,a\r\n2,\"b\nb\"\r\n");
    Path unix = write("u", "id,y\n1,c\n3,d");
    assertThat(bloom("join", windows, unix, "--on", "id", "--how", "full", "-q").out())
        .isEqualTo("id,x,y\r\n1,a,c\r\n2,\"b\nb\",\r\n3,,d\r\n");
    assertThat(bloom("join", windows, unix, "--on", "id", "--how", "anti", "-q").out())
        .isEqualTo("id,x\r\n2,\"b\nb\"\r\n");
    assertThat(bloom("join", unix, windows, "--on", "id", "-q").out()).isEqualTo("id,y,x\n1,c,a\n");
  }

  @Test
  void anEmptyLeftHasNoColumns() throws IOException {
    Path empty = write("e", "");
    Path rows = write("r", "1,a\n");
    assertError(
        bloom("join", empty, rows, "--no-header", "--on", "1", "--how", "right"),
        empty + ": empty; --how right and full need its columns");
    assertThat(bloom("join", rows, empty, "--no-header", "--on", "1", "--how", "full", "-q").out())
        .isEqualTo("1,a\n");
  }
}
