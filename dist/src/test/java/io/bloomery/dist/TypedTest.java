package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TypedTest {

  @TempDir private Path directory;

  @Test
  void outputErrorAndCodeAreSeparate() throws Exception {
    Typed typed = Typed.in(directory, "pwd; echo no >&2; printf '\\xff'; (exit 7)");
    assertThat(typed.out()).startsWith(directory.toRealPath() + "\n");
    assertThat(typed.bytes()).endsWith(0xff);
    assertThat(typed.err()).isEqualTo("no\n");
    assertThat(typed.code()).isEqualTo(7);
  }

  @Test
  void pipesReachThePackedCommand() throws Exception {
    Typed typed = Typed.in(directory, "printf 'b\\na\\nb\\n' | bloom dedup -q");
    assertThat(typed.out()).isEqualTo("b\na\n");
    assertThat(typed.code()).isZero();
  }
}
