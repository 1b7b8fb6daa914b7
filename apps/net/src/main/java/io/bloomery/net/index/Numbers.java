package io.bloomery.net.index;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** Whole numbers from 0 on: seven bits per byte, the lowest first, the upper bit in all but one. */
final class Numbers {

  private Numbers() {}

  static void write(DataOutputStream out, long number) throws IOException {
    long rest = number;
    for (; rest >= 128; rest >>>= 7) {
      out.writeByte(((int) rest) | 128);
    }
    out.writeByte((int) rest);
  }

  static long read(DataInputStream in) throws IOException {
    long number = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      int next = in.readUnsignedByte();
      number |= (next & 127L) << shift;
      if (next < 128) {
        return number;
      }
    }
    throw new IOException("a number of more than 63 bits");
  }
}
