package io.bloomery.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Runs the commands of many processes in one JVM, each in its own thread and in this process's
 * directory and environment, so that hundreds of commands need only one JVM start. The client is a
 * shell script: it writes its arguments to a file and its process id to a pipe, and waits for the
 * exit code. The server opens the client's standard streams through {@code /proc/PID/fd}.
 */
final class CommandServer {

  private static final Path PROCESSES = Path.of("/proc");
  private static final int CRASHED = 70;

  private CommandServer() {}

  /** Whether this system has {@code /proc/PID/fd}. */
  static boolean isPossible() {
    return Files.exists(PROCESSES.resolve("self/fd/0"));
  }

  /** The script to run as {@code bloom}, for a server that exchanges files in {@code exchange}. */
  static String client(Path exchange) {
    return """
    #!/bin/sh
    exec 3<&0 4>&1 5>&2 # 0, 1 and 2 change below
    exchange='%s'
    if [ $# -gt 0 ]; then printf '%%s\\0' "$@"; fi >"$exchange/$$.words"
    mkfifo "$exchange/$$.code"
    echo $$ >"$exchange/requests"
    read -r code <"$exchange/$$.code"
    rm "$exchange/$$.words" "$exchange/$$.code"
    exit "$code"
    """
        .formatted(exchange.toAbsolutePath());
  }

  /** Serves until standard input is closed, which happens when the test's JVM ends. */
  public static void main(String... args) throws IOException {
    Path exchange = Path.of(args[0]);
    Thread server = new Thread(() -> serve(exchange), "server");
    server.setDaemon(true);
    server.start();
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0);
  }

  private static void serve(Path exchange) {
    // Opened for writing too, so that it does not reach its end when a client closes the pipe.
    try (RandomAccessFile requests =
            new RandomAccessFile(exchange.resolve("requests").toFile(), "rw");
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(new FileInputStream(requests.getFD()), UTF_8))) {
      for (String process = lines.readLine(); process != null; process = lines.readLine()) {
        String asking = process;
        Thread thread = new Thread(() -> answer(exchange, asking), "command " + asking);
        thread.setDaemon(true);
        thread.start();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void answer(Path exchange, String process) {
    try {
      String words = Files.readString(exchange.resolve(process + ".words"));
      int code = run(PROCESSES.resolve(process).resolve("fd"), split(words));
      Files.writeString(exchange.resolve(process + ".code"), code + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Splits arguments that each end with a zero byte. */
  private static String[] split(String words) {
    String[] all = words.split("\0", -1);
    return Arrays.copyOf(all, all.length - 1);
  }

  @SuppressWarnings("CatchAndPrintStackTrace") // the test shows it as the command's output
  private static int run(Path streams, String... words) throws IOException {
    try (InputStream in =
            new BufferedInputStream(new FileInputStream(streams.resolve("3").toFile()));
        OutputStream out = new FileOutputStream(streams.resolve("4").toFile(), true);
        PrintWriter err =
            new PrintWriter(
                new OutputStreamWriter(
                    new FileOutputStream(streams.resolve("5").toFile(), true), UTF_8),
                true)) {
      try {
        return Main.run(
            new Console(in, new StandardOutput(out), err, () -> false, () -> false), words);
      } catch (RuntimeException | Error e) {
        e.printStackTrace(err);
        return CRASHED;
      }
    }
  }
}
