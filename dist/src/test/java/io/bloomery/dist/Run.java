package io.bloomery.dist;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The result of a program that ran in a directory with exactly this environment.
 *
 * @param code its exit code
 * @param text its standard output and standard error, interleaved
 */
record Run(int code, String text) {

  /** Runs a program to its end. */
  static Run of(Path directory, Map<String, String> environment, String... words)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(List.of(words)).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IOException("still running: " + String.join(" ", words));
    }
    return new Run(process.exitValue(), text);
  }
}
