package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bloom partition} and {@code bloom sample} through the packed command. */
class PartsTest {

  @TempDir private Path directory;

  /** The command that {@code bloom plan} recommends, with few open files and non-UTF-8 names. */
  @Test
  void partsTogetherAreTheInput() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            Map.of("LC_ALL", "C"),
            """
            ulimit -n 64
            { seq 1 20000; printf 'Zo\\xc3\\xab\\n\\xff\\n'; } >in
            gzip -k in
            bloom partition --by key -n 128 <in.gz >/dev/null
            ls | grep -c '^part-[0-9]*.txt$'
            cat part-*.txt | sort | cmp - <(sort in) && echo same
            mkdir $'\\xff'; bloom partition -q --by key -n 2 in -o $'\\xff/\\xe9-%d'
            cat $'\\xff/\\xe9-0' $'\\xff/\\xe9-1' | sort | cmp - <(sort in) && echo same
            ls -A | grep -c bloomery
            """);
    assertThat(typed.err()).isEmpty();
    assertThat(typed.out()).isEqualTo("128\nsame\nsame\n0\n");
  }

  /** Interrupted while it waits for rows, it leaves nothing behind. */
  @Test
  void aTerminatedCommandLeavesNoFiles() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            { seq 1 300000; exec sleep 20; } | { exec bloom partition -n 4; } &
            for i in {1..100}; do ls -A | grep -q bloomery && break; sleep 0.1; done
            ls -A | grep -c bloomery
            sleep 0.3; kill -TERM $!; wait $!; echo $?
            ls -A | wc -l
            """);
    assertThat(typed.out()).isEqualTo("1\n143\n0\n");
  }

  @Test
  void aSampleIsDeterministicAndItsPipeMayClose() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            seq 1 200000 | bloom sample --by key 50% | head -n 1 | wc -l
            seq 1 200000 | bloom sample --by key 1% -q | sort >a
            seq 1 200000 | sort -R --random-source=/bin/sh | bloom sample 1% -q | sort | cmp a - && echo same
            """);
    assertThat(typed.out()).isEqualTo("1\nsame\n");
    assertThat(typed.err()).isEmpty();
  }
}
