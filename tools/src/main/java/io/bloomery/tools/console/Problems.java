package io.bloomery.tools.console;

import io.bloomery.tools.problem.Problem;
import java.util.function.Consumer;

/** Reports files that could not be read, and remembers whether there were any. */
public final class Problems implements Consumer<Problem> {

  private final Console console;
  private boolean any;

  /** Reports to the console. */
  public Problems(Console console) {
    this.console = console;
  }

  @Override
  public void accept(Problem problem) {
    any = true;
    console.warn(problem.getMessage());
  }

  /** Whether there was any. */
  public boolean any() {
    return any;
  }
}
