package io.bloomery.cli.security;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A progress bar that appears when it is known how much there is to read. */
final class HashingBar implements LongFunction<LongConsumer>, AutoCloseable {

  private final Console console;
  private final boolean shown;
  private @Nullable Progress progress;

  HashingBar(Console console, boolean shown) {
    this.console = console;
    this.shown = shown;
  }

  @Override
  public LongConsumer apply(long bytes) {
    Progress made = new Progress(console, shown, bytes);
    progress = made;
    return made;
  }

  @Override
  public void close() {
    if (progress != null) {
      progress.close();
    }
  }
}
