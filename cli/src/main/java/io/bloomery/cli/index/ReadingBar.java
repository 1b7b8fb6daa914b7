package io.bloomery.cli.index;

import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.find.ReadProgress;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Shows how much of the files has been read, if the options ask for it. */
final class ReadingBar implements ReadProgress, AutoCloseable {

  private final Console console;
  private final boolean wanted;
  private @Nullable Progress bar; // null before reading begins

  /** Shows the bar if the options ask for it. */
  ReadingBar(Console console, ProgressOptions options) {
    this.console = console;
    this.wanted = options.isBarWanted(console, false);
  }

  @Override
  public void begin(long bytes) {
    bar = new Progress(console, wanted, bytes);
  }

  @Override
  public void read(long bytes) {
    Objects.requireNonNull(bar, "bar").accept(bytes);
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
