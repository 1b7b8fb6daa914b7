package io.bloomery.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.tools.spill.RunHash;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Runs bash commands in a directory, where {@code bloom} is this program: in a separate JVM, or in
 * one that serves all commands.
 */
public final class Shell implements AutoCloseable {

  private static final int MINUTES = 5;

  /** A fixed key for every run, so that the output shown on pages is repeatable. */
  private static final String RUN_KEY = "000102030405060708090a0b0c0d0e0f";

  /**
   * The outcome of a command.
   *
   * @param code the exit code
   * @param text standard output and standard error, interleaved
   */
  record Output(int code, String text) {}

  private final Path directory;
  private final Path tools;
  private Process server; // null if each command has its own JVM

  /** Works in {@code directory} and puts the launcher into {@code tools}. */
  Shell(Path directory, Path tools) throws IOException {
    this.directory = directory;
    this.tools = Files.createDirectories(tools);
    Path bloom = Files.writeString(tools.resolve("bloom"), launcher());
    if (!bloom.toFile().setExecutable(true)) {
      throw new IOException(bloom + " cannot be made executable");
    }
  }

  private static String launcher() {
    return """
    #!/bin/sh
    exec '%s' -D%s=%s ${BLOOM_JAVA_OPTS:-} io.bloomery.cli.Main "$@"
    """
        .formatted(String.join("' '", FastStart.command()), RunHash.KEY_PROPERTY, RUN_KEY);
  }

  /**
   * From now on one JVM runs all commands, if the system allows it. Only for commands that do not
   * depend on their process: no signals, no terminal, no JVM options, no other directory.
   */
  Shell served() throws IOException {
    if (CommandServer.isPossible()) {
      Path exchange = Files.createDirectory(tools.resolve("exchange"));
      try {
        new ProcessBuilder("mkfifo", exchange.resolve("requests").toString()).start().waitFor();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
      List<String> words = new ArrayList<>(FastStart.command());
      words.add("-D" + RunHash.KEY_PROPERTY + "=" + RUN_KEY);
      words.add(CommandServer.class.getName());
      words.add(exchange.toAbsolutePath().toString());
      server =
          prepared(words)
              .redirectErrorStream(true)
              .redirectOutput(exchange.resolve("server.log").toFile())
              .start();
      Files.writeString(tools.resolve("bloom"), CommandServer.client(exchange));
    }
    return this;
  }

  @Override
  public void close() {
    if (server != null) {
      server.destroy();
    }
  }

  /** Also makes {@code ./bloom} work. */
  Shell linked() throws IOException {
    Files.createSymbolicLink(directory.resolve("bloom"), tools.resolve("bloom"));
    return this;
  }

  /** Starts a command with empty standard input and with standard error merged into its output. */
  Process start(String command) throws IOException {
    return start(command, false);
  }

  /** Like {@link #start(String)}; if {@code typed}, standard input is a pipe instead. */
  Process start(String command, boolean typed) throws IOException {
    ProcessBuilder builder = prepared(List.of("bash", "-c", command)).redirectErrorStream(true);
    if (!typed) {
      builder.redirectInput(new File("/dev/null"));
    }
    return builder.start();
  }

  private ProcessBuilder prepared(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    Map<String, String> environment = builder.environment();
    Path jdk = Path.of(System.getProperty("java.home"), "bin");
    environment.put(
        "PATH", tools + File.pathSeparator + environment.get("PATH") + File.pathSeparator + jdk);
    environment.put("LC_ALL", "C.UTF-8");
    environment.put("TERM", "dumb");
    environment.put("XDG_CONFIG_HOME", tools.resolve("config").toAbsolutePath().toString());
    environment.keySet().removeIf(name -> name.matches("(BLOOM|JAVA|JDK_JAVA)_.*"));
    return builder;
  }

  /** Runs a command to its end. */
  Output run(String command) throws IOException, InterruptedException {
    Process process = start(command);
    CompletableFuture<String> text = CompletableFuture.supplyAsync(() -> read(process));
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new IOException(
          "still running after " + MINUTES + " minutes: " + command + serverLog());
    }
    return new Output(process.exitValue(), text.join());
  }

  private String serverLog() throws IOException {
    Path log = tools.resolve("exchange").resolve("server.log");
    return Files.exists(log) ? "\n" + Files.readString(log) : "";
  }

  private static String read(Process process) {
    try (InputStream in = process.getInputStream()) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      return "(its output could not be read: " + e + ")";
    }
  }

  /** Copies the files of a directory, without its subdirectories, into one of this directory. */
  void copy(Path from, String name) throws IOException {
    Path to = Files.createDirectories(directory.resolve(name));
    try (var files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }
}
