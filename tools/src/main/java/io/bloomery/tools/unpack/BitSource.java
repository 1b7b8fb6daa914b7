package io.bloomery.tools.unpack;

import java.io.IOException;
import java.io.InputStream;

/** The bits of bzip2 data, the highest of a byte first. */
final class BitSource {

  private final InputStream source;
  private final byte[] buffer = new byte[1 << 16];
  private int at;
  private int length;
  private long bits; // the lowest are the next
  private int count;

  /** Reads from {@code source}. */
  BitSource(InputStream source) {
    this.source = source;
  }

  /** The next bits, up to 32, which are taken. */
  int take(int wanted) throws IOException {
    while (count < wanted) {
      int next = nextByte();
      if (next < 0) {
        throw Unpacking.cutOff("bzip2");
      }
      bits = bits << Byte.SIZE | next;
      count += Byte.SIZE;
    }
    count -= wanted;
    return (int) (bits >>> count & (1L << wanted) - 1);
  }

  /** Whether the next bit is set; it is taken. */
  boolean takeBit() throws IOException {
    return take(1) != 0;
  }

  /** The next bits, up to 24, which stay; after the end of the source they are 0. */
  int peek(int wanted) throws IOException {
    while (count < wanted) {
      int next = nextByte();
      if (next < 0) {
        return (int) ((bits & (1L << count) - 1) << (wanted - count));
      }
      bits = bits << Byte.SIZE | next;
      count += Byte.SIZE;
    }
    return (int) (bits >>> (count - wanted) & (1L << wanted) - 1);
  }

  /** Takes bits that were looked at. */
  void skip(int wanted) throws IOException {
    if (count < wanted) {
      throw Unpacking.cutOff("bzip2");
    }
    count -= wanted;
  }

  /** Advances to the next whole byte, and returns whether there is one. */
  boolean alignsWithMore() throws IOException {
    count -= count % Byte.SIZE;
    if (count == 0) {
      int next = nextByte();
      if (next < 0) {
        return false;
      }
      bits = next;
      count = Byte.SIZE;
    }
    return true;
  }

  private int nextByte() throws IOException {
    if (at == length) {
      length = source.read(buffer, 0, buffer.length);
      at = 0;
      if (length < 0) {
        length = 0;
        return -1;
      }
    }
    return buffer[at++] & 0xFF;
  }
}
