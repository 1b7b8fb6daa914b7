package io.bloomery.tools.distinct;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The file layout of Apache DataSketches for HLL sketches, version 1. Numbers are little-endian.
 *
 * <pre>
 *  0  preamble in words of 4 bytes: 2 list, 3 set, 10 registers
 *  1  version: 1
 *  2  family: 7
 *  3  lg k
 *  4  lg of the words in the table of coupons, or of exceptions
 *  5  flags: 4 empty, 8 compact, 16 merged, 32 sums are to be made again
 *  6  list: number of coupons; registers: the smallest value, from which those of 4 bits count
 *  7  bits 0-1: 0 list, 1 set, 2 registers; bits 2-3: registers have 4, 6 or 8 bits
 *
 *  list       8  coupons
 *  set        8  number of coupons, 12 coupons
 *  registers  8  the estimate that was kept
 *            16  the sum of 2^-value over values below 32, 24 over the others
 *            32  how many registers have the smallest value, 36 number of exceptions
 *            40  registers, then exceptions: coupons of registers that are 15 in 4 bits
 * </pre>
 *
 * <p>Tables are compact, without free places, or not. What can be computed from registers is not
 * believed but computed.
 */
public final class HllFormat {

  /** The largest file: 2^21 registers of 4 bits and as many exceptions, in a table. */
  public static final int MOST_BYTES = 40 + (1 << 20) + (4 << 22);

  /** How registers are written. */
  public enum Width {
    /** 4 bits: half a byte for nearly all. */
    HLL_4(0, 4),
    /** 6 bits. */
    HLL_6(1, 6),
    /** 8 bits. */
    HLL_8(2, 8);

    private final int id;
    private final int bits;

    Width(int id, int bits) {
      this.id = id;
      this.bits = bits;
    }

    /** What the registers take in a file, without exceptions. */
    private int bytes(int lgK) {
      return this == HLL_6 ? (3 << (lgK - 2)) + 1 : bits << (lgK - 3);
    }
  }

  private static final int VERSION = 1;
  private static final int FAMILY = 7;
  private static final int START = 8;
  private static final int SET_START = 12;
  private static final int REGISTERS_START = 40;

  private static final int EMPTY = 4;
  private static final int COMPACT = 8;
  private static final int MERGED = 16;

  private static final int LIST_MODE = 0;
  private static final int SET_MODE = 1;
  private static final int HLL_MODE = 2;

  private static final int LIST_WORDS = 2;
  private static final int SET_WORDS = 3;
  private static final int HLL_WORDS = 10;

  private static final int LG_LIST = 3;
  private static final int LEAST_LG_SET = 5;
  private static final int EXCEPTION = 15; // the 4 bits of a register that is among the exceptions

  private HllFormat() {}

  /** Whether a file that begins with these bytes claims to be a sketch. */
  public static boolean isSketch(byte[] start) {
    return start.length >= START
        && (start[0] == LIST_WORDS || start[0] == SET_WORDS || start[0] == HLL_WORDS)
        && start[1] == VERSION
        && start[2] == FAMILY;
  }

  /** How the registers of a sketch are written, or would be. */
  public static Width width(byte[] file) throws IOException {
    int id = (file[7] >> 2) & 3;
    for (Width width : Width.values()) {
      if (width.id == id) {
        return width;
      }
    }
    throw new IOException("its registers are of an unknown width, 3");
  }

  /**
   * Reads a sketch.
   *
   * @throws IOException if these bytes are none
   */
  public static HllSketch read(byte[] file) throws IOException {
    if (!isSketch(file)) {
      throw new IOException("is not an HLL sketch of DataSketches");
    }
    int lgK = file[3];
    if (lgK < HllSketch.LEAST_LG_K || lgK > HllSketch.MOST_LG_K) {
      throw damaged("2^" + lgK + " registers");
    }
    Width width = width(file);
    ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int mode = file[7] & 3;
    if (mode == LIST_MODE && file[0] == LIST_WORDS) {
      return list(in, lgK);
    }
    if (mode == SET_MODE && file[0] == SET_WORDS) {
      return set(in, lgK);
    }
    if (mode == HLL_MODE && file[0] == HLL_WORDS) {
      return registers(in, lgK, width);
    }
    throw damaged("mode " + mode + " and a preamble of " + file[0] + " words");
  }

  private static IOException damaged(String what) {
    return new IOException("a damaged sketch: " + what);
  }

  private static boolean isCompact(ByteBuffer in) {
    return (in.get(5) & COMPACT) != 0;
  }

  private static HllSketch list(ByteBuffer in, int lgK) throws IOException {
    int count = in.get(6) & 0xFF;
    if (count > HllSketch.LIST_SIZE) {
      throw damaged("a list of " + count + " coupons");
    }
    return coupons(in, START, count, isCompact(in) ? count : HllSketch.LIST_SIZE, lgK);
  }

  private static HllSketch set(ByteBuffer in, int lgK) throws IOException {
    need(in, SET_START);
    int count = in.getInt(START);
    if (count < 0 || count > HllSketch.mostCoupons(lgK)) {
      throw damaged("a set of " + Integer.toUnsignedString(count) + " coupons for lg k " + lgK);
    }
    return coupons(in, SET_START, count, isCompact(in) ? count : table(in, count), lgK);
  }

  /** How many words a table has that holds this many coupons. */
  private static int table(ByteBuffer in, int count) throws IOException {
    int lg = in.get(4);
    if (lg < 0 || lg > HllSketch.MOST_LG_K + 1 || count > 1 << lg) {
      throw damaged("a table of 2^" + lg + " words for " + count);
    }
    return 1 << lg;
  }

  private static HllSketch coupons(ByteBuffer in, int start, int count, int words, int lgK)
      throws IOException {
    end(in, start + (long) Integer.BYTES * words);
    HllSketch sketch = new HllSketch(lgK);
    int found = 0;
    int[] coupons = new int[count];
    for (int i = 0; i < words; i++) {
      int coupon = in.getInt(start + Integer.BYTES * i);
      if (coupon == 0 && words > count) {
        continue;
      }
      if (Coupon.value(coupon) == 0 || found == count) {
        throw damaged("coupon " + i + " of " + count);
      }
      coupons[found++] = coupon;
    }
    Arrays.sort(coupons);
    for (int i = 1; i < count; i++) {
      if (coupons[i] == coupons[i - 1]) {
        throw damaged("one coupon twice");
      }
    }
    if (found < count) {
      throw damaged(found + " coupons of " + count);
    }
    for (int coupon : coupons) {
      sketch.add(coupon);
    }
    return sketch;
  }

  private static HllSketch registers(ByteBuffer in, int lgK, Width width) throws IOException {
    need(in, REGISTERS_START);
    byte[] registers = new byte[1 << lgK];
    int end = REGISTERS_START + width.bytes(lgK);
    need(in, end);
    switch (width) {
      case HLL_4 -> readHalves(in, registers, end);
      case HLL_6 -> {
        for (int i = 0; i < registers.length; i++) {
          int at = REGISTERS_START + 6 * i / 8;
          int bits = in.getShort(at) >> (6 * i % 8); // a spare byte follows the last
          registers[i] = (byte) (bits & Coupon.MOST_VALUE);
        }
        end(in, end);
      }
      case HLL_8 -> {
        in.get(REGISTERS_START, registers);
        end(in, end);
      }
    }
    boolean isUsed = false;
    for (byte value : registers) {
      if (value < 0 || value > Coupon.MOST_VALUE) {
        throw damaged("a register of " + (value & 0xFF));
      }
      isUsed |= value != 0;
    }
    double kept = in.getDouble(START);
    if (!(kept >= 0 && kept < Double.POSITIVE_INFINITY)) {
      throw damaged("an estimate of " + kept);
    }
    if (!isUsed) {
      return new HllSketch(lgK);
    }
    return HllSketch.ofRegisters(registers, (in.get(5) & MERGED) == 0, kept);
  }

  private static void readHalves(ByteBuffer in, byte[] registers, int end) throws IOException {
    int least = in.get(6);
    int count = in.getInt(36);
    if (least < 0 || least > Coupon.MOST_VALUE || count < 0 || count > registers.length) {
      throw damaged("smallest value " + least + ", " + count + " exceptions");
    }
    int words = isCompact(in) || count == 0 ? count : table(in, count);
    end(in, end + (long) Integer.BYTES * words);
    int exceptions = 0;
    for (int i = 0; i < registers.length; i++) {
      int half = (in.get(REGISTERS_START + i / 2) >> (4 * (i & 1))) & 0xF;
      exceptions += half == EXCEPTION ? 1 : 0;
      registers[i] = (byte) (half == EXCEPTION ? 0 : half + least);
    }
    int found = 0;
    for (int i = 0; i < words; i++) {
      int coupon = in.getInt(end + Integer.BYTES * i);
      if (coupon == 0 && words > count) {
        continue;
      }
      int slot = Coupon.address(coupon);
      boolean isOne =
          slot < registers.length
              && ((in.get(REGISTERS_START + slot / 2) >> (4 * (slot & 1))) & 0xF) == EXCEPTION
              && registers[slot] == 0
              && Coupon.value(coupon) >= least + EXCEPTION;
      if (!isOne) {
        throw damaged("exception " + i + " of " + count);
      }
      registers[slot] = (byte) Coupon.value(coupon);
      found++;
    }
    if (found != count || found != exceptions) {
      throw damaged("%d exceptions of %d, for %d registers".formatted(found, count, exceptions));
    }
  }

  private static void need(ByteBuffer in, long bytes) throws IOException {
    if (in.capacity() < bytes) {
      throw damaged("%d bytes of %d".formatted(in.capacity(), bytes));
    }
  }

  /**
   * Fails unless the sketch ends here; a buffer that was larger than the sketch ends with zeros.
   */
  private static void end(ByteBuffer in, long bytes) throws IOException {
    need(in, bytes);
    for (int i = (int) bytes; i < in.capacity(); i++) {
      if (in.get(i) != 0) {
        throw damaged("it goes on after its %d bytes".formatted(bytes));
      }
    }
  }

  /** The bytes of a sketch, compact. */
  public static byte[] write(HllSketch sketch, Width width) {
    return sketch.mode() == HllSketch.Mode.HLL
        ? writeRegisters(sketch, width)
        : writeCoupons(sketch, width);
  }

  private static ByteBuffer begin(byte[] file, int words, int lgK, int mode, Width width) {
    return ByteBuffer.wrap(file)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(0, (byte) words)
        .put(1, (byte) VERSION)
        .put(2, (byte) FAMILY)
        .put(3, (byte) lgK)
        .put(5, (byte) COMPACT)
        .put(7, (byte) (width.id << 2 | mode));
  }

  private static byte[] writeCoupons(HllSketch sketch, Width width) {
    int[] coupons = sketch.coupons();
    boolean isList = sketch.mode() == HllSketch.Mode.LIST;
    int start = isList ? START : SET_START;
    byte[] file = new byte[start + Integer.BYTES * coupons.length];
    ByteBuffer out =
        begin(
            file,
            isList ? LIST_WORDS : SET_WORDS,
            sketch.lgK(),
            isList ? LIST_MODE : SET_MODE,
            width);
    if (isList) {
      out.put(4, (byte) LG_LIST).put(6, (byte) coupons.length);
    } else {
      out.put(4, (byte) lgTable(coupons.length, LEAST_LG_SET)).putInt(START, coupons.length);
    }
    if (coupons.length == 0) {
      out.put(5, (byte) (COMPACT | EMPTY));
    }
    out.position(start);
    for (int coupon : coupons) {
      out.putInt(coupon);
    }
    return file;
  }

  private static int lgTable(int count, int least) {
    int lg = least;
    while (4L * count > 3L << lg) {
      lg++;
    }
    return lg;
  }

  private static byte[] writeRegisters(HllSketch sketch, Width width) {
    byte[] registers = sketch.registers();
    int least = Coupon.MOST_VALUE;
    for (byte value : registers) {
      least = Math.min(least, value);
    }
    int base = width == Width.HLL_4 ? least : 0;
    int atBase = 0;
    int exceptions = 0;
    for (byte value : registers) {
      atBase += value == base ? 1 : 0;
      exceptions += width == Width.HLL_4 && value - base >= EXCEPTION ? 1 : 0;
    }
    int end = REGISTERS_START + width.bytes(sketch.lgK());
    byte[] file = new byte[end + Integer.BYTES * exceptions];
    ByteBuffer out = begin(file, HLL_WORDS, sketch.lgK(), HLL_MODE, width);
    out.put(4, (byte) (exceptions == 0 ? 0 : lgTable(exceptions, leastLgExceptions(sketch.lgK()))));
    int compact = width == Width.HLL_4 ? COMPACT : 0; // others have no table
    out.put(5, (byte) (sketch.isOnline() ? compact : compact | MERGED));
    out.put(6, (byte) base);
    out.putDouble(START, sketch.kept());
    out.putDouble(16, sketch.sum()).putDouble(24, sketch.smallSum());
    out.putInt(32, atBase).putInt(36, exceptions);
    out.position(end);
    for (int i = 0; i < registers.length; i++) {
      int value = registers[i] - base;
      if (width == Width.HLL_4 && value >= EXCEPTION) {
        out.putInt(Coupon.of(i, registers[i]));
      }
      put(out, i, width == Width.HLL_4 ? Math.min(value, EXCEPTION) : value, width.bits);
    }
    return file;
  }

  /** Adds the bits of a register to bytes that were 0. */
  private static void put(ByteBuffer out, int register, int value, int bits) {
    int at = REGISTERS_START + bits * register / 8;
    int shifted = value << (bits * register % 8);
    out.put(at, (byte) (out.get(at) | shifted));
    if (shifted > 0xFF) {
      out.put(at + 1, (byte) (out.get(at + 1) | shifted >> 8));
    }
  }

  /** The least lg of the words in a table of exceptions; DataSketches wants no less. */
  private static int leastLgExceptions(int lgK) {
    if (lgK >= 14) {
      return lgK - 8;
    }
    return lgK < 7 ? 2 : lgK < 10 ? 3 : lgK < 12 ? 4 : 5;
  }
}
