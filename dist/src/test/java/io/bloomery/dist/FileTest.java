package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What files say of themselves, through the packed command. */
class FileTest {

  @TempDir private Path directory;

  @Test
  void aFilterIsNoFileOfKeys() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            seq 9 | bloom build -q -o a.bloom; cp a.bloom b.bloom; cp a.bloom kept
            bloom check a.bloom b.bloom -k 1
            gzip <b.bloom | bloom add a.bloom
            echo $?; cmp a.bloom kept
            """);
    assertThat(typed.out()).isEqualTo("2\n");
    assertThat(typed.err())
        .contains("b.bloom: is not a file of keys but a filter; bloom merge joins filters")
        .contains("standard input: is not a file of keys but a filter");
    assertThat(typed.code()).isZero();
  }
}
