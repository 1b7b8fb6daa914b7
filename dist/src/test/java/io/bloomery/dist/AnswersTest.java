package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exit codes and outputs as scripts use them. */
class AnswersTest {

  @TempDir private Path directory;

  @Test
  void printingLinesSucceedsAndQuestionsSetTheExitCode() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            set -e -o pipefail
            printf 'a\\nb\\n' >old; printf 'b\\nc\\n' >new
            bloom build old -o old.bloom -p 1e-9 -q
            bloom check old.bloom new --mode absent -q | tr c C
            bloom diff old new -q
            echo done
            bloom check old.bloom -s -k c
            echo never
            """);
    assertThat(typed.out()).isEqualTo("C\n< a\n> c\ndone\n");
    assertThat(typed.err()).isEmpty();
    assertThat(typed.code()).isEqualTo(1);
  }

  /** {@code -q} leaves out summaries, not results; {@code -o} takes them to a file. */
  @Test
  void quietCommandsPrintTheirResults() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            printf 'id,x\\na,1\\nb,2\\n' >l; printf 'id,y\\nb,3\\n' >r; printf 'b\\n' >one
            bloom build -q one -o f; bloom build -q one -o g -n 1
            bloom join -q l r --on id -o joined && cat joined
            bloom diff -q l r -o differ && grep -c '^[<>]' differ
            bloom check -q f l --mode absent -o absent && wc -l <absent
            bloom dedup -q one; bloom count -q one; bloom top -q one; bloom distinct -q one
            bloom intersect -q f f --count | grep -c 'keys in both'; bloom which -q b f
            bloom merge -q f f -o h; bloom add -q h -k c; bloom index -q one -o i; bloom find -q b i
            bloom info g | grep -c '1 blocks'; bloom merge g -o k | grep -o 'shape.* 1 block,'
            """);
    assertThat(typed.err()).isEmpty();
    assertThat(typed.out().lines().map(line -> line.replaceAll(" +", " ")))
        .containsExactly(
            "id,x,y",
            "b,2,3",
            "5",
            "3",
            "b",
            " 1 b",
            "1\t0\tb",
            "1\t1\t1",
            "1",
            "f",
            "one",
            "0",
            "shape 1 block,");
  }

  @Test
  void aScriptLearnsThePortOfAListener() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            printf 'a\\nb\\n' >here; printf 'b\\nc\\n' >there
            bloom reconcile here --listen 0 -q -o lacking >port &
            for i in $(seq 600); do [ -s port ] && break; sleep 0.1; done
            bloom reconcile there --connect "$(cat port)" -q
            wait $!
            echo "code $?"; cat lacking
            """);
    assertThat(typed.out()).isEqualTo("< c\n> a\ncode 0\nc\n");
    assertThat(typed.err()).isEmpty();
  }

  /** Exit code 1 would say that a key is absent. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          BLOOM_JAVA_OPTS=-Xmx4000000g bloom | Java does not start: .*heap.*
          BLOOM_JAVA_OPTS=-XX:None bloom     | Java does not start: .*None.*
          JAVA_TOOL_OPTIONS=-XX:None bloom   | Java does not start: .*None.*
          BLOOM_JAVA_OPTS=-Xmx2m bloom       | .*emory.*
          ulimit -v 500000; bloom            | Java does not start: .*
          """)
  void aJvmThatDoesNotStartAnswersNothing(String command, String error) throws Exception {
    Typed typed =
        Typed.in(directory, "echo a | bloom build -q -o f; " + command + " check -s f -k a");
    assertThat(typed.err()).matches("bloom: " + error + "\n");
    assertThat(typed.code()).isEqualTo(2);
  }
}
