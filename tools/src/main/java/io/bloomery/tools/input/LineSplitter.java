package io.bloomery.tools.input;

/**
 * One key per line, or per section that ends with a given byte; the last one may lack its end. A
 * line ends with {@code \n} or {@code \r\n}. Bytes are never decoded; a byte-order mark of UTF-8 at
 * the beginning is part of the first record but not of its key.
 */
public final class LineSplitter implements Splitter {

  private final byte end;
  private final Matches ends;
  private final boolean lines;
  private final LineEnd lineEnd = new LineEnd();

  /** Splits lines. */
  public LineSplitter() {
    this((byte) '\n', true);
  }

  /** Splits at a byte, before which a {@code \r} belongs to the key. */
  public LineSplitter(byte end) {
    this(end, false);
  }

  private LineSplitter(byte end, boolean lines) {
    this.end = end;
    this.ends = new Matches(end);
    this.lines = lines;
  }

  @Override
  public int lastEnd(Block block, int from) {
    byte[] bytes = block.bytes();
    int last = block.length();
    while (last > from && bytes[last - 1] != end) {
      last--;
    }
    return last > from ? last : 0;
  }

  @Override
  public void startInput() {
    lineEnd.startInput();
  }

  @Override
  public void begin(Block block) {
    if (!lines) {
      block.recordEnd(recordEnd());
      return;
    }
    int at = 0;
    while (at < block.length() && block.bytes()[at] != end) {
      at++;
    }
    lineEnd.learn(block, at == block.length() ? 0 : at + 1);
  }

  @Override
  public void split(Block block) {
    byte[] bytes = block.bytes();
    int length = block.length();
    int mark = block.startsInput() ? ByteOrderMark.length(bytes, length) : 0;
    int start = 0;
    int at = 0;
    for (; at <= length - Long.BYTES; at += Long.BYTES) {
      for (long found = ends.in(bytes, at); found != 0; found &= found - 1) {
        int place = at + (Long.numberOfTrailingZeros(found) >>> 3);
        key(block, start, place, start == 0 ? mark : 0);
        start = place + 1;
      }
    }
    for (; at < length; at++) {
      if (bytes[at] == end) {
        key(block, start, at, start == 0 ? mark : 0);
        start = at + 1;
      }
    }
    if (start < length) {
      block.add(start, length, start == 0 ? mark : start, length);
    }
  }

  private void key(Block block, int start, int place, int mark) {
    int from = Math.min(start + mark, place);
    boolean pair = lines && place > from && block.bytes()[place - 1] == '\r';
    block.add(start, place + 1, from, pair ? place - 1 : place);
  }

  @Override
  public byte[] recordEnd() {
    return lines ? lineEnd.ofFirst() : new byte[] {end};
  }
}
