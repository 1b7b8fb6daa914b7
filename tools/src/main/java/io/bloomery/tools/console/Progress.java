package io.bloomery.tools.console;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * A bar on standard error that shows how much of the input was read. It appears only when that
 * takes a while, and disappears for good when something else is written to the terminal, and on
 * shutdown.
 */
public final class Progress implements LongConsumer, AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMillis(300);
  private static final int UPDATE_MILLIS = 100;
  private static final long MEGABYTE = 1_000_000;

  private final Console console;
  private final boolean shown;
  private final long total;
  private final long start = System.nanoTime();
  private final Line line;
  private final Thread cleanup;
  private long done;
  private @Nullable ProgressBar bar;

  /** For {@code total} bytes, -1 if unknown; shows nothing unless {@code shown}. */
  public Progress(Console console, boolean shown, long total) {
    this.console = console;
    this.shown = shown;
    this.total = total;
    this.line = new Line(console);
    this.cleanup = new Thread(line::close, "bloom-clear-line");
  }

  /**
   * Whether to show a bar: not if it is refused, nor if lines are printed to the same terminal at
   * the same time.
   */
  public static boolean isWanted(Console console, boolean refused, boolean printing) {
    return !refused
        && console.watched().getAsBoolean()
        && !(printing && console.out().isTerminal());
  }

  @Override
  public void accept(long bytes) {
    done += bytes;
    if (bar != null) {
      bar.stepTo(done);
    } else if (shown) {
      Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
      if (elapsed.compareTo(PATIENCE) > 0) {
        console.out().status(line::close);
        Shutdown.add(cleanup);
        bar = bar(elapsed);
      }
    }
  }

  private ProgressBar bar(Duration elapsed) {
    return new ProgressBarBuilder()
        .setTaskName("reading")
        .setInitialMax(total)
        .startsFrom(done, elapsed)
        .setUnit(" MB", MEGABYTE)
        .showSpeed()
        .setStyle(ProgressBarStyle.UNICODE_BLOCK)
        .setUpdateIntervalMillis(UPDATE_MILLIS)
        .setConsumer(line)
        .build();
  }

  /** Names the work that follows when everything was read. */
  public void phase(String what) {
    if (bar != null) {
      bar.setExtraMessage(" " + what);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      console.out().status(null);
      Shutdown.remove(cleanup);
    }
  }

  /** One line of the terminal, which is empty again when it is closed, and stays so. */
  private static final class Line implements ProgressBarConsumer {
    private static final String BEGIN = "\r\033[?7l"; // what does not fit is cut off, not wrapped
    private static final String END = "\033[K\033[?7h";

    private final PrintWriter err;
    private final Terminal terminal;
    private boolean drawn;
    private boolean closed;

    Line(Console console) {
      this.err = console.err();
      this.terminal = console.terminal();
    }

    @Override
    public int getMaxRenderedLength() {
      return terminal.size(true).columns() - 1;
    }

    @Override
    public synchronized void accept(String text) {
      if (!closed) {
        err.print(BEGIN + text + END);
        err.flush();
        drawn = true;
      }
    }

    @Override
    public synchronized void clear() {
      if (drawn) {
        err.print("\r\033[K");
        err.flush();
        drawn = false;
      }
    }

    @Override
    public synchronized void close() {
      clear();
      closed = true;
    }
  }
}
