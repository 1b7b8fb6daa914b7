package io.bloomery.tools.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Visible;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a command reads from and writes to besides files. Keys pass through as bytes; texts are
 * UTF-8.
 *
 * @param in standard input
 * @param out standard output, for results
 * @param err standard error, for messages
 * @param typed whether the input is a terminal
 * @param watched whether standard error is a terminal, so that progress is worth showing
 * @param coloured whether results may have colours
 * @param debug whether errors show where they come from
 * @param terminal how much room there is for text
 */
public record Console(
    InputStream in,
    StandardOutput out,
    PrintWriter err,
    BooleanSupplier typed,
    BooleanSupplier watched,
    BooleanSupplier coloured,
    boolean debug,
    Terminal terminal) {

  /** A console of the usual size, without colours, whose errors are one line. */
  public Console(
      InputStream in,
      StandardOutput out,
      PrintWriter err,
      BooleanSupplier typed,
      BooleanSupplier watched) {
    this(in, out, err, typed, watched, () -> false, false, Terminal.of(Terminal.USUAL));
  }

  /** The console of this process. */
  public static Console system() {
    PrintWriter err =
        new PrintWriter(
            new OutputStreamWriter(new FileOutputStream(FileDescriptor.err), UTF_8), true);
    return new Console(
        System.in,
        new StandardOutput(new FileOutputStream(FileDescriptor.out), Asked.PRINTED),
        err,
        Asked.TYPED,
        Asked.WATCHED,
        Asked.COLOURED,
        "1".equals(System.getenv("BLOOM_DEBUG")),
        Terminal.system());
  }

  /** The same console with the options that every command has. */
  public Console with(Colours colours, boolean showsMore) {
    BooleanSupplier chosen =
        switch (colours) {
          case AUTO -> coloured;
          case ALWAYS -> () -> true;
          case NEVER -> () -> false;
        };
    return new Console(in, out, err, typed, watched, chosen, debug || showsMore, terminal);
  }

  /** The same console, with another input, which is not typed. */
  public Console readingFrom(InputStream other) {
    return new Console(other, out, err, () -> false, watched, coloured, debug, terminal);
  }

  /** The same console, with results that go elsewhere. */
  public Console printingTo(StandardOutput other) {
    return new Console(in, other, err, typed, watched, () -> false, debug, terminal);
  }

  /** The room for results. */
  public Terminal.Size size() {
    return terminal.size(out.isTerminal());
  }

  /** The columns for a table: those of a terminal, and any number in files and pipes. */
  public int tableColumns() {
    return out.isTerminal() ? size().columns() : Integer.MAX_VALUE;
  }

  /** Prints a message on one line, even if it contains names and keys with line breaks. */
  public void say(String line) {
    out.makeWay();
    err.println(Visible.line(line));
    err.flush();
  }

  /** Prints a warning. */
  public void warn(@Nullable String line) {
    say("bloom: warning: " + line);
  }

  /** Prints results. */
  public void print(String text) {
    byte[] bytes = Octets.bytes(text);
    out.write(bytes, 0, bytes.length);
  }

  /** Prints the program's own text, which may have colours. */
  public void printStyled(String text) {
    out.writeStyled(Octets.bytes(text));
  }

  /** A name or key as results show it: on one line if they go to a terminal. */
  public String shown(String name) {
    return out.isTerminal() ? Visible.line(name) : name;
  }

  /**
   * Facts about this process, determined on demand. Lambdas would cost the JVM 10 ms at startup.
   */
  private enum Asked implements BooleanSupplier {
    TYPED,
    PRINTED,
    WATCHED,
    COLOURED;

    @Override
    public boolean getAsBoolean() {
      return switch (this) {
        case TYPED -> isTerminal(0);
        case PRINTED -> isTerminal(1);
        case WATCHED -> !isDumb() && isTerminal(2);
        case COLOURED -> !isDumb() && System.getenv("NO_COLOR") == null && isTerminal(1);
      };
    }

    private static boolean isDumb() {
      return "dumb".equals(System.getenv("TERM"));
    }

    private static boolean isTerminal(int descriptor) {
      Path link = Path.of("/proc/self/fd/" + descriptor);
      try {
        if (Files.isSymbolicLink(link)) {
          String target = Files.readSymbolicLink(link).toString();
          return target.startsWith("/dev/pts/")
              || target.startsWith("/dev/tty")
              || target.equals("/dev/console");
        }
        Process test =
            new ProcessBuilder("test", "-t", Integer.toString(descriptor)).inheritIO().start();
        return test.waitFor() == 0;
      } catch (IOException e) {
        return false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}
