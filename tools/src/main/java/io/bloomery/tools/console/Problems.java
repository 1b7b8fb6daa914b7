package io.bloomery.tools.console;

import java.util.function.Consumer;

/** Reports files that could not be read, and remembers whether there were any. */
public final class Problems implements Consumer<String> {

  private final Console console;
  private boolean any;

  /** Reports to the console. */
  public Problems(Console console) {
    this.console = console;
  }

  @Override
  public void accept(String problem) {
    any = true;
    console.warn(problem);
  }

  /** Whether there was any. */
  public boolean any() {
    return any;
  }
}
