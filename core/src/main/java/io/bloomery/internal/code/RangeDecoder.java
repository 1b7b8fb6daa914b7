package io.bloomery.internal.code;

/**
 * Reads the output of {@link RangeEncoder}, given the same probabilities. Any bytes decode to some
 * events; after the last byte it reads zeros, which {@link #isAtEnd} detects.
 */
final class RangeDecoder {

  private final byte[] bytes;
  private final int end;
  private int position;
  private long code;
  private long range = 0xFFFF_FFFFL;

  RangeDecoder(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.position = from;
    this.end = to;
    for (int i = 0; i < 4; i++) {
      code = ((code << 8) & 0xFFFF_FFFFL) | next();
    }
  }

  /** Whether the next event, of the same probability as when it was written, happened. */
  boolean get(int probability) {
    long part = (range >>> RangeEncoder.PROBABILITY_SHIFT) * probability;
    boolean event = code < part;
    if (event) {
      range = part;
    } else {
      code -= part;
      range -= part;
    }
    while (range >>> RangeEncoder.LEAST_RANGE_SHIFT == 0) {
      range <<= 8;
      code = ((code << 8) & 0xFFFF_FFFFL) | next();
    }
    return event;
  }

  private int next() {
    int at = position++;
    return at < end ? bytes[at] & 0xFF : 0;
  }

  /** Whether more bytes were read than there are. */
  boolean isBeyondEnd() {
    return position > end;
  }

  /**
   * Whether the message ends here: all bytes were used, and the last ones are those that the
   * encoder ends with.
   */
  boolean isAtEnd() {
    return position == end && code == 0;
  }
}
