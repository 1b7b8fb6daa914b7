package io.bloomery.cli.dedup;

import io.bloomery.cli.console.StandardOutput;
import io.bloomery.cli.input.Block;
import io.bloomery.cli.input.BlockSink;
import java.util.Arrays;
import java.util.function.LongFunction;

/** The work of {@code bloom dedup}: passes each record once, or the repeated ones instead. */
final class DedupRun implements BlockSink, AutoCloseable {

  /**
   * What passes.
   *
   * @param repeated the repetitions instead of what is new
   * @param allEmpty every empty key, as if it were always new
   */
  record Passing(boolean repeated, boolean allEmpty) {}

  private final LongFunction<Seen> maker;
  private final long inputBytes;
  private final Passing passing;
  private final StandardOutput out;
  private volatile Seen seen; // made when the first block says how long lines are
  private boolean named; // a header row was passed
  private long lines;
  private long fresh;

  /**
   * Prints to {@code out}, or nothing if it is null.
   *
   * @param maker makes the memory for so many keys, 0 if their number is unknown
   * @param inputBytes how long the input is, -1 if unknown
   */
  DedupRun(LongFunction<Seen> maker, long inputBytes, Passing passing, StandardOutput out) {
    this.maker = maker;
    this.inputBytes = inputBytes;
    this.passing = passing;
    this.out = out;
  }

  /** How many records were read. */
  long lines() {
    return lines;
  }

  /** How many of them were new. */
  long fresh() {
    return fresh;
  }

  /** What remembers the keys. */
  Seen seen() {
    if (seen == null) {
      seen = maker.apply(0);
    }
    return seen;
  }

  @Override
  public void prepare(Block block) {
    Seen present = seen;
    if (present == null) {
      Arrays.fill(block.marks(), 0);
    } else {
      present.prepare(block);
    }
  }

  @Override
  public boolean take(Block block) {
    if (seen == null && block.count() > 0) {
      seen = maker.apply(expectedLines(block));
    }
    int kept = keep(block);
    if (out != null) {
      out.write(block.bytes(), 0, kept);
      byte[] end = block.recordEnd();
      if (kept > 0 && end.length > 0 && block.bytes()[kept - 1] != end[end.length - 1]) {
        out.write(end, 0, end.length); // the last record of its file lacks its end
      }
      if (block.isPaused()) {
        out.flush();
      }
    }
    return true;
  }

  /** As many as there would be if all lines were as long as those of the first block. */
  private long expectedLines(Block first) {
    double perByte = (double) first.count() / first.length();
    return inputBytes < 0 ? 0 : (long) Math.ceil(perByte * inputBytes);
  }

  /** Moves what passes to the beginning of the block's array and returns its length. */
  private int keep(Block block) {
    byte[] bytes = block.bytes();
    int[] starts = block.starts();
    int[] ends = block.ends();
    int kept = 0;
    int runStart = 0; // records that pass and lie side by side are moved together
    int runEnd = named ? 0 : block.headerEnd();
    named |= runEnd > 0;
    int count = block.count();
    for (int i = 0; i < count; i++) {
      if (passes(block, i)) {
        if (starts[i] != runEnd) {
          kept = move(bytes, runStart, runEnd, kept);
          runStart = starts[i];
        }
        runEnd = ends[i];
      }
    }
    lines += count;
    return move(bytes, runStart, runEnd, kept);
  }

  private boolean passes(Block block, int key) {
    boolean isNew =
        (passing.allEmpty && block.keyStarts()[key] == block.keyEnds()[key])
            || seen.add(block, key);
    fresh += isNew ? 1 : 0;
    return isNew != passing.repeated;
  }

  private static int move(byte[] bytes, int start, int end, int to) {
    if (start != to) {
      System.arraycopy(bytes, start, bytes, to, end - start);
    }
    return to + end - start;
  }

  @Override
  public void close() {
    if (seen != null) {
      seen.close();
    }
  }
}
