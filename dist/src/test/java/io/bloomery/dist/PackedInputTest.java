package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compressed files of keys, through the packed command. */
class PackedInputTest {

  private static final Path FILES = Path.of("../tools/src/test/resources/unpack").toAbsolutePath();

  @TempDir private Path directory;

  @Test
  void compressedKeysAreReadFromFilesAndPipes() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            export LC_ALL=C; F='%s'
            bloom dedup -q $F/large-two-streams.xz $F/large.zip $F/large-dependent.lz4 | md5sum
            seq 700 | md5sum
            cat $F/large.bz2 $F/large-two-streams.bz2 | bloom dedup -q | md5sum
            printf '\\xff\\xfea\\0\\n\\0\\xac\\x20\\n\\0' | bloom dedup -q
            """
                .formatted(FILES));
    assertThat(typed.err()).isEmpty();
    String[] lines = typed.out().split("\n", -1);
    assertThat(lines[0]).isEqualTo(lines[1]).isEqualTo(lines[2]);
    assertThat(typed.out()).endsWith("a\n€\n");
  }

  @Test
  void unreadableInputIsAnErrorThatNamesTheFile() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            export LC_ALL=C; F='%s'
            head -c 400 $F/large.xz >cut.xz
            bloom build -q cut.xz -o a.bloom; echo $?
            bloom build -q $F/several.zip -o a.bloom; echo $?
            bloom build -q -o a.bloom <$F/small.tar.gz; echo $?
            ls
            """
                .formatted(FILES));
    assertThat(typed.out()).isEqualTo("2\n2\n2\ncut.xz\n");
    assertThat(typed.err())
        .contains("cut.xz, near byte 400: the xz data are cut off")
        .contains("several.zip: is a zip archive of several files; unzip -p ")
        .contains("standard input: is not a file of keys but a tar archive; tar -xOf ")
        .hasLineCount(3);
  }
}
