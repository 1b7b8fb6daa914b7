package io.bloomery.tools.input;

import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A part of the input with whole records, and the positions of their keys. A record is what is
 * printed for a key, for example a line with its end. Blocks are reused: a sink must copy the data
 * it keeps.
 */
public final class Block {

  /** The longest record that can be allowed, its end included. */
  public static final int LONGEST = 1 << 30;

  private static final int FIRST_KEYS = 1 << 12;
  private static final int MARK = 3; // bytes of a byte-order mark

  private final int size;
  private final EmptyKeys emptyKeys;
  private final int longest;
  private final boolean isLimitChosen;
  private final boolean lenient; // bad rows are noted
  private final KeyForm form;
  private byte[] bytes;
  private int length;
  private boolean startsInput;
  private boolean paused;
  private String origin = "";
  private @Nullable RowLayout layout;
  private int headerStart;
  private int headerEnd;
  private long firstLine; // 0: not known
  private byte lineEnd;
  private int aside; // end of what was appended aside, 0 if nothing was
  private @Nullable RowOrder order;
  private byte[] recordEnd = {};

  private int[] starts = new int[FIRST_KEYS];
  private int[] ends = new int[FIRST_KEYS];
  private int[] keyStarts = new int[FIRST_KEYS];
  private int[] keyEnds = new int[FIRST_KEYS];
  private long[] hashes = new long[FIRST_KEYS];
  private long[] marks = new long[FIRST_KEYS / Long.SIZE];
  private long[] times = {}; // only of rows whose time was read
  private int[] groupStarts = {}; // only of records whose group was read
  private int[] groupEnds = {};
  private int count;
  private int skipped;

  private long[] bad = {}; // start << 32 | end
  private int badCount;
  private int badStart; // of the first one
  private String badReason = "";

  /**
   * For {@code size} bytes, more only if a record is longer.
   *
   * @param keepEmpty whether empty keys are added
   * @param longest the longest record, its end included, up to {@link #LONGEST}
   */
  public Block(int size, boolean keepEmpty, int longest) {
    this(size, keepEmpty, longest, false);
  }

  /** The same, which notes bad rows if it is {@code lenient}, and otherwise fails. */
  public Block(int size, boolean keepEmpty, int longest, boolean lenient) {
    this(
        size,
        keepEmpty ? EmptyKeys.KEEP : EmptyKeys.SKIP,
        longest,
        false,
        lenient,
        KeyForm.AS_IT_IS);
  }

  /** For reading that notes bad rows if it is {@code lenient}, and otherwise fails. */
  Block(
      int size,
      EmptyKeys emptyKeys,
      int longest,
      boolean isLimitChosen,
      boolean lenient,
      KeyForm form) {
    this.size = size;
    this.emptyKeys = emptyKeys;
    this.longest = longest;
    this.isLimitChosen = isLimitChosen;
    this.lenient = lenient;
    this.form = form;
    this.bytes = new byte[size];
  }

  /** The array that holds the input; records lie in {@code 0 … length()-1}. */
  public byte[] bytes() {
    return bytes;
  }

  /** How many bytes of the array are input. */
  public int length() {
    return length;
  }

  /** How many keys there are. */
  public int count() {
    return count;
  }

  /** How many empty keys were left out. */
  public int skipped() {
    return skipped;
  }

  /** Whether this is the first block of a file or stream. */
  boolean startsInput() {
    return startsInput;
  }

  /** Whether nothing more has arrived yet: a good moment to flush answers. */
  public boolean isPaused() {
    return paused;
  }

  /** The name of the input in messages. */
  String origin() {
    return origin;
  }

  /** How the columns of its rows lie; null if records have no columns. */
  public @Nullable RowLayout layout() {
    return layout;
  }

  /** Where a header row begins: after a byte-order mark, if the block begins with one. */
  public int headerStart() {
    return headerStart;
  }

  /**
   * One past the last byte of a header row and a byte-order mark, 0 if the block begins with
   * neither.
   */
  public int headerEnd() {
    return headerEnd;
  }

  /** The record end to add to a last record without one. */
  public byte[] recordEnd() {
    return recordEnd.clone();
  }

  /** Says how records end. */
  public void recordEnd(byte[] end) {
    recordEnd = end;
  }

  /** Where each record begins. */
  public int[] starts() {
    return starts;
  }

  /** One past the last byte of each record, its end included. */
  public int[] ends() {
    return ends;
  }

  /** Where the text of a record begins: after the byte-order mark of a file that has one. */
  public int textStart(int record) {
    int start = starts[record];
    boolean isMarked =
        layout == null // rows of columns begin after the mark anyway
            && keyStarts[record] - start >= MARK
            && bytes[start] == (byte) 0xEF
            && bytes[start + 1] == (byte) 0xBB
            && bytes[start + 2] == (byte) 0xBF;
    return isMarked ? start + MARK : start;
  }

  /** Where each key begins. */
  public int[] keyStarts() {
    return keyStarts;
  }

  /** One past the last byte of each key. */
  public int[] keyEnds() {
    return keyEnds;
  }

  /** The hash of each key, if the reader was given a hasher. */
  public long[] hashes() {
    return hashes;
  }

  /** A bit for each key, for answers: what {@link BlockSink#prepare} finds, for the consumer. */
  public long[] marks() {
    return marks;
  }

  /** The bit of a key. */
  public boolean isMarked(int key) {
    return (marks[key >>> 6] >>> key & 1) != 0;
  }

  /** Adds a record; only a {@link Splitter} does. */
  public void add(int start, int end, int keyStart, int keyEnd) {
    if (end - start > longest) {
      throw tooLong(start);
    }
    if (keyStart == keyEnd && emptyKeys == EmptyKeys.SKIP) {
      skipped++;
      return;
    }
    int i = count;
    if (i == starts.length) {
      growKeys();
    }
    starts[i] = start;
    ends[i] = end;
    keyStarts[i] = keyStart;
    keyEnds[i] = keyEnd;
    count = i + 1;
  }

  /**
   * Notes a row that cannot be read, or fails.
   *
   * @param reason what is wrong with it, for a message
   */
  void addBad(int start, int end, Supplier<String> reason) {
    if (!lenient) {
      throw new Problem(reason.get());
    }
    if (badCount == bad.length) {
      bad = Arrays.copyOf(bad, Math.max(16, 2 * badCount));
    }
    if (badCount == 0 || start < badStart) {
      badStart = start;
      badReason = reason.get();
    }
    bad[badCount++] = (long) start << Integer.SIZE | end;
  }

  /** Says that a key is elsewhere. */
  void setKey(int key, int start, int end) {
    keyStarts[key] = start;
    keyEnds[key] = end;
  }

  /** Whether a record with an empty key belongs to the block; counts it otherwise. */
  boolean keepsEmpty() {
    skipped += emptyKeys == EmptyKeys.SKIP ? 1 : 0;
    return emptyKeys != EmptyKeys.SKIP;
  }

  /** Keeps only the keys for which this holds. */
  void retain(IntPredicate good) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (good.test(i)) {
        starts[kept] = starts[i];
        ends[kept] = ends[i];
        keyStarts[kept] = keyStarts[i];
        keyEnds[kept] = keyEnds[i];
        if (i < times.length) {
          times[kept] = times[i];
        }
        if (i < groupEnds.length) {
          groupStarts[kept] = groupStarts[i];
          groupEnds[kept] = groupEnds[i];
        }
        hashes[kept++] = hashes[i];
      }
    }
    count = kept;
  }

  /** The time of each record, in milliseconds from 1970, if the reader was told where it is. */
  public long[] times() {
    return times;
  }

  /** Sets the time of a record. */
  void time(int record, long millis) {
    if (times.length < starts.length) {
      times = Arrays.copyOf(times, starts.length);
    }
    times[record] = millis;
  }

  /** Where the group of each record begins, if the reader was told where it is. */
  public int[] groupStarts() {
    return groupStarts;
  }

  /** One past the last byte of the group of each record. */
  public int[] groupEnds() {
    return groupEnds;
  }

  /** Says where the group of a record is. */
  void group(int record, int start, int end) {
    if (groupEnds.length < starts.length) {
      groupStarts = Arrays.copyOf(groupStarts, starts.length);
      groupEnds = Arrays.copyOf(groupEnds, starts.length);
    }
    groupStarts[record] = start;
    groupEnds[record] = end;
  }

  /** Whether bad rows are noted. */
  boolean isLenient() {
    return lenient;
  }

  /** The form of keys. */
  KeyForm form() {
    return form;
  }

  /** The longest record, its end included. */
  int longest() {
    return longest;
  }

  /** How many bad rows there are. */
  public int badCount() {
    return badCount;
  }

  /** Gives the bad rows to a sink, in the input's order. */
  void badRows(KeySink sink) {
    Arrays.sort(bad, 0, badCount); // keys are looked at after all rows were
    for (int i = 0; i < badCount; i++) {
      int start = (int) (bad[i] >>> Integer.SIZE);
      sink.key(bytes, start, (int) bad[i] - start);
    }
  }

  /** What is wrong with the first bad row. */
  String badReason() {
    return badReason;
  }

  private void growKeys() {
    int more = 2 * starts.length;
    starts = Arrays.copyOf(starts, more);
    ends = Arrays.copyOf(ends, more);
    keyStarts = Arrays.copyOf(keyStarts, more);
    keyEnds = Arrays.copyOf(keyEnds, more);
    hashes = new long[more];
    marks = new long[more / Long.SIZE];
  }

  /** Empties the block and frees the memory of a very long record. */
  void clear() {
    if (bytes.length > size) {
      bytes = new byte[size];
    }
    length = 0;
    count = 0;
    skipped = 0;
    startsInput = false;
    paused = false;
    layout = null;
    headerStart = 0;
    headerEnd = 0;
    badCount = 0;
    order = null;
    aside = 0;
    recordEnd = new byte[0];
  }

  /** Appends bytes. */
  public void append(byte[] from, int offset, int more) {
    while (bytes.length - length < more) {
      grow();
    }
    System.arraycopy(from, offset, bytes, length, more);
    length += more;
  }

  /**
   * Stores a key that appears in another form in the input after the input, and adds its record.
   *
   * @param key the key's bytes are its first ones
   */
  void addAside(int start, int end, byte[] key, int keyLength) {
    int from = putAside(key, keyLength);
    add(start, end, from, aside);
  }

  /** Stores bytes after the input and returns their position. */
  int putAside(byte[] more, int moreLength) {
    int from = Math.max(aside, length);
    if (bytes.length - from < moreLength) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, from + moreLength));
    }
    System.arraycopy(more, 0, bytes, from, moreLength);
    aside = from + moreLength;
    return from;
  }

  /** Stores another form of a record after the input. */
  void replace(int record, Bytes other) {
    starts[record] = putAside(other.array(), other.length());
    ends[record] = aside;
  }

  /** Whether records are printed in another form than read, which is stored after the input. */
  public boolean isArranged() {
    return order != null;
  }

  /** How rows are printed, null: as they are. */
  @Nullable RowOrder order() {
    return order;
  }

  /** Says how rows are printed, null: as they are. */
  void order(@Nullable RowOrder rowOrder) {
    order = rowOrder;
  }

  /** What separates the fields of printed rows; a tab if records have no columns. */
  public byte printedSeparator() {
    if (order != null) {
      return order.separator();
    }
    return layout == null ? (byte) '\t' : layout.separator();
  }

  /** Makes room for more of a record that fills the block. */
  void grow() {
    bytes = Arrays.copyOf(bytes, 2 * bytes.length);
  }

  /** Whether a record that fills the block is too long. */
  boolean isTooLong() {
    return length > longest || length >= LONGEST;
  }

  /** Says which record is too long. */
  Problem tooLong(int start) {
    return new Problem(
        "%s: longer than %s%s".formatted(place(start), Text.bytes(longest), moreAllowed()));
  }

  /** What a message on a record that is too long ends with. */
  String moreAllowed() {
    return isLimitChosen ? "; --max-record allows more" : "";
  }

  /** Sets how many bytes of the array are input. */
  public void length(int length) {
    this.length = length;
  }

  /** Marks the first block of a file or stream. */
  void markStart() {
    startsInput = true;
  }

  /** Says which line of the input it begins with, and what ends a line. */
  public void lines(long first, byte end) {
    firstLine = first;
    lineEnd = end;
  }

  /** The input and, if known, the number from 1 of the line or record that begins at a place. */
  String place(int start) {
    if (firstLine == 0) {
      return origin;
    }
    long line = firstLine + new Matches(lineEnd).count(bytes, 0, start);
    return "%s, %s %d".formatted(origin, lineEnd == '\n' ? "line" : "record", line);
  }

  /** Names the input. */
  public void origin(String origin) {
    this.origin = origin;
  }

  /** Says how columns lie, and how long a header row at the beginning is. */
  public void layout(RowLayout layout, int headerEnd) {
    layout(layout, 0, headerEnd);
  }

  /** Says how columns lie, and where a header row after a byte-order mark is. */
  void layout(RowLayout layout, int headerStart, int headerEnd) {
    this.layout = layout;
    this.headerStart = headerStart;
    this.headerEnd = headerEnd;
  }

  /** Marks a pause of the input. */
  void markPause() {
    paused = true;
  }
}
