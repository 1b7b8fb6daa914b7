package io.bloomery.cli.index;

import io.bloomery.tools.problem.Problem;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code bloom find} that say which lines are printed. */
final class LineOptions {

  @Option(names = "--grep", description = "Print lines, after the name of their file and a colon.")
  private boolean grep;

  @Option(
      names = "--line-number",
      description = "Print the number of each line before it; needs --grep.")
  private boolean numbered;

  @Option(
      names = {"-A", "--after-context"},
      paramLabel = "N",
      description = "Print N lines after each that holds a key, as grep does; needs --grep.")
  private @Nullable Integer after;

  @Option(
      names = {"-B", "--before-context"},
      paramLabel = "N",
      description = "Print N lines before each that holds a key.")
  private @Nullable Integer before;

  @Option(
      names = {"-C", "--context"},
      paramLabel = "N",
      description = "Print N lines before and after each that holds a key, unless -A or -B differ.")
  private @Nullable Integer around;

  /** Fails, before anything is read, if the options contradict each other. */
  void check() {
    if (numbered && !grep) {
      throw new Problem("--line-number needs --grep");
    }
    if (isWithContext() && !grep) {
      throw new Problem("-A, -B and -C need --grep");
    }
    check("-A", after);
    check("-B", before);
    check("-C", around);
  }

  private static void check(String name, @Nullable Integer lines) {
    if (lines != null && lines < 0) {
      throw new Problem("%s is %d; it must be 0 or more lines".formatted(name, lines));
    }
  }

  /** Whether lines are printed. */
  boolean isGrep() {
    return grep;
  }

  /** Whether lines have numbers. */
  boolean isNumbered() {
    return numbered;
  }

  /** Whether lines around matches are asked for, even none. */
  boolean isWithContext() {
    return after != null || before != null || around != null;
  }

  /** How many lines before a match are printed. */
  int before() {
    return before != null ? before : around != null ? around : 0;
  }

  /** How many lines after a match are printed. */
  int after() {
    return after != null ? after : around != null ? around : 0;
  }
}
