package io.bloomery.internal.code;

import io.bloomery.internal.bits.Packed;
import io.bloomery.internal.bits.Words;
import java.util.function.LongConsumer;

/**
 * Different numbers of a range, in their order, in at most 2 + log2(range/entries) bits each and an
 * index of 0.05 … 0.15 more, with a search that takes constant time for well-mixed numbers and
 * logarithmic time for any.
 *
 * <p>Elias 1974, "Efficient Storage and Retrieval by Content and Address of Static Files"; Fano
 * 1971; Vigna 2013, "Quasi-succinct Indices". The low bits of each number are stored as they are.
 * The high bits are its bucket: for each bucket there is a one per number in it and then a zero.
 *
 * <p>The index has two parts. The <em>directory</em> tells how many zeros come before each block of
 * 1024 bits, so that the end of a bucket can be found by bisection; the <em>hints</em> tell the
 * block of every 4096th zero, so that there is little to bisect.
 *
 * <p>Any words give some answer in bounded time without leaving them, so that a mapped file needs
 * no check. Immutable.
 */
public final class EliasFano {

  private static final int BLOCK_LOG = 10;
  private static final int BLOCK_WORDS = 1 << (BLOCK_LOG - 6);
  private static final int HINT_LOG = 12;

  /** With fewer numbers in a bucket they are compared one by one. */
  private static final int FEW = 16;

  /**
   * The parameters, which give the sizes of all parts.
   *
   * @param entries how many numbers, 0 … 2^31
   * @param range one more than the largest possible number, {@code entries} … 2^62
   */
  public record Layout(long entries, long range) {

    /** How many low bits each number has. */
    public int lowBits() {
      return entries == 0 ? 0 : 63 - Long.numberOfLeadingZeros(range / entries);
    }

    /** How many buckets there are: different high parts that numbers can have. */
    public long buckets() {
      return entries == 0 ? 0 : ((range - 1) >>> lowBits()) + 1;
    }

    /** Bits of the high parts: a one for each number, a zero for each bucket. */
    public long highBits() {
      return entries + buckets();
    }

    private long blocks() {
      return (highBits() + (1L << BLOCK_LOG) - 1) >>> BLOCK_LOG;
    }

    private long hintCount() {
      return (buckets() + (1L << HINT_LOG) - 1) >>> HINT_LOG;
    }

    private int directoryWidth() {
      return Long.SIZE - Long.numberOfLeadingZeros(buckets());
    }

    private int hintWidth() {
      return Long.SIZE - Long.numberOfLeadingZeros(blocks());
    }

    /** Words of the low bits. */
    public long lowWords() {
      return Words.wordsFor(entries * lowBits());
    }

    /** Words of the high bits. */
    public long highWords() {
      return Words.wordsFor(highBits());
    }

    /** Words of the directory. */
    public long directoryWords() {
      return Packed.wordsFor(blocks(), directoryWidth());
    }

    /** Words of the hints. */
    public long hintWords() {
      return Packed.wordsFor(hintCount(), hintWidth());
    }

    /** The size of everything. */
    public long sizeInBits() {
      return (lowWords() + highWords() + directoryWords() + hintWords()) * Long.SIZE;
    }
  }

  private final Layout layout;
  private final Words low;
  private final Words high;
  private final Words directory;
  private final Words hints;
  private final int lowBits;
  private final long buckets;
  private final long highBits;
  private final int directoryWidth;
  private final int hintWidth;
  private final long blocks;

  /** Numbers in existing words, which have the lengths that the layout says. */
  public EliasFano(Layout layout, Words low, Words high, Words directory, Words hints) {
    this.layout = layout;
    this.low = low;
    this.high = high;
    this.directory = directory;
    this.hints = hints;
    this.lowBits = layout.lowBits();
    this.buckets = layout.buckets();
    this.highBits = layout.highBits();
    this.directoryWidth = layout.directoryWidth();
    this.hintWidth = layout.hintWidth();
    this.blocks = layout.blocks();
  }

  /** The first {@code count} numbers of an array, rising and below {@code range}. */
  public static EliasFano encode(long[] rising, int count, long range) {
    Layout layout = new Layout(count, range);
    Words low = Words.allocate(layout.lowWords(), false);
    Words high = Words.allocate(layout.highWords(), false);
    int lowBits = layout.lowBits();
    for (int i = 0; i < count; i++) {
      if (lowBits > 0) {
        Packed.set(low, lowBits, i, rising[i]);
      }
      high.setBit((rising[i] >>> lowBits) + i);
    }
    return indexed(layout, low, high);
  }

  private static EliasFano indexed(Layout layout, Words low, Words high) {
    Words directory = Words.allocate(layout.directoryWords(), false);
    Words hints = Words.allocate(layout.hintWords(), false);
    EliasFano numbers = new EliasFano(layout, low, high, directory, hints);
    numbers.writeIndex();
    return numbers;
  }

  private void writeIndex() {
    long zeros = 0;
    for (long block = 0; block < blocks; block++) {
      Packed.set(directory, directoryWidth, block, zeros);
      long next = zeros + zerosOf(block);
      for (long hint = (zeros + (1 << HINT_LOG) - 1) >>> HINT_LOG;
          hint << HINT_LOG < next;
          hint++) {
        Packed.set(hints, hintWidth, hint, block);
      }
      zeros = next;
    }
  }

  private long hint(long hint) {
    return Math.min(Packed.get(hints, hintWidth, hint), blocks - 1);
  }

  private long zerosOf(long block) {
    long from = block * BLOCK_WORDS;
    long to = Math.min(from + BLOCK_WORDS, high.length());
    long zeros = 0;
    for (long word = from; word < to; word++) {
      zeros += Long.SIZE - Long.bitCount(high.get(word));
    }
    return block == blocks - 1 ? zeros - (high.length() * Long.SIZE - highBits) : zeros;
  }

  /** The parameters. */
  public Layout layout() {
    return layout;
  }

  /** The low bits. */
  public Words low() {
    return low;
  }

  /** The high bits. */
  public Words high() {
    return high;
  }

  /** How many zeros come before each block. */
  public Words directory() {
    return directory;
  }

  /** The block of every 4096th zero. */
  public Words hints() {
    return hints;
  }

  /** Whether one of the numbers is in {@code from … to}, which are within the range. */
  public boolean containsAny(long from, long to) {
    if (layout.entries == 0) {
      return false;
    }
    long first = from >>> lowBits;
    long last = to >>> lowBits;
    long start = start(first);
    if (first == last) {
      return anyInBucket(start, first, lowOf(from), lowOf(to));
    }
    if (anyInBucket(start, first, lowOf(from), -1L >>> 1)) {
      return true;
    }
    long end = end(start, first);
    long lastStart = last == first + 1 ? end + 1 : start(last);
    return lastStart - last > end - first || anyInBucket(lastStart, last, 0, lowOf(to));
  }

  private long lowOf(long number) {
    return number & ((1L << lowBits) - 1);
  }

  private long low(long entry) {
    return lowBits == 0 ? 0 : Packed.get(low, lowBits, entry);
  }

  private boolean isOne(long bit) {
    return bit < highBits && (high.get(bit >>> 6) >>> bit & 1) != 0;
  }

  /** Whether a number of the bucket that begins at a bit has low bits within {@code from … to}. */
  private boolean anyInBucket(long start, long bucket, long from, long to) {
    long entry = start - bucket;
    for (int i = 0; i < FEW; i++, entry++) {
      if (!isOne(start + i) || entry < 0 || entry >= layout.entries) {
        return false;
      }
      long value = low(entry);
      if (value >= from) {
        return value <= to;
      }
    }
    long least = entry;
    long most = Math.min(end(start, bucket) - bucket, layout.entries);
    long end = most;
    while (least < most) {
      long middle = (least + most) >>> 1;
      if (low(middle) < from) {
        least = middle + 1;
      } else {
        most = middle;
      }
    }
    return least < end && low(least) <= to;
  }

  /** The first bit of a bucket. */
  private long start(long bucket) {
    return bucket == 0 ? 0 : zero(bucket - 1) + 1;
  }

  /** The zero that ends a bucket: mostly in the word where it begins. */
  private long end(long start, long bucket) {
    if (start < highBits) {
      long zeros = ~high.get(start >>> 6) >>> start;
      if (zeros != 0) {
        return Math.min(start + Long.numberOfTrailingZeros(zeros), highBits);
      }
    }
    return zero(bucket);
  }

  /** The position of a zero, counted from 0; at most {@code highBits}. */
  private long zero(long number) {
    if (number >= buckets) {
      return highBits;
    }
    long hint = number >>> HINT_LOG;
    long least = hint(hint);
    long most = (hint + 1) << HINT_LOG < buckets ? hint(hint + 1) : blocks - 1;
    while (least < most) {
      long middle = (least + most + 1) >>> 1;
      if (Packed.get(directory, directoryWidth, middle) <= number) {
        least = middle;
      } else {
        most = middle - 1;
      }
    }
    long left = number - Packed.get(directory, directoryWidth, least);
    long to = Math.min((least + 1) * BLOCK_WORDS, high.length());
    for (long word = least * BLOCK_WORDS; word < to; word++) {
      long zeros = ~high.get(word);
      int count = Long.bitCount(zeros);
      if (left < count) {
        return word * Long.SIZE + (left < 0 ? 0 : select(zeros, (int) left));
      }
      left -= count;
    }
    return highBits;
  }

  /** The position of a one of a word, counted from 0. */
  private static int select(long word, int number) {
    int left = number;
    int at = 0;
    for (int width = Integer.SIZE; width >= Byte.SIZE; width >>= 1) {
      int count = Long.bitCount(word & ((1L << width) - 1));
      if (left >= count) {
        left -= count;
        at += width;
        word >>>= width;
      }
    }
    for (; left > 0; left--) {
      word &= word - 1;
    }
    return at + Long.numberOfTrailingZeros(word);
  }

  /** Passes on all numbers, rising. */
  public void forEach(LongConsumer numbers) {
    long entry = 0;
    for (long word = 0; word < high.length(); word++) {
      for (long ones = high.get(word); ones != 0 && entry < layout.entries; ones &= ones - 1) {
        long bucket = word * Long.SIZE + Long.numberOfTrailingZeros(ones) - entry;
        numbers.accept(bucket << lowBits | low(entry++));
      }
    }
  }

  /** Whether these words are those of {@link #encode} for some numbers. */
  public boolean isSound() {
    long[] seen = {-1, 0};
    forEach(
        number -> {
          if (number <= seen[0] || number >= layout.range) {
            seen[1] = Long.MIN_VALUE;
          }
          seen[0] = number;
          seen[1]++;
        });
    return seen[1] == layout.entries
        && high.bitCountOfBits(0, highBits) == layout.entries
        && high.bitCountOfBits(highBits, high.length() * Long.SIZE) == 0
        && low.bitCountOfBits(layout.entries * lowBits, low.length() * Long.SIZE) == 0
        && isIndexSound();
  }

  private boolean isIndexSound() {
    EliasFano expected = indexed(layout, low, high);
    return expected.directory.sameBits(directory) && expected.hints.sameBits(hints);
  }
}
