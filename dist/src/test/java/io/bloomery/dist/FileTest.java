package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What files record about themselves, through the packed command. */
class FileTest {

  @TempDir private Path directory;

  @Test
  void aFilterIsRefusedAsAFileOfKeys() throws Exception {
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
        .contains("b.bloom: is not a file of keys but a filter; bloom which asks several")
        .contains("standard input: is not a file of keys but a filter");
    assertThat(typed.code()).isZero();
  }

  @Test
  void aFileStatesTheTypeOfItsKeys() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            printf '17\\n0042\\n' | bloom build -q --type int64 -o a.bloom
            printf '17\\n0042\\n' | SOURCE_DATE_EPOCH=86400 bloom build -q --type int64 -o b.bloom
            bloom check -q a.bloom -k 42
            bloom check a.bloom -k 42 --type text
            bloom info b.bloom | grep -E 'key type|created|made by'
            """);
    assertThat(typed.out())
        .matches(
            """
            probably present\t42
             +key type +int64
             +created +1970-01-02T00:00:00Z
             +made by +bloom [0-9].*
            """);
    assertThat(typed.err())
        .isEqualTo("bloom: a.bloom: its keys are of type int64, not text; leave out --type\n");
  }

  @Test
  void aDamagedFilterGivesNoAnswer() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            seq 999 | bloom build -q -o a.bloom
            dd if=/dev/zero of=a.bloom bs=1 seek=4100 count=200 conv=notrunc 2>/dev/null
            bloom check a.bloom -k 7
            """);
    assertThat(typed.code()).isEqualTo(2);
    assertThat(typed.out()).isEmpty();
    assertThat(typed.err()).startsWith("bloom: a.bloom, byte 4096: page 0: ").hasLineCount(1);
  }
}
