package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which filters, and which lines, as they are asked for in a shell. */
class WhichTest {

  @TempDir private Path directory;

  @Test
  void namesAndKeysAreBytesInEveryLocale() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            export LC_ALL=C
            printf 'caf\\351\\n' | bloom build -o "$(printf 'd\\351.bloom')" -p 1e-9 -q
            echo other | bloom build -o other.bloom -p 1e-9 -q
            bloom which "$(printf 'caf\\351')" *.bloom | od -An -c | tr -s ' '
            bloom which nothing *.bloom
            echo "code $?"
            """);
    assertThat(typed.out()).isEqualTo(" d 351 . b l o o m \\n\ncode 1\n");
    assertThat(typed.err())
        .isEqualTo("probably in 1 of 2 filters\ncertainly in none of 2 filters\n");
  }
}
