package io.bloomery.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs the usual commands once, silently, so that the launcher can archive the classes they load.
 * It decides nothing but how fast {@code bloom} starts: a command that fails here is only missing
 * from the archive.
 */
final class Training {
  private Training() {}

  /** Takes a list of words to build a filter from and a directory to write it in. */
  public static void main(String... args) {
    String words = args[0];
    String filter = Path.of(args[1], "training.bloom").toString();
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    System.setOut(nowhere);
    System.setErr(nowhere);
    List<List<String>> commands =
        List.of(
            List.of("--version"),
            List.of("--help"),
            List.of("build", words, "-o", filter),
            List.of("info", filter),
            List.of("check", filter, words),
            List.of("check", filter, "--key", "bloom"));
    for (List<String> command : commands) {
      Main.commandLine().execute(command.toArray(String[]::new));
    }
  }
}
