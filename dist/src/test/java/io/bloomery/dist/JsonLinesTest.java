package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --json}: a line per result, then the summary; bytes that are not UTF-8 are kept. */
class JsonLinesTest {

  private static final String LATIN =
      "{\"key\":\"caf\\\\xe9\",\"keyBase64\":\"Y2Fm6Q==\",\"answer\":\"probably present\"}";
  private static final String ABSENT = "{\"key\":\"zoé\",\"answer\":\"certainly absent\"}";
  private static final String EMPTY = "{\"key\":\"\",\"answer\":\"empty key\"}";

  @TempDir private static Path directory;

  @BeforeAll
  static void writeFiles() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            printf 'caf\\351\\nann\\n' >a; printf 'zo\\303\\251\\n\\ncaf\\351\\n' >b
            printf 'k,v\\nann,1\\nbob,"2"\\n' >t.csv; printf '\\357\\273\\277x\\r\\nx\\r\\ny' >marked
            bloom build a -o a.bloom -p 1e-9 -q; bloom index a -o i -q
            """);
    assertThat(typed.err()).isEmpty();
  }

  private static String json(String command) throws Exception {
    Typed typed = Typed.in(directory, "bloom " + command);
    assertThat(typed.err()).isEmpty();
    assertThat(typed.code()).isZero();
    return typed.out();
  }

  @Test
  void checkPrintsALinePerKeyInEveryMode() throws Exception {
    assertThat(json("check a.bloom b --json"))
        .isEqualTo(
            String.join("\n", ABSENT, EMPTY, LATIN, "")
                + "{\"file\":\"a.bloom\",\"keys\":2,\"probablyPresent\":1,\"certainlyAbsent\":1,"
                + "\"emptyKeysSkipped\":1,\"badRows\":0}\n");
    assertThat(json("check a.bloom b --json -q --mode annotate"))
        .isEqualTo(String.join("\n", ABSENT, EMPTY, LATIN, ""));
    assertThat(json("check a.bloom b --json -q --mode present")).isEqualTo(LATIN + "\n");
    assertThat(json("check a.bloom b --json -q --mode absent"))
        .isEqualTo(ABSENT + "\n" + EMPTY + "\n");
    assertThat(json("check a.bloom --json -q -k $'caf\\xe9'")).isEqualTo(LATIN + "\n");
    assertThat(json("check a.bloom b --json --against a -q --mode present"))
        .isEqualTo(LATIN.replace("probably ", "") + "\n");
    assertThat(json("check a.bloom b --json --count").lines()).hasSize(1);
    assertThat(json("check a.bloom b --json -o out").lines()).hasSize(1);
    assertThat(directory.resolve("out")).hasContent(String.join("\n", ABSENT, EMPTY, LATIN));
    assertThat(json("check a.bloom t.csv --column k --json --mode present -q"))
        .isEqualTo("{\"key\":\"ann\",\"answer\":\"probably present\",\"text\":\"ann,1\"}\n");
  }

  /** Rows and lines are fields {@code text}, without line ends and byte-order marks. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          dedup marked                 | {"text":"x"} {"text":"y"}
          dedup -d marked              | {"text":"x"}
          dedup a                      | {"text":"caf\\\\xe9","textBase64":"Y2Fm6Q=="} {"text":"ann"}
          dedup t.csv --column k       | {"text":"ann,1"} {"text":"bob,\\"2\\""}
          dedup --binary 1 -d a        | {"text":"61"} {"text":"6e"} {"text":"0a"}
          sample 100% t.csv --column k | {"text":"ann,1"} {"text":"bob,\\"2\\""}
          sample 100% marked           | {"text":"x"} {"text":"x"} {"text":"y"}
          join t.csv t.csv --on k      | {"text":"ann,1,1"} {"text":"bob,\\"2\\",\\"2\\""}
          diff a b                     | {"key":"ann","side":"left"} {"key":"zoé","side":"right"}
          diff a b --only left         | {"key":"ann","side":"left"}
          diff a b --only both         | {"key":"caf\\\\xe9","keyBase64":"Y2Fm6Q==","side":"both"}
          reconcile a b                | {"key":"ann","side":"here"} {"key":"zoé","side":"there"}
          """)
  void otherCommandsPrintALinePerResult(String command, String lines) throws Exception {
    theSummaryFollows(command, lines);
    assertThat(json(command + " --json --count").lines()).hasSize(1);
  }

  /** Commands whose summary alone is no result. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          count marked                 | {"key":"x","count":2} {"key":"y","count":1}
          count marked -k x            | {"key":"x","count":2}
          count --running marked       | {"key":"x","count":1} {"key":"x","count":2} {"key":"y","count":1}
          count --total marked         | {"key":"x","count":2} {"key":"x","count":2} {"key":"y","count":1}
          count --total --at-least 2 a | {}
          top marked -l 1              | {"key":"x","count":2,"least":2}
          which ann a.bloom            | {"file":"a.bloom","answer":"probably present","expectedRate":1.0897321437773064E-10}
          find ann i                   | {"file":"a"}
          """)
  void aLineForEachResultComesFirst(String command, String lines) throws Exception {
    theSummaryFollows(command, lines);
  }

  private static void theSummaryFollows(String command, String lines) throws Exception {
    String expected = lines.equals("{}") ? "" : lines.replace("} {", "}\n{") + "\n";
    assertThat(json(command + " --json -q")).isEqualTo(expected);
    String all = json(command + " --json");
    assertThat(all).startsWith(expected);
    assertThat(all.substring(expected.length()).lines()).hasSize(1);
  }

  /** Rows are written to a file as they are. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          dedup t.csv --column k       | bob,"2"
          sample 100% t.csv --column k | bob,"2"
          join t.csv t.csv --on k      | bob,"2","2"
          """)
  void filesOfRowsAreNotJson(String command, String last) throws Exception {
    assertThat(json(command + " --json --force -o rows").lines()).hasSize(1);
    assertThat(directory.resolve("rows")).content().endsWith("\n" + last + "\n");
  }
}
