package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
