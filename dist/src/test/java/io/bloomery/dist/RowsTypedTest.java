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
            """
            first\tlast
            Alan\tTuring
            {"f":"Alan","l":"Turing"}
            probably present\tHopper,Grace
            """);
  }

  /** In any locale, also one whose own rules for case are others. */
  @Test
  void caseIsIgnoredWhereTheFileSaysSo() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            Map.of("LC_ALL", "tr_TR.UTF-8"),
            """
            printf 'T\\303\\234BINGEN\\nTITLE\\n' | bloom build -q --ignore-case -o f.bloom
            bloom check -q f.bloom --key tübingen --key Title
            bloom check f.bloom --ignore-case -q --key x
            printf 'a\\n' | bloom build -q -o g.bloom
            bloom check g.bloom --ignore-case --key x
            bloom merge f.bloom g.bloom -o h.bloom
            """);
    assertThat(typed.out())
        .isEqualTo(
            "probably present\tt\u00fcbingen\nprobably present\tTitle\ncertainly absent\tx\n");
    assertThat(typed.err())
        .contains("g.bloom: case matters in its keys, as it was built; leave out --ignore-case")
        .contains("case does not matter in the keys of f.bloom (--ignore-case)");
  }

  /** Both sides' bad rows are rejected; the others are joined. */
  @Test
  void badRowsOfAJoin() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            printf 'id\\tx\\n1\\ta\\n2\\n' >l.tsv
            printf 'id,y\\n1,p\\n"2"q,r\\n' | gzip >r.csv.gz
            bloom join l.tsv r.csv.gz --on id --on-error reject=bad -q
            sort bad
            """);
    assertThat(typed.out()).isEqualTo("id\tx\ty\n1\ta\tp\n\"2\"q,r\n2\n");
    assertThat(typed.err()).contains("l.tsv, line 3: the row", "r.csv.gz, line 3: the row");
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
