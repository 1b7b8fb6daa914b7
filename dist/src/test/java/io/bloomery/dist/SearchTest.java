package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Indexes of files, different keys and files of other systems, through the packed command. */
class SearchTest {

  private static final Path FOREIGN =
      Path.of("../core/src/test/resources/foreign").toAbsolutePath();

  @TempDir private Path directory;

  /** Five bytes in the middle are others, and size and time are set back. */
  @Test
  void aFileEditedInPlaceIsSearched() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            mkdir e; seq 100000 200000 >e/a; touch -r e/a before; bloom index e -o x -q
            printf 'XYZZY\\n' | dd of=e/a bs=1 seek=70 conv=notrunc status=none; touch -r before e/a
            bloom find -q XYZZY x 2>/dev/null; bloom index --update x -q
            bloom find XYZZY x -q --json | head -n 1
            """);
    assertThat(typed.out()).isEqualTo("e/a\n{\"file\":\"e/a\"}\n");
    assertThat(typed.err()).isEmpty();
  }

  @Test
  void linesAreFoundWithoutCaseAndWithThoseAround() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            mkdir e; printf 'Alpha\\nbeta\\nALPHA two\\ngamma\\ndelta\\n' >e/b; bloom index -i e -o x -q
            mkdir sub; cd sub; bloom find -i alpha ../x --grep --line-number -C 1 -q
            """);
    assertThat(typed.out().replace(directory.toRealPath() + "/", ""))
        .isEqualTo("e/b:1:Alpha\ne/b-2-beta\ne/b:3:ALPHA two\ne/b-4-gamma\n");
  }

  /** Sketches of two halves that overlap, and groups. */
  @Test
  void differentKeysAreCounted() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            seq 1 60000 | bloom distinct -q -o a.hll >one; seq 40001 90000 | bloom distinct -q -o b.hll >two
            bloom distinct -q a.hll b.hll; seq 90000 | bloom distinct --exact -q --memory-limit 64M
            printf 'g,k\\na,1\\nb,2\\na,3\\n' | bloom distinct --column k --group g --exact -q
            """);
    String[] lines = typed.out().split("\n", -1);
    String[] bounds = lines[0].split("\t", -1);
    assertThat(Integer.parseInt(bounds[0])).isBetween(85_300, 94_700); // 5 standard errors
    assertThat(Integer.parseInt(bounds[1])).isLessThan(Integer.parseInt(bounds[2]));
    assertThat(lines).endsWith("90000", "2\ta", "1\tb", "");
    assertThat(typed.err()).isEmpty();
  }

  @Test
  void filesOfOtherSystemsAreRead() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            F='%s'
            grep -o '"dump_base64": *"[^"]*"' $F/redis/bf-fixed-1000-0.01.json | cut -d'"' -f4 | base64 -d >dump
            seq 0 999 | sed 's/^/key-/' | bloom check -s dump && echo all
            bloom info dump | grep -o 'redis-bloom,'
            bloom info $F/bloomfilter-js/target-1000-0.01.json | grep -o 'bloomfilter-js,'
            sed '1,/[*][/]/d' $F/hudi/simple_10000_000001_murmur.bf.data >hudi
            bloom info hudi | grep -o "hadoop-bloom,"
            zcat $F/hudi/all_10000.keys.data.gz | sed '1,/[*][/]/d' | tr , '\\n' | bloom check -s hudi && echo all
            """
                .formatted(FOREIGN));
    assertThat(typed.out())
        .as(typed.err())
        .isEqualTo("all\nredis-bloom,\nbloomfilter-js,\nhadoop-bloom,\nall\n");
  }
}
