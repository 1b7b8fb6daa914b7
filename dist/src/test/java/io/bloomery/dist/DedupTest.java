package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bloom dedup} of the packed file. */
class DedupTest {

  private static final Path WORDS = Path.of("../examples/words.txt.gz").toAbsolutePath();

  @TempDir private Path directory;

  /** The window that awk makes of line numbers. */
  @Test
  void anExactWindowPassesWhatAwkPasses() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            zcat %s | cut -c1-4 | shuf --random-source=<(yes) | head -n 30000 >starts
            awk '!($0 in at) || NR - at[$0] > 500 { print } { at[$0] = NR }' starts >expected
            bloom dedup --exact --last 500 -q starts | cmp - expected && wc -l <expected
            bloom dedup --last 500 -q starts >filtered; diff expected filtered | grep -c '^>'
            """
                .formatted(WORDS));
    assertThat(typed.err()).isEmpty();
    String[] lines = typed.out().split("\n");
    assertThat(Integer.parseInt(lines[0])).isBetween(5_000, 29_999);
    assertThat(lines[1]).isEqualTo("0"); // a filter drops what the exact window drops, and more
  }
}
