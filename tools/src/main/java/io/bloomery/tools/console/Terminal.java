package io.bloomery.tools.console;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.File;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How much room there is for text. {@code COLUMNS} and {@code LINES} of the environment come first,
 * as with other programs; then what {@code stty size} says of the terminal; otherwise there are 80
 * columns and 24 lines, so that files and pipes get the same text everywhere. Determined once, on
 * demand.
 */
public final class Terminal {

  /**
   * A number of columns and lines.
   *
   * @param columns 30 … 1000
   * @param lines 10 … 1000
   */
  public record Size(int columns, int lines) {}

  /** What is assumed of a terminal that says nothing. */
  public static final Size USUAL = new Size(80, 24);

  private static final Size LEAST = new Size(30, 10);
  private static final int MOST = 1000;
  private static final int PATIENCE_SECONDS = 1;

  private final Map<String, String> environment;
  private final Supplier<String> stty;
  private @Nullable Size measured; // null before it matters

  /**
   * A terminal.
   *
   * @param environment may hold COLUMNS and LINES
   * @param stty the output of {@code stty size}: lines and columns; anything else if it failed
   */
  public Terminal(Map<String, String> environment, Supplier<String> stty) {
    this.environment = environment;
    this.stty = stty;
  }

  /** A terminal of a given size. */
  public static Terminal of(Size size) {
    return new Terminal(Map.of(), () -> size.lines + " " + size.columns);
  }

  /** The terminal of this process. */
  static Terminal system() {
    return new Terminal(System.getenv(), Stty.SIZE);
  }

  /**
   * The room for a text.
   *
   * @param seen whether it goes to the terminal; the size of a terminal does not matter to others
   */
  public Size size(boolean seen) {
    int columns = number(environment.get("COLUMNS"));
    int lines = number(environment.get("LINES"));
    Size other = seen && (columns == 0 || lines == 0) ? measured() : USUAL;
    return new Size(
        within(LEAST.columns, columns == 0 ? other.columns : columns),
        within(LEAST.lines, lines == 0 ? other.lines : lines));
  }

  private Size measured() {
    if (measured == null) {
      String[] words = stty.get().strip().split(" ", -1);
      int lines = words.length == 2 ? number(words[0]) : 0;
      int columns = words.length == 2 ? number(words[1]) : 0;
      measured = new Size(columns == 0 ? USUAL.columns : columns, lines == 0 ? USUAL.lines : lines);
    }
    return measured;
  }

  /** The number, or 0 if it is none or not positive. */
  private static int number(@Nullable String text) {
    return text != null && text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : 0;
  }

  private static int within(int least, int number) {
    return Math.max(least, Math.min(MOST, number));
  }

  /** A class of its own, since a lambda would cost 10 ms at startup. */
  private enum Stty implements Supplier<String> {
    SIZE;

    @Override
    public String get() {
      try {
        Process process =
            new ProcessBuilder("stty", "size")
                .redirectInput(new File("/dev/tty"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          process.destroy();
          return "";
        }
        return new String(process.getInputStream().readAllBytes(), US_ASCII);
      } catch (IOException e) {
        return "";
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return "";
      }
    }
  }
}
