package io.bloomery.foreign.bitcoin;

import io.bloomery.foreign.bytes.ForeignBytes;
import java.io.IOException;
import java.nio.ByteOrder;

/**
 * Bitcoin's numbers of 1, 3, 5 or 9 bytes: up to fc the byte itself, else fd, fe or ff and 2, 4 or
 * 8 bytes little-endian. Only the shortest form is accepted.
 */
final class CompactSize {

  private CompactSize() {}

  /** The next number, 0…2^32 - 1; the order of the bytes becomes little-endian. */
  static long read(ForeignBytes in, String what) throws IOException {
    long at = in.order(ByteOrder.LITTLE_ENDIAN).position();
    int first = in.u8(what);
    if (first < 0xFD) {
      return first;
    }
    if (first == 0xFF) {
      throw in.problem(at, "%s is 2^32 or more", what);
    }
    long value = first == 0xFD ? in.u16(what) : in.u32(what);
    if (bytes(value) != (first == 0xFD ? 3 : 5)) {
      throw in.problem(at, "%s, %d, is not written in the shortest form", what, value);
    }
    return value;
  }

  /** How many bytes a number below 2^32 takes. */
  static int bytes(long value) {
    return value < 0xFD ? 1 : value <= 0xFFFF ? 3 : 5;
  }

  /** Writes a number below 2^32 to little-endian output. */
  static ForeignBytes.Output write(ForeignBytes.Output out, long value) throws IOException {
    return switch (bytes(value)) {
      case 1 -> out.u8((int) value);
      case 3 -> out.u8(0xFD).u16((int) value);
      default -> out.u8(0xFE).i32((int) value);
    };
  }
}
