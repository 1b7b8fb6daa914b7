package io.bloomery.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.testkit.Seeds;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.console.Terminal;
import io.bloomery.tools.file.MachineFile;
import io.bloomery.tools.spill.RunHash;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.HexFormat;
import picocli.CommandLine;

/** Runs {@code bloom} in this process and captures its output. */
public final class Bloom {

  /**
   * The outcome of a command.
   *
   * @param code the exit code
   * @param latin1 standard output, one character per byte
   * @param err standard error
   */
  public record Run(int code, String latin1, String err) {
    public byte[] bytes() {
      return latin1.getBytes(ISO_8859_1);
    }

    public String out() {
      return new String(bytes(), UTF_8);
    }
  }

  static {
    // Tests neither read nor overwrite what bloom bench has measured on this machine.
    System.setProperty(
        MachineFile.DIRECTORY_PROPERTY,
        System.getProperty("java.io.tmpdir") + "/bloomery-none-" + ProcessHandle.current().pid());
    // A fixed key makes approximate results repeatable.
    byte[] key = new byte[16];
    Seeds.random(1).nextBytes(key);
    System.setProperty(RunHash.KEY_PROPERTY, HexFormat.of().formatHex(key));
  }

  private Bloom() {}

  public static Run bloom(Object... args) {
    return bloomWith("", args);
  }

  public static Run bloomWith(String input, Object... args) {
    return bloomWith(input.getBytes(UTF_8), args);
  }

  public static Run bloomWith(byte[] input, Object... args) {
    return bloomWith(new ByteArrayInputStream(input), args);
  }

  public static Run bloomWith(InputStream input, Object... args) {
    return run(input, false, false, args);
  }

  /** Runs with standard input and standard error on a terminal. */
  public static Run bloomOnTerminal(InputStream input, Object... args) {
    return run(input, true, false, args);
  }

  /** Runs with standard output on a terminal. */
  public static Run bloomSeen(byte[] input, Object... args) {
    return run(new ByteArrayInputStream(input), false, true, args);
  }

  /** Runs with standard output on a terminal with this many columns. */
  public static Run bloomIn(int columns, Object... args) {
    Terminal terminal = Terminal.of(new Terminal.Size(columns, 24));
    return run(InputStream.nullInputStream(), false, true, terminal, args);
  }

  /** All commands, as picocli sees them. */
  static CommandLine commandLine() {
    Main main = new Main(new Commands(), Console.system());
    return main.commandLine(main.model().all());
  }

  private static Run run(InputStream input, boolean typed, boolean seen, Object... args) {
    return run(input, typed, seen, Terminal.of(Terminal.USUAL), args);
  }

  private static Run run(
      InputStream input, boolean typed, boolean seen, Terminal terminal, Object... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StringWriter err = new StringWriter();
    Console console =
        new Console(
            input,
            new StandardOutput(out, () -> seen),
            new PrintWriter(err, true),
            () -> typed,
            () -> typed,
            () -> false,
            false,
            terminal);
    int code = Main.run(console, Arrays.stream(args).map(Object::toString).toArray(String[]::new));
    return new Run(code, out.toString(ISO_8859_1), err.toString());
  }
}
