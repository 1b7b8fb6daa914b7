package io.bloomery.cli.check;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomery.Filter;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.KeyPrinter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.input.Splitter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Looks up keys in a filter, prints the answers and counts them. */
final class Answers extends Lookup {

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

  /** How answers are worded. */
  record Words(String present, String absent) {
    /** The answers of a filter. */
    static final Words PROBABLE = new Words("probably present", "certainly absent");

    /** Answers that were confirmed. */
    static final Words EXACT = new Words("present", "absent");

    private String of(boolean hit) {
      return hit ? present : absent;
    }
  }

  private static final String EMPTY = "empty key";
  private static final byte[] ANSWER = "answer".getBytes(US_ASCII);
  private static final byte[] LINE_END = {'\n'};
  private static final int BUFFER = 1 << 16;

  private final Splitter splitter;
  private final boolean whole; // records are printed, not their keys
  private final @Nullable StandardOutput out;
  private final @Nullable KeyPrinter json; // null: answers are printed as text
  private final Mode mode;
  private final byte[] buffer = new byte[BUFFER];
  private int buffered;
  private boolean headerPrinted;
  private boolean stopsAtAbsent;
  private Words words = Words.PROBABLE;
  private @Nullable FalsePositives wrong; // null if they are not known
  private long present;
  private long absent;
  private long skipped;

  /** Prints to {@code out}, as JSON if {@code json}; prints nothing if it is null. */
  Answers(Filter filter, Reading reading, @Nullable StandardOutput out, Mode mode, boolean json) {
    super(filter, reading);
    this.splitter = reading.splitter();
    this.whole = splitter.isRow() || reading.form().folded();
    this.out = out;
    this.json = json && out != null ? new KeyPrinter(out, splitter) : null;
    this.mode = mode;
  }

  /** Stops reading at the first key that is certainly absent. */
  void stopAtAbsent() {
    stopsAtAbsent = true;
  }

  /** Makes the answers exact: these keys, which the filter finds, are reported absent. */
  void correct(FalsePositives falsePositives) {
    wrong = falsePositives;
    words = Words.EXACT;
  }

  Words words() {
    return words;
  }

  /** The number of keys that the filter found and that are absent; -1 if that is not known. */
  long wrong() {
    return wrong == null ? -1 : wrong.count();
  }

  private boolean isTrue(boolean hit) {
    return hit && (wrong == null || !wrong.isNext());
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
    boolean hit = isTrue(mightContain(key));
    count(hit);
    if (json != null && prints(hit)) {
      Map<String, Object> fields = json.json(key, 0, key.length);
      fields.put("answer", words.of(hit));
      json.printJson(fields);
    } else if (out != null && prints(hit)) {
      if (mode == Mode.ANNOTATE) {
        write(words.of(hit).getBytes(US_ASCII));
        write((byte) '\t');
      }
      write(key, 0, key.length);
      write(LINE_END);
    }
  }

  @Override
  public boolean take(Block block) {
    super.take(block);
    if (block.headerEnd() > 0 && out != null && json == null && !headerPrinted) {
      printHeader(block);
    }
    for (int i = 0; i < block.count(); i++) {
      boolean asked = isAsked(block, i);
      boolean hit = asked && isTrue(block.isMarked(i));
      if (asked) {
        count(hit);
      } else {
        skipped++;
      }
      if (json != null && prints(hit)) {
        print(json, block, i, asked ? words.of(hit) : EMPTY);
      } else if (out != null && prints(hit)) {
        print(block, i, asked ? words.of(hit) : EMPTY);
      }
    }
    skipped += block.skipped();
    if (block.isPaused()) {
      flush();
    }
    return !stopsAtAbsent || absent == 0;
  }

  private void count(boolean hit) {
    present += hit ? 1 : 0;
    absent += hit ? 0 : 1;
  }

  private boolean prints(boolean hit) {
    return mode == Mode.ANNOTATE || hit == (mode == Mode.PRESENT);
  }

  private void printHeader(Block block) {
    headerPrinted = true;
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

  private void print(KeyPrinter printer, Block block, int key, String answer) {
    int start = block.keyStarts()[key];
    Map<String, Object> fields = printer.json(block.bytes(), start, block.keyEnds()[key] - start);
    fields.put("answer", answer);
    if (whole) {
      fields.putAll(printer.json(block, key));
    }
    printer.printJson(fields);
  }

  private void print(Block block, int key, String answer) {
    boolean rows = whole;
    if (mode == Mode.ANNOTATE) {
      write(answer.getBytes(US_ASCII));
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
      byte[] recordEnd = splitter.recordEnd();
      boolean ends =
          rows && recordEnd.length > 0 && bytes[end - 1] == recordEnd[recordEnd.length - 1];
      if (!ends) {
        write(recordEnd);
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

  /** The output; only for answers that are printed. */
  private StandardOutput output() {
    return Objects.requireNonNull(out, "out");
  }
}
