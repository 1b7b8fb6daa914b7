package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bloom which} and indexes, used from a shell. */
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

  @Test
  void anIndexIsDescribedAndChecked() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            mkdir logs; seq 100000 >logs/a; bloom index logs -o x.bloomidx -q
            bloom info x.bloomidx | grep -c -E '^ *(format +index of files|roots|read needlessly)'
            bloom verify x.bloomidx -q >/dev/null; echo "code $?"
            printf '\\377\\377' | dd of=x.bloomidx bs=1 seek=100 conv=notrunc status=none
            bloom verify x.bloomidx | grep -o 'a filter is damaged'; echo "code ${PIPESTATUS[0]}"
            """);
    assertThat(typed.out()).isEqualTo("3\ncode 0\na filter is damaged\ncode 1\n");
    assertThat(typed.err()).isEmpty();
  }
}
