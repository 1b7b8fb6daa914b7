package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  /** 310 MB of distinct lines; a process needs at least 96 MiB. */
  @Test
  void theWholeProcessStaysWithinTheLimit() throws Exception {
    String[] seen =
        Typed.in(
                directory,
                WATCHED.replace("COMMAND", "bloom count --exact --memory-limit 64M keys.txt"))
            .out()
            .split("\\s+", -1);
    assertThat(Integer.parseInt(seen[0])).isBetween(32 * MEBI, 96 * MEBI);
    assertThat(seen).containsExactly(seen[0], "1", "300000", "");
  }
}
