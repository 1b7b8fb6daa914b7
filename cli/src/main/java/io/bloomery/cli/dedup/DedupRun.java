package io.bloomery.cli.dedup;

import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.BlockSink;
import io.bloomery.tools.input.Bytes;
import java.util.Arrays;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The work of {@code bloom dedup}: outputs each record once, or only the repeated ones. */
final class DedupRun implements BlockSink, AutoCloseable {

  /**
   * Which records are output.
   *
   * @param repeated the repeated records instead of the new ones
   * @param allEmpty every record with an empty key, as if it were always new
   */
  record Passing(boolean repeated, boolean allEmpty) {}

  private final LongFunction<Seen> maker;
  private final long inputBytes;
  private final Passing passing;
  private final @Nullable StandardOutput out;
  private volatile @Nullable Seen seen; // created once the first block shows how long lines are
  private final Bytes arranged = new Bytes();
  private boolean headerWritten;
  private long lines;
  private long fresh;

  /**
   * Writes to {@code out}; writes nothing if it is null.
   *
   * @param maker creates the set of seen keys for a number of keys, 0 if unknown
   * @param inputBytes the length of the input, -1 if unknown
   */
  DedupRun(
      LongFunction<Seen> maker, long inputBytes, Passing passing, @Nullable StandardOutput out) {
    this.maker = maker;
    this.inputBytes = inputBytes;
    this.passing = passing;
    this.out = out;
  }

  /** The number of records read. */
  long lines() {
    return lines;
  }

  /** The number of new records. */
  long fresh() {
    return fresh;
  }

  /** The set of seen keys. */
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
    if (block.isArranged()) {
      keepArranged(block);
      write(arranged.array(), arranged.length(), block.recordEnd());
    } else {
      int kept = keep(block);
      write(block.bytes(), kept, block.recordEnd());
    }
    if (out != null) {
      if (block.isPaused()) {
        out.flush();
      }
    }
    return true;
  }

  private void write(byte[] bytes, int kept, byte[] end) {
    if (out != null) {
      out.write(bytes, 0, kept);
      if (kept > 0 && end.length > 0 && bytes[kept - 1] != end[end.length - 1]) {
        out.write(end, 0, end.length); // the last record of its file has no line end
      }
    }
  }

  /** Copies the records to output from a block that does not hold them in input order. */
  private void keepArranged(Block block) {
    arranged.clear();
    for (int i = 0; i < block.count(); i++) {
      if (passes(block, i)) {
        int start = block.starts()[i];
        arranged.key(block.bytes(), start, block.ends()[i] - start);
      }
    }
    lines += block.count();
  }

  /** Extrapolates the number of lines from the line length in the first block. */
  private long expectedLines(Block first) {
    double perByte = (double) first.count() / first.length();
    return inputBytes < 0 ? 0 : (long) Math.ceil(perByte * inputBytes);
  }

  /** Moves the records to output to the start of the block's array and returns their length. */
  private int keep(Block block) {
    byte[] bytes = block.bytes();
    int[] starts = block.starts();
    int[] ends = block.ends();
    int kept = 0;
    int runStart = 0; // adjacent records are moved together
    int runEnd = headerWritten ? 0 : block.headerEnd();
    headerWritten |= runEnd > 0;
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
            || seen().add(block, key);
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
