package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C, as a terminal sends it. */
class InterruptTest {

  @TempDir private Path directory;

  /** Background commands of a script ignore SIGINT unless job control is on ({@code set -m}). */
  @Test
  void topPrintsWhatItHasCounted() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            set -m
            mkfifo lines
            exec 8<>lines
            printf 'b\\na\\nb\\n' >&8
            bloom top lines >out 2>err &
            pid=$!
            while read -t 0 -u 8; do sleep 0.05; done # until it has read the lines
            sleep 1
            kill -INT $pid
            wait $pid
            echo $?
            cat out err
            """);
    assertThat(typed.out()).startsWith("130\n2\t0\tb\n1\t0\ta\n3 keys").doesNotContain("bloom: ");
  }
}
