package io.bloomery.internal.code;

import java.util.Arrays;

/**
 * A range coder of 32 bits for yes-or-no events of known probability: a message of independent
 * events takes their entropy and about 5 bytes. It maintains a range as in Martin 1979, "Range
 * encoding", and writes whole bytes as soon as they are final; a carry may still propagate through
 * bytes of 255, so those are held back with the byte before them (Schindler 1998).
 */
final class RangeEncoder {

  /** Below this, a byte is written and the range grows again. */
  static final int LEAST_RANGE_SHIFT = 24;

  /** Probabilities are multiples of 2^-16. */
  static final int PROBABILITY_SHIFT = 16;

  private static final long BYTES_MASK = 0xFFFF_FFFFL;

  private byte[] bytes = new byte[256];
  private int length;
  private long low;
  private long range = BYTES_MASK;
  private int waiting;
  private long pending = 1;

  /** Codes an event whose probability is {@code probability}/2^16, 1…2^16-1. */
  void put(boolean event, int probability) {
    long part = (range >>> PROBABILITY_SHIFT) * probability;
    if (event) {
      range = part;
    } else {
      low += part;
      range -= part;
    }
    while (range >>> LEAST_RANGE_SHIFT == 0) {
      shift();
      range = (range << 8) & BYTES_MASK;
    }
  }

  /** Writes the highest byte of {@code low}, unless a later carry may change it. */
  private void shift() {
    if (low < 0xFF00_0000L || low > BYTES_MASK) {
      int carry = (int) (low >>> 32);
      int first = waiting + carry;
      for (; pending > 0; pending--) {
        append(first);
        first = 0xFF + carry;
      }
      waiting = (int) (low >>> LEAST_RANGE_SHIFT) & 0xFF;
    }
    pending++;
    low = (low << 8) & BYTES_MASK;
  }

  private void append(int value) {
    if (length == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * length);
    }
    bytes[length++] = (byte) value;
  }

  /** Ends the message with the low end of the range, so that the code of a message is unique. */
  byte[] finish() {
    for (int i = 0; i < 5; i++) {
      shift();
    }
    // The first byte is the one that waited before all others, always 0.
    return Arrays.copyOfRange(bytes, 1, length);
  }
}
