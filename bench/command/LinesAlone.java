package io.bloomery.cli;

import java.util.List;

/**
 * Reads a file as the commands do, splits it into lines and does nothing with them: a lower bound for the time of every command.
 */
public final class LinesAlone {

  private LinesAlone() {}

  /** Takes the file; prints the number of lines. */
  public static void main(String... args) {
    long[] lines = new long[1];
    BlockSink counting =
        block -> {
          lines[0] += block.count();
          return true;
        };
    new KeyInput(Console.system(), List.of(args[0]))
        .read(new Reading(new LineSplitter(), null, true), counting, bytes -> {});
    System.out.println(lines[0]);
  }
}
