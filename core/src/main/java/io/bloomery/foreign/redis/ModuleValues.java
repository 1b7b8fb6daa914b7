package io.bloomery.foreign.redis;

import io.bloomery.foreign.bytes.ForeignBytes;
import java.io.IOException;
import java.nio.ByteOrder;

/**
 * The values that a module of Redis saves, each after a code of its type, and lengths as RDB files
 * have them.
 */
final class ModuleValues {

  private static final int END = 0;
  private static final int UNSIGNED = 2;
  private static final int DOUBLE = 4;
  private static final int TEXT = 5;
  private static final int LZF = 0xC3;

  /** The most bytes that a match of three bytes unpacks to. */
  private static final long MOST_PER_MATCH = 264;

  private final ForeignBytes in;

  /** Reads from the first code on. */
  ModuleValues(ForeignBytes in) {
    this.in = in;
  }

  /** A number, which is not negative. */
  long number(String what) throws IOException {
    return number(0, Long.MAX_VALUE, what);
  }

  /** A number of a range. */
  long number(long least, long most, String what) throws IOException {
    code(UNSIGNED, what);
    return in.within(length(what), least, most, what);
  }

  /** A fraction. */
  double fraction(String what) throws IOException {
    code(DOUBLE, what);
    in.order(ByteOrder.LITTLE_ENDIAN);
    double value = in.f64(what);
    in.order(ByteOrder.BIG_ENDIAN);
    return value;
  }

  /** Bytes, which may be packed. */
  byte[] text(String what) throws IOException {
    code(TEXT, what);
    long start = in.position();
    if (in.u8(what) != LZF) {
      in.seek(start);
      return in.bytes(length(what), what);
    }
    long stored = length(what);
    in.need(stored, what);
    long length = length(what);
    in.within(length, 0, Math.min(MOST_PER_MATCH * stored, Integer.MAX_VALUE - 64), what);
    in.claim(length, what);
    byte[] packed = in.bytes(stored, what);
    byte[] bytes = new byte[(int) length];
    if (!unpack(packed, bytes)) {
      throw in.problem(start, "%s: damaged LZF data", what);
    }
    return bytes;
  }

  /** The end of all values. */
  void end() throws IOException {
    code(END, "the end of the values");
  }

  private void code(int expected, String what) throws IOException {
    in.within(in.u8(what), expected, expected, "the type of " + what);
  }

  private long length(String what) throws IOException {
    int first = in.u8(what);
    return switch (first >>> 6) {
      case 0 -> first;
      case 1 -> (first & 0x3F) << Byte.SIZE | in.u8(what);
      default -> {
        in.within(first, 0x80, 0x81, "the length of a number");
        yield first == 0x80 ? in.u32(what) : in.i64(what);
      }
    };
  }

  /** Unpacks LZF, and says whether the bytes are exactly filled. */
  private static boolean unpack(byte[] packed, byte[] bytes) {
    int at = 0;
    int out = 0;
    while (at < packed.length) {
      int control = packed[at++] & 0xFF;
      if (control < 32) {
        int count = control + 1;
        if (count > packed.length - at || count > bytes.length - out) {
          return false;
        }
        System.arraycopy(packed, at, bytes, out, count);
        at += count;
        out += count;
        continue;
      }
      int count = control >>> 5;
      if (packed.length - at < (count == 7 ? 2 : 1)) {
        return false;
      }
      count += 2 + (count == 7 ? packed[at++] & 0xFF : 0);
      int from = out - ((control & 31) << Byte.SIZE) - (packed[at++] & 0xFF) - 1;
      if (from < 0 || count > bytes.length - out) {
        return false;
      }
      for (int i = 0; i < count; i++) {
        bytes[out++] = bytes[from++];
      }
    }
    return out == bytes.length;
  }
}
