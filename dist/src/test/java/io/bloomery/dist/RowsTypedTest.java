package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of files as a user has them, through the packed command. */
class RowsTypedTest {

  @TempDir private Path directory;

  @Test
  void rowsOfSeveralFilesStandUnderOneHeader() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            Map.of("LC_ALL", "C"),
            """
            printf 'id,name\\n1,Ann\\n' >h1.csv
            printf 'name,id\\nZo\\xc3\\xab,2\\nAnn,1\\n' | gzip >h2.csv.gz
            bloom dedup -q --column id h1.csv h2.csv.gz
            printf '1\\n' | bloom build -q -o f.bloom
            printf 'name,id\\nBob,\\nAnn,1\\n' >h3.csv
            bloom check f.bloom --column id h1.csv h3.csv --mode absent
            """);
    assertThat(typed.out()).isEqualTo("id,name\n1,Ann\n2,Zoë\nid,name\n,Bob\n");
    assertThat(typed.code()).isZero();
  }

  @Test
  void linesOfJsonAndRowsThatAreRejected() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            Map.of("LC_ALL", "C"),
            """
            printf '{"u":{"id":"\\\\u00e9"}}\\n{"u":\\n{"u":{"id":"\\xc3\\xa9"}}\\n{"u":{"id":1}}' |
              bloom dedup --json-key .u.id --on-error reject=bad
            cat bad
            """);
    assertThat(typed.out())
        .isEqualTo("{\"u\":{\"id\":\"\\u00e9\"}}\n{\"u\":{\"id\":1}}\n{\"u\":\n");
    assertThat(typed.err())
        .startsWith(
            "bloom: warning: 1 row rejected, the first: standard input, line 2 is not JSON");
  }
}
