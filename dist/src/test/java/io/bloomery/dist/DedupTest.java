package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bloom dedup} of the packed file. */
class DedupTest {

  private static final Path WORDS = Path.of("../examples/words.txt.gz").toAbsolutePath();

  @TempDir private Path directory;

  /** The window computed by awk from line numbers. */
  @Test
  void anExactWindowMatchesAwk() throws Exception {
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
    String[] lines = typed.out().lines().toArray(String[]::new);
    assertThat(Integer.parseInt(lines[0])).isBetween(5_000, 29_999);
    assertThat(lines[1]).isEqualTo("0"); // a filter drops everything that the exact window drops
  }

  /** Killed while it reads, and at moments around the save: lines are repeated, none is lost. */
  @Test
  void aKilledRunLosesNothing() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            zcat %s | shuf --random-source=<(yes) | head -n 60000 >words; sort words >sorted
            head -n 10 words | bloom dedup --state seen.bloom -q >out; cp seen.bloom before
            mkfifo lines; bloom dedup --state seen.bloom -q <lines >>out & exec 3>lines
            cat words >&3; until [ $(wc -l <out) -gt 1000 ]; do sleep 0.02; done
            kill -9 $!; wait $! 2>/dev/null; exec 3>&-
            cmp seen.bloom before && echo unchanged
            for delay in 0.5 0.7; do
              bloom dedup --state seen.bloom -q words >>out & sleep $delay
              kill -9 $! 2>/dev/null; wait $! 2>/dev/null
            done
            bloom dedup --state seen.bloom -q words >>out; echo $?
            bloom verify seen.bloom >/dev/null; echo $?
            sort -u out | comm -13 - sorted | wc -l
            bloom dedup --state seen.bloom -q words | wc -l; ls -A | grep -c bloomery
            """
                .formatted(WORDS));
    assertThat(typed.out()).as(typed.err()).isEqualTo("unchanged\n0\n0\n0\n0\n0\n");
  }

  /** A stream that does not end: saved while it pauses, killed in the middle, ended by signals. */
  @Test
  void anEndlessStreamIsSaved() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            zcat %s | shuf --random-source=<(yes) | head -n 60000 >words; sort words >sorted
            head -n 20000 words >begin; mkfifo lines
            bloom dedup --state seen.bloom --save-every 100ms -q <lines >out & exec 3>lines
            cat begin >&3; until [ $(wc -l <out) = 20000 ] && [ -f seen.bloom ]; do sleep 0.02; done
            until [ $(bloom check -q seen.bloom begin --mode absent | wc -l) = 0 ]; do sleep 0.1; done
            tail -n +20001 words >&3; until [ $(wc -l <out) -gt 30000 ]; do sleep 0.01; done
            kill -9 $!; wait $! 2>/dev/null; exec 3>&-
            bloom dedup --state seen.bloom -q words >>out; echo $?
            sort -u out | cmp - sorted && echo all
            sort out | uniq -d | comm -12 - <(sort begin) | wc -l
            for signal in TERM INT; do
              set -m; bloom dedup --state new.$signal -q <lines >out.$signal & set +m; exec 3>lines
              head -n 100 words >&3; until [ $(wc -l <out.$signal) = 100 ]; do sleep 0.02; done
              kill -$signal $!; wait $!; echo $?; exec 3>&-
              head -n 101 words | bloom dedup --state new.$signal -q | wc -l
            done
            ls -A | grep -c '^[.]bloomery'
            """
                .formatted(WORDS));
    assertThat(typed.out()).as(typed.err()).isEqualTo("0\nall\n0\n143\n1\n130\n1\n0\n");
  }

  /** Two runs at once over overlapping lines, and one that refuses to wait. */
  @Test
  void concurrentRunsLoseAndRepeatNothing() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            zcat %s >words; sort words >sorted; mkfifo held
            bloom dedup --state seen.bloom -q <held >first & exec 3>held
            head -n 60000 words >&3; until [ -s first ]; do sleep 0.02; done
            bloom dedup --state seen.bloom --wait 10ms words >no 3>&-; echo $? $(wc -c <no)
            { tail -n 60000 words | bloom dedup --state seen.bloom -q >second; } 3>&- &
            sleep 0.3; exec 3>&-; wait
            cat first second | sort | cmp - sorted && echo same
            """
                .formatted(WORDS));
    assertThat(typed.out()).as(typed.err()).isEqualTo("2 0\nsame\n");
    assertThat(typed.err())
        .contains("seen.bloom: is still being changed by another bloom after 0.01 s");
  }

  /** The reader closes the pipe after one line: the state does not record the other lines. */
  @Test
  void aClosedPipeLeavesTheStateUnchanged() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            zcat %s >words
            bloom dedup --state seen.bloom -q words | head -n 1; echo ${PIPESTATUS[0]}
            ls seen.bloom 2>/dev/null
            bloom dedup --state seen.bloom -q words | cmp - words && echo all
            """
                .formatted(WORDS));
    assertThat(typed.out()).as(typed.err()).matches("[^\n]+\n141\nall\n");
  }

  /** A log of 2024, in any time zone: the result depends only on the times in the log. */
  @Test
  void storedLogsAreReplayed() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            export TZ=Asia/Kolkata
            printf 'a\\t[01/May/2024:09:00:00 +0200]\\na\\t[01/May/2024:07:09:59 +0000]\\n' >log
            printf 'a\\t[01/May/2024:09:20:00 +0200]\\n' >>log
            bloom dedup log --column 1 --exact --within 10m -q --time-column 2 \\
              --time-format '[dd/MMM/yyyy:HH:mm:ss Z]' | wc -l
            bloom dedup log --column 1 --exact --within 10m -q --time-column 2 \\
              --time-format "'['dd/MMM/yyyy:HH:mm:ss Z']'"
            """);
    assertThat(typed.out())
        .as(typed.err())
        .isEqualTo("0\na\t[01/May/2024:09:00:00 +0200]\na\t[01/May/2024:09:20:00 +0200]\n");
    assertThat(typed.err()).contains("has no time in column 2");
  }
}
