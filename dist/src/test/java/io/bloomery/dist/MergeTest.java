package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters of each day, made and merged with the packed command. */
class MergeTest {

  private static final Path WORDS = Path.of("../examples/words.txt.gz").toAbsolutePath();

  @TempDir private Path directory;

  /** Numbers of keys that vary by 10 %, and a machine whose speed was measured and saved. */
  @Test
  void aWeekOfUnequalDaysIsMerged() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            mkdir "ä b" && cd "ä b" && zcat %s >words
            day() { head -n $(($1 + $2)) words | tail -n $2 >$1.txt; bloom build -q $1.txt -o $1.bloom; }
            day 0 10000; day 10001 10301; day 30000 9100; day 50000 10950
            bloom merge *.bloom -o week.bloom | grep shape
            cat *.txt | bloom check -s week.bloom && echo all
            bloom verify week.bloom --absent <(seq 100000) | grep verdict
            mkdir -p config/bloomery
            printf 'call=9\\nword=0.5\\noverlap=0.3\\ntable.16384=30\\n' >config/bloomery/machine.properties
            XDG_CONFIG_HOME=$PWD/config bloom build -q 0.txt -o again && cmp again 0.bloom && echo same
            """
                .formatted(WORDS));
    assertThat(typed.out())
        .as(typed.err())
        .matches(" +shape +4 layers\nall\n +verdict +good\nsame\n");
    assertThat(typed.err()).isEmpty();
  }
}
