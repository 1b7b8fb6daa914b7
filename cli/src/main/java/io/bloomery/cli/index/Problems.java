package io.bloomery.cli.index;

import io.bloomery.cli.console.Console;
import io.bloomery.cli.console.Problem;
import java.util.function.Consumer;

/** Tells about files that could not be read, and remembers that there were some. */
final class Problems implements Consumer<Problem> {

  private final Console console;
  private boolean any;

  /** Tells on the console. */
  Problems(Console console) {
    this.console = console;
  }

  @Override
  public void accept(Problem problem) {
    any = true;
    console.warn(problem.getMessage());
  }

  /** Whether there was one. */
  boolean any() {
    return any;
  }
}
