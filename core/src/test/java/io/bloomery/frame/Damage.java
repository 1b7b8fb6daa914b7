package io.bloomery.frame;

import io.bloomery.testkit.Seeds;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Damages sound bytes in the ways that find faults of readers: bits and bytes changed, numbers put
 * to extremes or to the length of the rest, bytes cut off, inserted, left out, or taken from
 * another file. Beginnings and ends, where headers are, are hit more often. The same seed gives the
 * same bytes.
 */
public final class Damage {

  private static final int HEADER = 48;
  private static final long[] EXTREMES = {
    0,
    1,
    2,
    -1,
    0x7F,
    0x80,
    0xFF,
    0x7FFF,
    0xFFFF,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    0xFFFFFFFFL,
    1L << 32,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  private final List<byte[]> samples;
  private final SplittableRandom draw;

  public Damage(List<byte[]> samples, long seed) {
    this.samples = samples;
    this.draw = Seeds.random(seed);
  }

  /** The next bytes. */
  public byte[] next() {
    if (draw.nextInt(32) == 0) {
      byte[] any = new byte[draw.nextInt(64)];
      draw.nextBytes(any);
      return any;
    }
    byte[] bytes = sample().clone();
    for (int edits = 1 + draw.nextInt(4); edits > 0; edits--) {
      bytes = bytes.length == 0 ? new byte[1] : edited(bytes);
    }
    return bytes;
  }

  private byte[] sample() {
    return samples.get(draw.nextInt(samples.size()));
  }

  private byte[] edited(byte[] bytes) {
    int at = place(bytes.length);
    switch (draw.nextInt(16)) {
      case 0, 1, 2, 3 -> bytes[at] ^= (byte) (1 << draw.nextInt(8));
      case 4, 5 -> bytes[at] = (byte) draw.nextInt(256);
      case 6, 7 -> bytes[at] += (byte) (draw.nextInt(7) - 3);
      case 8, 9, 10 -> number(bytes, at, EXTREMES[draw.nextInt(EXTREMES.length)]);
      case 11 -> number(bytes, at, bytes.length - at - draw.nextInt(-4, 32));
      case 12 -> number(bytes, at, 1L << draw.nextInt(64));
      case 13 -> {
        return Arrays.copyOf(bytes, draw.nextInt(3) == 0 ? bytes.length + 1 + at % 16 : at);
      }
      case 14 -> {
        return spliced(bytes, at);
      }
      default -> {
        return moved(bytes, at);
      }
    }
    return bytes;
  }

  private int place(int length) {
    int near = Math.min(length, HEADER);
    return switch (draw.nextInt(5)) {
      case 0, 1 -> draw.nextInt(near);
      case 2 -> length - 1 - draw.nextInt(near);
      default -> draw.nextInt(length);
    };
  }

  /** Puts a number of 2, 4 or 8 bytes, in either order, as far as there is room. */
  private void number(byte[] bytes, int at, long value) {
    int width = 2 << draw.nextInt(3);
    if (at + width > bytes.length) {
      bytes[at] = (byte) value;
      return;
    }
    ByteOrder order = draw.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    ByteBuffer out = ByteBuffer.wrap(bytes).order(order);
    switch (width) {
      case 2 -> out.putShort(at, (short) value);
      case 4 -> out.putInt(at, (int) value);
      default -> out.putLong(at, value);
    }
  }

  /** The beginning of these bytes and the rest of another file from there on, or from anywhere. */
  private byte[] spliced(byte[] bytes, int at) {
    byte[] other = sample();
    int from = draw.nextBoolean() ? Math.min(at, other.length) : draw.nextInt(other.length + 1);
    byte[] both = Arrays.copyOf(bytes, at + other.length - from);
    System.arraycopy(other, from, both, at, other.length - from);
    return both;
  }

  /** Leaves out some bytes, or has them twice. */
  private byte[] moved(byte[] bytes, int at) {
    int count = Math.min(bytes.length - at, 1 + draw.nextInt(16));
    int from = draw.nextBoolean() ? at + count : at;
    int to = from == at ? at + count : at;
    byte[] moved = Arrays.copyOf(bytes, bytes.length - from + to);
    System.arraycopy(bytes, from, moved, to, bytes.length - from);
    return moved;
  }
}
