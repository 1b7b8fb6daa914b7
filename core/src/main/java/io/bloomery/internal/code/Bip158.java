package io.bloomery.internal.code;

import io.bloomery.FilterFormatException;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * The byte form of BIP 158: the number of items as a CompactSize, then Rice codes of the gaps, the
 * quotient as ones and a zero, the remainder highest bit first, in bytes that fill from their
 * highest bit.
 */
public final class Bip158 {

  private static final long MAX_RANGE = 1L << 62;

  /** The remainder width P of basic filters. */
  public static final int RICE_BITS = 19;

  /** The inverse rate M of basic filters. */
  public static final long INVERSE_RATE = 784_931;

  private static final String ORIGIN = "BIP 158 filter";

  private Bip158() {}

  /** The bytes of this many numbers in ascending order. */
  public static byte[] write(LongSupplier numbers, long count, int riceBits) {
    Output out = new Output();
    out.compactSize(count);
    long last = 0;
    for (long i = 0; i < count; i++) {
      long value = numbers.getAsLong();
      long gap = value - last;
      last = value;
      for (long quotient = gap >>> riceBits; quotient > 0; quotient--) {
        out.bit(1);
      }
      out.bit(0);
      for (int bit = riceBits - 1; bit >= 0; bit--) {
        out.bit((gap >>> bit) & 1);
      }
    }
    return out.bytes();
  }

  /**
   * The numbers, all below {@code count · inverseRate}; nothing is allocated from a length field
   * alone.
   */
  public static long[] read(byte[] bytes, int riceBits, long inverseRate)
      throws FilterFormatException {
    Input in = new Input(bytes);
    long count = count(in, riceBits);
    if (count > MAX_RANGE / inverseRate) {
      throw in.problem(count + " items times " + inverseRate + " exceed 2^62");
    }
    return values(in, (int) count, riceBits, count * inverseRate);
  }

  /**
   * The numbers from byte {@code from} on, all below {@code range}, which is at most 2^62, and no
   * more than {@code most}: a number may take no more than one bit.
   */
  public static long[] readBelow(byte[] bytes, int from, int riceBits, long range, long most)
      throws FilterFormatException {
    Input in = new Input(bytes);
    in.position = 8L * from;
    long count = count(in, riceBits);
    long fit = Math.min(range, Math.min(most, Integer.MAX_VALUE / 2));
    if (count > fit) {
      throw in.problem(count + " items in a range of " + range + "; at most " + fit);
    }
    return values(in, (int) count, riceBits, range);
  }

  private static long count(Input in, int riceBits) throws FilterFormatException {
    long count = in.compactSize();
    long most = (8L * in.bytes.length - in.position) / (riceBits + 1);
    if (count < 0 || count > most) {
      throw in.problem(
          Long.toUnsignedString(count) + " items; the bytes hold up to " + most + " codes");
    }
    return count;
  }

  private static long[] values(Input in, int count, int riceBits, long range)
      throws FilterFormatException {
    long[] values = new long[count];
    long last = 0;
    for (int i = 0; i < count; i++) {
      long quotient = 0;
      while (in.bit() == 1) {
        quotient++;
      }
      long remainder = 0;
      for (int bit = 0; bit < riceBits; bit++) {
        remainder = (remainder << 1) | in.bit();
      }
      // The quotient is at most the number of bits, so only its product can be too large.
      if (quotient > (range - 1) >>> riceBits
          || last + (quotient << riceBits) + remainder >= range) {
        throw in.problem("item " + i + " is beyond the range of " + range);
      }
      last += (quotient << riceBits) + remainder;
      values[i] = last;
    }
    in.requireEnd();
    return values;
  }

  private static final class Output {

    private byte[] bytes = new byte[64];
    private long position;

    void bit(long bit) {
      int at = (int) (position >>> 3);
      if (at == bytes.length) {
        bytes = Arrays.copyOf(bytes, 2 * at);
      }
      bytes[at] |= (byte) (bit << (7 - (position & 7)));
      position++;
    }

    void compactSize(long value) {
      int bytesAfter = value < 0xFD ? 0 : value <= 0xFFFF ? 2 : 4;
      int first = (int) (bytesAfter == 0 ? value : bytesAfter == 2 ? 0xFD : 0xFE);
      octet(first);
      for (int i = 0; i < bytesAfter; i++) {
        octet((int) (value >>> (8 * i)));
      }
    }

    private void octet(int octet) {
      for (int bit = 7; bit >= 0; bit--) {
        bit((octet >>> bit) & 1);
      }
    }

    byte[] bytes() {
      return Arrays.copyOf(bytes, (int) ((position + 7) >>> 3));
    }
  }

  private static final class Input {

    private final byte[] bytes;
    private long position;

    Input(byte[] bytes) {
      this.bytes = bytes;
    }

    long bit() throws FilterFormatException {
      int at = (int) (position >>> 3);
      if (at >= bytes.length) {
        throw problem("ends inside of a code");
      }
      return ((long) bytes[at] >>> (7 - (position++ & 7))) & 1;
    }

    /** The number in its shortest form; others are refused, as Bitcoin's readers do. */
    long compactSize() throws FilterFormatException {
      long first = octet();
      if (first < 0xFD) {
        return first;
      }
      int count = 1 << (first - 0xFC);
      long value = 0;
      for (int i = 0; i < count; i++) {
        value |= octet() << (8 * i);
      }
      long least = count == 2 ? 0xFD : count == 4 ? 0x1_0000L : 0x1_0000_0000L;
      if (Long.compareUnsigned(value, least) < 0) {
        throw problem(value + " items are not written in the shortest form");
      }
      return value;
    }

    private long octet() throws FilterFormatException {
      long octet = 0;
      for (int i = 0; i < 8; i++) {
        octet = (octet << 1) | bit();
      }
      return octet;
    }

    /** Only padding of less than a byte, all zero, may follow. */
    void requireEnd() throws FilterFormatException {
      if (8L * bytes.length - position >= 8) {
        throw problem("bytes follow the last code");
      }
      while (position < 8L * bytes.length) {
        if (bit() != 0) {
          throw problem("a padding bit is 1");
        }
      }
    }

    FilterFormatException problem(String what) {
      return new FilterFormatException(ORIGIN, position >>> 3, what);
    }
  }
}
