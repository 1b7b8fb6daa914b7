package io.bloomery.internal.code;

import io.bloomery.internal.bits.Words;
import io.bloomery.internal.probe.Mix;

/**
 * Sorted numbers of a range, cut into blocks that cover equal parts of it, with an index of where
 * the blocks begin. In a block the gaps between numbers are Rice-coded (Golomb 1966; Rice and
 * Plaunt 1971): the quotient by 2^b in unary, the remainder in b bits.
 *
 * <p>The two halves of the codes are stored separately: quotients go upward from the first bit of
 * the block, as that many zeros and a one, remainders downward from its end. So only the block's
 * length is stored, the number of ones in the quotients is the number of codes that they end, and
 * the remainders of those are added several at a time, as lanes of one word. A search thus skips to
 * the few codes that may hold the number and decodes only those. Numbers may be equal (gap 0).
 *
 * <p>Immutable. For any contents of the words, a search stays within them and terminates.
 */
public final class RiceBlocks {

  /** Quotient bits that a search takes at once. */
  private static final int STRIDE = 16;

  private static final long STRIDE_MASK = (1L << STRIDE) - 1;

  private final Layout layout;
  private final Words stream;
  private final Offsets index;
  private final int riceBits;
  private final long blockRange;
  private final long reciprocal;
  private final long streamBits;
  private final double jumpScale;
  private final long jumpMargin;

  // How to add up the remainders in one word: even and odd lanes first, then the pairs' sums.
  private final int lanes;
  private final long evenLanes;
  private final long oddLanes;
  private final long pairs;
  private final int sumShift;
  private final long sumMask;

  /**
   * The parameters that a reader needs before the words.
   *
   * @param range numbers are 0…range-1; 1…2^62
   * @param riceBits b, 0…62
   * @param blockRange how much of the range a block covers, 2…2^62
   * @param numbers how many numbers there are, at most {@code streamBits / (riceBits + 1)}
   * @param streamBits bits of all codes
   * @param deviationBits of the index, 1…40
   */
  public record Layout(
      long range, int riceBits, long blockRange, long numbers, long streamBits, int deviationBits) {

    /** How many blocks there are, 1 or more. */
    public long blocks() {
      return (range - 1) / blockRange + 1;
    }

    /** Words of the codes. */
    public long streamWords() {
      return BitString.wordsFor(streamBits);
    }

    /** Words of the index. */
    public long indexWords() {
      return Offsets.wordsFor(blocks() + 1, streamBits, deviationBits);
    }
  }

  /** Blocks that were written before; {@link #countOrFail} checks what the words hold. */
  public RiceBlocks(Layout layout, Words stream, Words index) {
    this(
        layout,
        stream,
        new Offsets(layout.blocks() + 1, layout.streamBits(), layout.deviationBits(), index));
  }

  private RiceBlocks(Layout layout, Words stream, Offsets index) {
    this.layout = layout;
    this.stream = stream;
    this.index = index;
    this.riceBits = layout.riceBits();
    this.blockRange = layout.blockRange();
    this.reciprocal = Long.divideUnsigned(-1L, blockRange);
    this.streamBits = layout.streamBits();
    double quotientBits = streamBits - (double) layout.numbers() * riceBits;
    this.jumpScale = streamBits == 0 ? 0 : quotientBits / streamBits / blockRange;
    this.jumpMargin = (long) (1.5 * Math.sqrt(quotientBits / layout.blocks()));
    this.lanes = lanes(riceBits);
    long one = BitString.mask(riceBits);
    long even = 0;
    long odd = 0;
    long pairSum = 0;
    for (int i = 0; i < lanes; i += 2) {
      even |= one << (i * riceBits);
      odd |= lanes == 1 ? 0 : one << (i * riceBits);
      pairSum |= 1L << (i * riceBits);
    }
    this.evenLanes = even;
    this.oddLanes = odd;
    this.pairs = pairSum;
    this.sumShift = lanes == 1 ? 0 : (lanes - 2) * riceBits;
    this.sumMask = BitString.mask(Math.min(Long.SIZE, 2 * riceBits));
  }

  /** How many remainders one word adds up: they fit into it, and their sum into two lanes. */
  private static int lanes(int riceBits) {
    if (riceBits < 3) {
      return 1 << riceBits;
    }
    return riceBits > Long.SIZE / 2 ? 1 : Integer.highestOneBit(Math.min(8, Long.SIZE / riceBits));
  }

  /** Codes the first {@code count} of {@code values}, which must be sorted and within the range. */
  public static RiceBlocks encode(
      long[] values, int count, long range, int riceBits, long blockRange) {
    Layout plan = new Layout(range, riceBits, blockRange, 0, 0, 1);
    int blocks = Math.toIntExact(plan.blocks());
    long[] starts = new long[blocks + 1];
    int at = 0;
    for (int block = 0; block < blocks; block++) {
      long bits = 0;
      long last = block * blockRange;
      long end = last + blockRange;
      for (; at < count && values[at] < end; at++) {
        bits += ((values[at] - last) >>> riceBits) + 1 + riceBits;
        last = values[at];
      }
      starts[block + 1] = starts[block] + bits;
    }
    Words stream = Words.allocate(BitString.wordsFor(starts[blocks]), false);
    at = 0;
    for (int block = 0; block < blocks; block++) {
      long up = starts[block];
      long down = starts[block + 1];
      long last = block * blockRange;
      long end = last + blockRange;
      for (; at < count && values[at] < end; at++) {
        long gap = values[at] - last;
        last = values[at];
        up += gap >>> riceBits;
        BitString.or(stream, up++, 1);
        down -= riceBits;
        BitString.or(stream, down, gap & BitString.mask(riceBits));
      }
    }
    Offsets index = Offsets.of(starts, blocks + 1);
    Layout layout =
        new Layout(range, riceBits, blockRange, count, starts[blocks], index.deviationBits());
    return new RiceBlocks(layout, stream, index);
  }

  /** The parameters that a reader needs before the words. */
  public Layout layout() {
    return layout;
  }

  /** The codes, for a frame. */
  public Words stream() {
    return stream;
  }

  /** The index, for a frame. */
  public Words index() {
    return index.words();
  }

  /** The memory of codes and index. */
  public long sizeInBits() {
    return (stream.length() + index.words().length()) * Long.SIZE;
  }

  /** Whether {@code value}, 0…range-1, is one of the numbers. */
  public boolean contains(long value) {
    long block = blockOf(value);
    long line = index.line(block);
    long place = index.place(block);
    long start = index.start(line, place);
    long end = index.end(line, place);
    if (start < 0 || start > end || end > streamBits) {
      return false; // only if the words are not an index
    }
    return find(start, end, value - block * blockRange);
  }

  /** How often {@code value}, 0…range-1, is one of the numbers; decodes half a block on average. */
  public long count(long value) {
    long block = blockOf(value);
    long line = index.line(block);
    long place = index.place(block);
    long start = Math.max(0, index.start(line, place));
    long end = Math.min(streamBits, index.end(line, place));
    long target = value - block * blockRange;
    long mask = BitString.mask(riceBits);
    long count = 0;
    long number = 0;
    long up = start;
    long down = end;
    while (up < down && number <= target) {
      long quotient = zeros(up, down);
      up += quotient + 1;
      down -= riceBits;
      number += (quotient << riceBits) + BitString.get(stream, Math.max(0, down), mask);
      count += number == target ? 1 : 0;
    }
    return count;
  }

  /** Reads what {@link #contains} will need, so that the reads of several numbers overlap. */
  public long touch(long value) {
    long block = blockOf(value);
    long line = index.line(block);
    long place = index.place(block);
    return touchBit(index.start(line, place)) + touchBit(index.end(line, place));
  }

  private long touchBit(long position) {
    return stream.get(Math.min(Math.max(0, position), streamBits) >>> 6);
  }

  /** {@code value / blockRange}: the reciprocal is rounded down, so one correction is enough. */
  private long blockOf(long value) {
    long quotient = Mix.reduce(value, reciprocal);
    return value - quotient * blockRange >= blockRange ? quotient + 1 : quotient;
  }

  /**
   * Jumps to shortly before the expected place of the target, assuming evenly distributed numbers,
   * continues in strides, and decodes the stride that reaches the target.
   */
  private boolean find(long start, long end, long target) {
    long up = start + Math.max(0, (long) ((end - start) * (target * jumpScale)) - jumpMargin);
    long read = countOnes(start, up);
    long down = end - read * riceBits;
    // Beyond the last quotient lie remainders, and their ones would move `down` below `up`.
    long sum = up > down ? target : sumOfRemainders(down, (int) read);
    if (sum + ((up - start - read) << riceBits) >= target) {
      up = start;
      read = 0;
      sum = 0;
    }
    while (true) {
      int ones = Long.bitCount(BitString.window(stream, up) & STRIDE_MASK);
      long next = read + ones;
      down = end - next * riceBits;
      if (up + STRIDE > down) {
        break;
      }
      long nextSum = sum + sumOfRemainders(down, ones);
      if (nextSum + ((up + STRIDE - start - next) << riceBits) >= target) {
        break;
      }
      up += STRIDE;
      read = next;
      sum = nextSum;
    }
    return findSlowly(start, end, target, up, read, sum);
  }

  private long countOnes(long from, long to) {
    long ones = 0;
    long at = from;
    for (; at + Long.SIZE <= to; at += Long.SIZE) {
      ones += Long.bitCount(BitString.window(stream, at));
    }
    return ones + Long.bitCount(BitString.window(stream, at) & ~(-1L << (to - at)));
  }

  private boolean findSlowly(
      long start, long end, long target, long from, long numbers, long remainders) {
    long mask = BitString.mask(riceBits);
    long read = numbers;
    long sum = remainders;
    long down = end - read * riceBits;
    for (long up = from; up < down; up += Long.SIZE) {
      for (long left = BitString.window(stream, up); left != 0; left &= left - 1) {
        long quotientEnd = up + Long.numberOfTrailingZeros(left);
        down -= riceBits;
        if (quotientEnd >= down) {
          return false;
        }
        sum += BitString.get(stream, down, mask);
        long value = sum + ((quotientEnd - start - read) << riceBits);
        if (value >= target) {
          return value == target;
        }
        read++;
      }
    }
    return false;
  }

  /** The sum of {@code count} remainders that lie from {@code position} on. */
  private long sumOfRemainders(long position, int count) {
    long sum = 0;
    long at = position;
    int left = count;
    for (; left >= lanes; left -= lanes) {
      sum += sumOfLanes(BitString.window(stream, at));
      at += (long) lanes * riceBits;
    }
    return sum + sumOfLanes(BitString.window(stream, at) & ~(-1L << (left * riceBits)));
  }

  private long sumOfLanes(long word) {
    long sums = (word & evenLanes) + ((word >>> riceBits) & oddLanes);
    return ((sums * pairs) >>> sumShift) & sumMask;
  }

  /** Goes through the numbers in order. */
  public Cursor cursor() {
    return new Cursor(this);
  }

  /**
   * Reads everything and returns how many numbers there are, or -1 if the words are not a valid
   * code of numbers in the range, written as {@link #encode} does.
   */
  public long countOrFail() {
    long total = 0;
    long expectedStart = 0;
    for (long block = 0; block < layout.blocks(); block++) {
      long line = index.line(block);
      long place = index.place(block);
      long start = index.start(line, place);
      long end = index.end(line, place);
      if (start != expectedStart || end < start || end > streamBits) {
        return -1;
      }
      long count = countBlock(block, start, end);
      if (count < 0) {
        return -1;
      }
      total += count;
      expectedStart = end;
    }
    boolean ended = expectedStart == streamBits && index.isClean();
    return ended && BitString.isZeroFrom(stream, streamBits) ? total : -1;
  }

  private long countBlock(long block, long start, long end) {
    long limit = Math.min(blockRange, layout.range() - block * blockRange);
    long value = 0;
    long count = 0;
    long up = start;
    long down = end;
    while (up < down) {
      long quotient = zeros(up, down);
      up += quotient + 1;
      down -= riceBits;
      if (up > down || quotient > (limit - 1) >>> riceBits) {
        return -1;
      }
      value += (quotient << riceBits) + BitString.get(stream, down, BitString.mask(riceBits));
      if (value >= limit) {
        return -1;
      }
      count++;
    }
    return count;
  }

  /** How many zeros lie from {@code position} on, or enough to reach {@code limit}. */
  private long zeros(long position, long limit) {
    long at = position;
    while (at < limit) {
      long bits = BitString.window(stream, at);
      if (bits != 0) {
        return at + Long.numberOfTrailingZeros(bits) - position;
      }
      at += Long.SIZE;
    }
    return limit - position;
  }

  /** The numbers one by one, in order. */
  public static final class Cursor {

    private final RiceBlocks blocks;
    private long block = -1;
    private long value;
    private long up;
    private long down;

    private Cursor(RiceBlocks blocks) {
      this.blocks = blocks;
    }

    /** The next number, or -1 after the last. */
    public long next() {
      while (up >= down) {
        if (++block >= blocks.layout.blocks()) {
          return -1;
        }
        long line = blocks.index.line(block);
        long place = blocks.index.place(block);
        up = Math.max(0, blocks.index.start(line, place));
        down = Math.min(blocks.streamBits, blocks.index.end(line, place));
        value = block * blocks.blockRange;
      }
      long quotient = blocks.zeros(up, down);
      up += quotient + 1;
      down -= blocks.riceBits;
      long remainder =
          BitString.get(blocks.stream, Math.max(0, down), BitString.mask(blocks.riceBits));
      value += (quotient << blocks.riceBits) + remainder;
      return value;
    }
  }
}
