package io.bloomery.cli.check;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomery.Filter;
import io.bloomery.HashedFilter;
import io.bloomery.foreign.TypedKeys;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.BlockSink;
import io.bloomery.tools.input.EmptyKeys;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.input.Splitter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Looks up keys in a filter in batches, prints the answers and counts them. */
final class Answers implements BlockSink {

  /** What is printed for each key. */
  enum Mode {
    /** Every record, preceded by its answer; an empty key has none. */
    ANNOTATE,
    /** The records whose keys are probably present. */
    PRESENT,
    /** All other records: those whose keys are certainly absent, and those without a key. */
    ABSENT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final byte[] ABSENT = "certainly absent".getBytes(US_ASCII);
  private static final byte[] PRESENT = "probably present".getBytes(US_ASCII);
  private static final byte[] EMPTY = "empty key".getBytes(US_ASCII);
  private static final byte[] ANSWER = "answer".getBytes(US_ASCII);
  private static final byte[] LINE_END = {'\n'};
  private static final int BUFFER = 1 << 16;

  private final Filter filter;
  private final @Nullable HashedFilter hashed; // the same filter if it takes hashes, else null
  private final Splitter splitter;
  private final TypedKeys keys;
  private final boolean asksEmpty;
  private final @Nullable StandardOutput out;
  private final Mode mode;
  private final byte[] buffer = new byte[BUFFER];
  private int buffered;
  private boolean named; // the header row was printed
  private boolean stopsAtAbsent;
  private long present;
  private long absent;
  private long skipped;

  /** Prints to {@code out}, or nothing if it is null. */
  Answers(Filter filter, Reading reading, @Nullable StandardOutput out, Mode mode) {
    this.filter = filter;
    this.hashed = filter instanceof HashedFilter same ? same : null;
    this.splitter = reading.splitter();
    this.keys = reading.keys();
    this.asksEmpty = reading.emptyKeys() == EmptyKeys.KEEP;
    this.out = out;
    this.mode = mode;
  }

  /** Stops reading at the first key that is certainly absent. */
  void stopAtAbsent() {
    stopsAtAbsent = true;
  }

  /** The number of keys that are probably present. */
  long present() {
    return present;
  }

  /** The number of keys that are certainly absent. */
  long absent() {
    return absent;
  }

  /** The number of empty keys that were not looked up. */
  long skipped() {
    return skipped;
  }

  /** Looks up one key that is not part of the input. */
  void ask(byte[] key) {
    boolean hit = keys.mightContain(filter, key, 0, key.length);
    count(hit);
    if (out != null && prints(hit)) {
      if (mode == Mode.ANNOTATE) {
        write(answer(hit));
        write((byte) '\t');
      }
      write(key, 0, key.length);
      write(LINE_END);
    }
  }

  @Override
  public void prepare(Block block) {
    if (hashed != null) {
      hashed.mightContainHashes(block.hashes(), 0, block.count(), block.marks());
    }
  }

  @Override
  public boolean take(Block block) {
    if (hashed == null) {
      askByBytes(block);
    }
    if (block.headerEnd() > 0 && out != null && !named) {
      printHeader(block);
    }
    for (int i = 0; i < block.count(); i++) {
      boolean asked = isAsked(block, i);
      boolean hit = asked && block.isMarked(i);
      if (asked) {
        count(hit);
      } else {
        skipped++;
      }
      if (out != null && prints(hit)) {
        print(block, i, asked ? answer(hit) : EMPTY);
      }
    }
    skipped += block.skipped();
    if (block.isPaused()) {
      flush();
    }
    return !stopsAtAbsent || absent == 0;
  }

  /** A filter with its own hash function is queried key by key, in one thread. */
  private void askByBytes(Block block) {
    long[] marks = block.marks();
    Arrays.fill(marks, 0);
    for (int i = 0; i < block.count(); i++) {
      int start = block.keyStarts()[i];
      int length = block.keyEnds()[i] - start;
      try {
        boolean hit = isAsked(block, i) && keys.mightContain(filter, block.bytes(), start, length);
        marks[i >>> 6] |= (hit ? 1L : 0L) << i;
      } catch (IllegalArgumentException e) {
        throw Reading.problem(block, i, e);
      }
    }
  }

  private boolean isAsked(Block block, int key) {
    return asksEmpty || block.keyStarts()[key] < block.keyEnds()[key];
  }

  private static byte[] answer(boolean hit) {
    return hit ? PRESENT : ABSENT;
  }

  private void count(boolean hit) {
    present += hit ? 1 : 0;
    absent += hit ? 0 : 1;
  }

  private boolean prints(boolean hit) {
    return mode == Mode.ANNOTATE || hit == (mode == Mode.PRESENT);
  }

  private void printHeader(Block block) {
    named = true;
    int start = block.headerStart();
    int length = block.headerEnd() - start;
    write(block.bytes(), 0, start);
    if (length > 0) {
      if (mode == Mode.ANNOTATE) {
        write(ANSWER);
        write(block.printedSeparator());
      }
      write(block.bytes(), start, length);
      if (block.bytes()[block.headerEnd() - 1] != '\n') {
        write(LINE_END);
      }
    }
  }

  private void print(Block block, int key, byte[] answer) {
    boolean rows = splitter.isRow();
    if (mode == Mode.ANNOTATE) {
      write(answer);
      write(block.printedSeparator());
    }
    int start = rows ? block.starts()[key] : block.keyStarts()[key];
    int end = rows ? block.ends()[key] : block.keyEnds()[key];
    byte[] bytes = block.bytes();
    if (mode == Mode.ANNOTATE && !splitter.isText()) {
      write(HexFormat.of().formatHex(bytes, start, end).getBytes(US_ASCII));
      write(LINE_END);
    } else {
      write(bytes, start, end - start);
      if (!rows || bytes[end - 1] != '\n') {
        write(splitter.recordEnd());
      }
    }
  }

  /** Flushes the output. */
  void flush() {
    if (out != null) {
      out.write(buffer, 0, buffered);
      buffered = 0;
      out.flush();
    }
  }

  private void write(byte single) {
    if (buffered == BUFFER) {
      spill();
    }
    buffer[buffered++] = single;
  }

  private void write(byte[] bytes) {
    write(bytes, 0, bytes.length);
  }

  private void write(byte[] bytes, int offset, int length) {
    if (length > BUFFER - buffered) {
      spill();
      if (length > BUFFER) {
        output().write(bytes, offset, length);
        return;
      }
    }
    System.arraycopy(bytes, offset, buffer, buffered, length);
    buffered += length;
  }

  private void spill() {
    output().write(buffer, 0, buffered);
    buffered = 0;
  }

  /** Where answers are printed; nothing is written if they are not. */
  private StandardOutput output() {
    return Objects.requireNonNull(out, "out");
  }
}
