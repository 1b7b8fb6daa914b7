package io.bloomery.transfer.group;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.theory.DistributedMath;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Distributed filters on processes of the operating system, connected by TCP on this machine. */
@Timeout(300)
final class ProcessesTest {

  private static final int EACH = 1_000;

  @Test
  void twoProcesses() throws IOException, InterruptedException {
    check(2, run(2, -1));
  }

  @Test
  void fourThreads() throws IOException {
    check(4, SocketGroup.run(4, transport -> ProcessMain.run(transport, EACH)));
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5, 8, 12, 16})
  void moreProcesses(int size) throws IOException, InterruptedException {
    check(size, run(size, -1));
  }

  /** The others say who it was, and end by themselves. */
  @Tag("long")
  @Test
  void aProcessDies() throws IOException, InterruptedException {
    List<String> results = run(4, 2);
    for (int rank = 0; rank < 4; rank++) {
      if (rank != 2) {
        // Whoever learns of it first ends too, so that others may name that one.
        assertThat(results.get(rank)).matches("process [0-3] .*");
      }
    }
    assertThat(results).anyMatch(result -> result.startsWith("process 2 "));
  }

  private static void check(int size, List<String> results) {
    long messages = 0;
    double bytes = 0;
    for (String result : results) {
      String[] values = result.split(" ", -1);
      assertThat(values).hasSize(6);
      assertThat(values[0]).as("all duplicates found").isEqualTo("true");
      // Two true marks; false ones with probability 1/64, in pairs: twice the variance.
      int most = (int) (EACH / 64.0 + 5 * Math.sqrt(2 * EACH / 64.0));
      assertThat(Integer.parseInt(values[1])).isBetween(2, 2 + most);
      assertThat(Integer.parseInt(values[2])).isEqualTo(2 * (size - 1));
      bytes += Double.parseDouble(values[3]);
      assertThat(values[4]).as("the union is right").isEqualTo("true");
      messages += Long.parseLong(values[5]);
    }
    assertThat(messages).isEqualTo(DistributedMath.replicatingMessages(size));
    double codes = DistributedMath.singleShotBits((long) size * EACH, 64L * size * EACH, size) / 8;
    int pairs = size * (size - 1);
    assertThat(bytes).isBetween(codes, 1.1 * codes + 22.0 * pairs);
  }

  /** What each process prints; one may be told to die. */
  private static List<String> run(int size, int dying) throws IOException, InterruptedException {
    List<Process> processes = new ArrayList<>();
    try {
      List<BufferedReader> outputs = new ArrayList<>();
      List<String> ports = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        processes.add(start(rank, size, rank == dying));
        outputs.add(
            new BufferedReader(new InputStreamReader(processes.get(rank).getInputStream(), UTF_8)));
      }
      for (BufferedReader output : outputs) {
        ports.add(output.readLine());
      }
      for (Process process : processes) {
        process.getOutputStream().write((String.join(" ", ports) + "\n").getBytes(UTF_8));
        process.getOutputStream().flush();
      }
      List<String> results = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        String result = outputs.get(rank).readLine();
        results.add(result == null ? "" : result);
        assertThat(processes.get(rank).waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(processes.get(rank).exitValue()).isEqualTo(rank == dying ? 3 : 0);
      }
      return results;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  private static Process start(int rank, int size, boolean dies) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return new ProcessBuilder(
            java.toString(),
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            ProcessMain.class.getName(),
            Integer.toString(rank),
            Integer.toString(size),
            Integer.toString(EACH),
            Boolean.toString(dies))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
