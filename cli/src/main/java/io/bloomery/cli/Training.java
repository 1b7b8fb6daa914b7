package io.bloomery.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;

/**
 * Runs the usual commands once, silently, so that the launcher can archive the classes they load.
 * It affects only how fast {@code bloom} starts: a command that fails here is merely missing from
 * the archive.
 */
final class Training {
  private Training() {}

  /**
   * Takes a gzipped list of words to build a filter from, which is created if it does not exist,
   * and a directory to write the filter to.
   */
  public static void main(String... args) throws IOException {
    String words = args[0];
    Path parent = Objects.requireNonNull(Path.of(words).toAbsolutePath().getParent(), "directory");
    if (!Files.exists(Path.of(words))) {
      Files.createDirectories(parent);
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(Path.of(words)))) {
        out.write("apple\npear\nzebra\n".getBytes(UTF_8));
      }
    }
    String directory = parent.toString();
    Main.load();
    Console.system(); // loads what only a real console needs
    Arguments.exact(args); // and what only a process needs
    String filter = Path.of(args[1], "training.bloom").toString();
    String classic = Path.of(args[1], "classic.bloom").toString();
    String index = Path.of(args[1], "training.bloomidx").toString();
    Console nowhere =
        new Console(
            InputStream.nullInputStream(),
            new StandardOutput(OutputStream.nullOutputStream()),
            new PrintWriter(Writer.nullWriter()),
            () -> false,
            () -> false);
    List<List<String>> commands =
        List.of(
            List.of("--version"),
            List.of("--help"),
            List.of("build", "--help"),
            List.of("build", words, "-o", filter),
            List.of("build", words, "-o", filter, "--force", "--json"),
            List.of("info", filter),
            List.of("info", filter, "--verify", "--json"),
            List.of("check", filter, words),
            List.of("dedup", words),
            List.of("check", filter, "--key", "bloom", "--key", "no such key"),
            List.of("build", words, "-o", classic, "--kind", "bloom"),
            List.of("check", classic, "-q", "-k", "bloom"),
            List.of("which", "bloom", filter),
            List.of("add", filter, "--key", "no such key"),
            List.of("index", directory, "-o", index, "-q"),
            List.of("find", "zebra", index),
            List.of("find", "--grep", "--line-number", "zebra", "no such key", index));
    for (List<String> command : commands) {
      Main.run(nowhere, command.toArray(String[]::new));
    }
  }
}
