package io.bloomery.cli.dedup;

import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.BlockSink;
import io.bloomery.tools.input.Bytes;
import io.bloomery.tools.input.KeyPrinter;
import io.bloomery.tools.spill.FirstRecords;
import java.util.Arrays;
import java.util.Objects;
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
  private final @Nullable KeyPrinter json;
  private volatile @Nullable Seen seen; // created once the first block shows how long lines are
  private @Nullable FirstRecords waiting;
  private final Bytes arranged = new Bytes();
  private final Bytes row = new Bytes();
  private boolean headerWritten;
  private long lines;
  private long fresh;

  /**
   * Writes to {@code out}; writes nothing if it is null.
   *
   * @param maker creates the set of seen keys for a number of keys, 0 if unknown
   * @param inputBytes the length of the input, -1 if unknown
   * @param json prints the records as JSON; null: they are written as they are
   */
  DedupRun(
      LongFunction<Seen> maker,
      long inputBytes,
      Passing passing,
      @Nullable StandardOutput out,
      @Nullable KeyPrinter json) {
    this.maker = maker;
    this.inputBytes = inputBytes;
    this.passing = passing;
    this.out = out;
    this.json = json;
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
    return seen == null ? begin(0) : seen;
  }

  private Seen begin(long expectedLines) {
    Seen made = maker.apply(expectedLines);
    waiting = made.waiting();
    seen = made;
    return made;
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
      begin(expectedLines(block));
    }
    if (json != null) {
      print(json, block);
    } else if (block.isArranged()) {
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
      if (kept > 0 && lacksEnd(bytes, kept, end)) {
        out.write(end, 0, end.length);
      }
    }
  }

  /** Whether bytes lack a record end, as the last record of a file may. */
  private static boolean lacksEnd(byte[] bytes, int length, byte[] end) {
    return end.length > 0 && bytes[length - 1] != end[end.length - 1];
  }

  private void print(KeyPrinter printer, Block block) {
    for (int i = 0; i < block.count(); i++) {
      if (passes(block, i)) {
        printer.printJson(printer.json(block, i));
      }
    }
    lines += block.count();
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
    int length = block.keyEnds()[key] - block.keyStarts()[key];
    boolean isKept = passing.allEmpty && length == 0;
    if (waiting != null && !waiting.hasRoom(length)) {
      await(waiting, block, key, isKept);
      return false;
    }
    boolean isNew = isKept || seen().add(block, key);
    fresh += isNew ? 1 : 0;
    return isNew != passing.repeated;
  }

  /** Lets a record wait, in the form in which it is output; {@code isNew} if that is known. */
  private void await(FirstRecords records, Block block, int record, boolean isNew) {
    byte[] bytes = block.bytes();
    int start = block.starts()[record];
    int end = out == null ? start : block.ends()[record];
    int keyStart = block.keyStarts()[record];
    int keyEnd = block.keyEnds()[record];
    if (json != null || (start < end && lacksEnd(bytes, end, block.recordEnd()))) {
      row.clear();
      render(block, record);
      start = 0;
      end = row.length();
      row.key(bytes, keyStart, keyEnd - keyStart);
      keyStart = end;
      keyEnd = row.length();
      bytes = row.array();
    }
    if (!isNew) {
      records.addWaiting(bytes, start, end, keyStart, keyEnd, block.hashes()[record]);
    } else if (out != null && !passing.repeated) {
      records.addWanted(bytes, start, end);
    }
    fresh += isNew ? 1 : 0;
  }

  /** Appends to the row what is output for a record, if that is not just its bytes. */
  private void render(Block block, int record) {
    if (json != null) {
      byte[] line = json.jsonLine(json.json(block, record));
      row.key(line, 0, line.length);
    } else {
      int start = block.starts()[record];
      byte[] end = block.recordEnd();
      row.key(block.bytes(), start, block.ends()[record] - start);
      row.key(end, 0, end.length);
    }
  }

  /** Outputs the records that waited for the end of the input. */
  void finish() {
    if (waiting != null) {
      waiting.finish(
          (bytes, offset, length) -> Objects.requireNonNull(out).write(bytes, offset, length));
      fresh += waiting.firsts();
    }
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
