package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The most memory that a process takes: the peak of its resident set, as Linux counts it. */
class MemoryTest {

  private static final int MEBI = 1024; // in kibibytes, the unit of /proc

  /** Runs a command in the background and prints its peak and whether it used files in TMPDIR. */
  private static final String WATCHED =
      """
      awk 'BEGIN { p = "x"; while (length(p) < 1000) p = p p
        for (i = 0; i < 300000; i++) print (i * 7919) % 300000, p }' >keys.txt
      mkdir tmp; export TMPDIR=$PWD/tmp
      COMMAND >out.txt 2>err.txt &
      pid=$! peak=0 spilled=0
      while [ -d /proc/$pid/fd ] && now=$(grep VmHWM /proc/$pid/status); do
        now=${now//[!0-9]/}
        [ "$now" -gt $peak ] && peak=$now
        [[ $(readlink /proc/$pid/fd/*) == *"$TMPDIR"* || -n $(ls -A tmp) ]] && spilled=1
        sleep 0.05
      done
      wait $pid && echo $peak $spilled $(wc -l <out.txt) $(ls -A tmp)
      """;

  @TempDir private Path directory;

  /** 310 MB of distinct lines; the least that a process gets by with is 96 MiB. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "count --exact --memory-limit 64M keys.txt",
        "dedup --exact --memory-limit 64M keys.txt",
        "join --memory-limit 96MiB --on 1 --separator ' ' --no-header keys.txt keys.txt"
      })
  void theWholeProcessStaysWithinTheLimit(String command) throws Exception {
    Typed typed = Typed.in(directory, WATCHED.replace("COMMAND", "bloom " + command));
    String[] seen = typed.out().split("\\s+", -1);
    assertThat(Integer.parseInt(seen[0])).as(typed.err()).isBetween(32 * MEBI, 96 * MEBI);
    assertThat(seen).containsExactly(seen[0], "1", "300000", "");
  }

  /** A disk that is full, as the limit on the size of files is here. */
  @Test
  void aFullDiskForTemporaryFilesIsNamed() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            mkdir tmp; export TMPDIR=$PWD/tmp XDG_CACHE_HOME=/dev/null
            seq 1000000 2000000 >keys.txt; ulimit -f 100
            bloom dedup --exact -q keys.txt >/dev/null; echo $? $(ls -A tmp)
            bloom dedup --exact -q --memory-limit 64M keys.txt >/dev/null; echo $? $(ls -A tmp)
            """);
    assertThat(typed.out()).isEqualTo("2\n2\n");
    assertThat(typed.err())
        .matches("(bloom: temporary file in .*/tmp: .+; TMPDIR sets another directory\\n){2}");
  }

  /** Interrupts the command while lines wait in a temporary file. */
  @Test
  void anInterruptLeavesNoTemporaryFile() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            mkdir tmp; export TMPDIR=$PWD/tmp
            set -m # otherwise background commands ignore SIGINT
            mkfifo lines
            bloom dedup --exact --memory-limit 64M lines >out.txt 2>err.txt &
            pid=$!
            exec 8>lines
            seq 1 1000000 >&8
            until [[ $(readlink /proc/$pid/fd/*) == *"$TMPDIR"* ]]; do sleep 0.05; done
            kill -INT $pid
            wait $pid
            echo $? $(ls -A tmp) $(cat err.txt); seq 1 1000000 | cmp - out.txt
            """);
    assertThat(typed.out()).isEqualTo("130\n");
    assertThat(typed.err()).contains("EOF on out.txt"); // what was printed is correct
  }
}
