package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CSV files and lines of JSON, read by the packed command. */
class RowsTypedTest {

  @TempDir private Path directory;

  @Test
  void rowsOfSeveralFilesGetOneHeader() throws Exception {
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

  /** The same values between commas, between tabs and in JSON have the same keys. */
  @Test
  void keysOfSeveralColumnsDoNotDependOnTheFile() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            Map.of("LC_ALL", "C"),
            """
            printf 'last,first,n\\n"Lovelace, Countess",Ada,1\\nHopper,Grace,2\\n' >a.csv
            printf 'first\\tlast\\nAda\\tLovelace, Countess\\nAlan\\tTuring\\n' >b.tsv
            printf '{"f":"Grace","l":"Hopper"}\\n{"f":"Alan","l":"Turing"}\\n' >c.json
            bloom build -q a.csv --column last,first -o f.bloom
            bloom check -q f.bloom b.tsv --column last,first --mode absent
            bloom check -q f.bloom c.json --json-key .l --json-key .f --mode absent
            bloom check -q f.bloom --key Hopper,Grace
            """);
    assertThat(typed.out())
        .isEqualTo(
            "first\tlast\nAlan\tTuring\n{\"f\":\"Alan\",\"l\":\"Turing\"}\n"
                + "probably present\tHopper,Grace\n");
  }

  @Test
  void jsonLinesAreDeduplicatedAndBadOnesRejected() throws Exception {
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
