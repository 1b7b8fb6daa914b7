package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The class-data archive that the first start makes for later ones. */
class StartTest {

  @TempDir private Path directory;

  @Test
  void concurrentFirstStartsMakeOneArchiveThatLaterStartsUse() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            export XDG_CACHE_HOME=$PWD/cache
            for i in 1 2 3; do bloom --version >version.$i & done; wait
            until [ -n "$(ls cache/bloom | grep 'jsa$')" ] && [ -z "$(ls cache/bloom | grep -v 'jsa$')" ]; do
              sleep 0.1
            done
            cat version.? | sort -u | wc -l
            ls cache/bloom | wc -l
            BLOOM_JAVA_OPTS=-Xlog:class+load:stdout bloom --version |
              grep -c 'io.bloomery.cli.Main source: shared objects file'
            """);
    assertThat(typed.out().lines().map(String::strip)).containsExactly("2", "1", "1");
    assertThat(typed.err()).isEmpty();
  }

  @Test
  void nothingFailsIfThereIsNoPlaceForIt() throws Exception {
    Typed typed =
        Typed.in(directory, "XDG_CACHE_HOME=/dev/null bloom --version >/dev/null && ls -A");
    assertThat(typed.out()).isEmpty();
    assertThat(typed.err()).isEmpty();
    assertThat(typed.code()).isZero();
  }
}
