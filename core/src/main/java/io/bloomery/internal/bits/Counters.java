package io.bloomery.internal.bits;

import io.bloomery.internal.check.Arguments;

/**
 * Counters of 1…64 bits, {@code 64 / width} of them (rounded down) in each word of {@link Words},
 * none across two words: counter {@code i} lies in word {@code i / perWord}, at bit {@code (i %
 * perWord) · width}.
 *
 * <p>No counter wraps. An addition that would exceed {@link #max()} leaves the counter at {@code
 * max()}, where it is <em>saturated</em>: its true value is no longer known. A <em>sticky</em>
 * store never lowers a saturated counter; other stores do, and may then undercount.
 *
 * <p>Threads: with shared words every change is one atomic replacement of a word, lock-free; reads
 * are plain.
 */
public final class Counters {

  private final Words words;
  private final long count;
  private final int width;
  private final boolean sticky;
  private final int perWord;
  private final long magic;
  private final long max;

  /** Counters in existing words, as many as {@link #wordsFor} says. */
  public Counters(Words words, long count, int width, boolean sticky) {
    if (words.length() != wordsFor(count, width)) {
      throw new IllegalArgumentException(
          words.length() + " words for " + count + " counters of " + width + " bits");
    }
    this.words = words;
    this.count = count;
    this.width = width;
    this.sticky = sticky;
    this.perWord = Long.SIZE / width;
    this.magic = (1L << 62) / perWord + 1;
    this.max = width == Long.SIZE ? Long.MAX_VALUE : (1L << width) - 1;
  }

  /** Counters at zero on the heap. */
  public static Counters allocate(long count, int width, boolean sticky, boolean shared) {
    return new Counters(Words.allocate(wordsFor(count, width), shared), count, width, sticky);
  }

  /** How many words hold this many counters of 1…64 bits. */
  public static long wordsFor(long count, int width) {
    Arguments.inRange("width", width, 1, Long.SIZE);
    int perWord = Long.SIZE / width;
    return count / perWord + (count % perWord == 0 ? 0 : 1);
  }

  /** The words, to be stored or copied. */
  public Words words() {
    return words;
  }

  /**
   * Whether all bits outside counters are zero. A counter of 64 bits does not use its highest one.
   */
  public boolean isClean() {
    long inWord = -1L >>> -(perWord * width) & (width == Long.SIZE ? max : -1L);
    for (long word = 0; word < words.length(); word++) {
      if ((words.get(word) & ~inWord) != 0) {
        return false;
      }
    }
    int last = (int) (count % perWord) * width;
    return last == 0 || words.get(words.length() - 1) >>> last == 0;
  }

  /** How many counters there are. */
  public long count() {
    return count;
  }

  /** How many bits a counter has. */
  public int width() {
    return width;
  }

  /** Whether saturated counters stay. */
  public boolean isSticky() {
    return sticky;
  }

  /** The highest value; 2^63 - 1 for 64 bits. */
  public long max() {
    return max;
  }

  /** Counter {@code i}. */
  public long get(long i) {
    long word = wordOf(i);
    return words.get(word) >>> shiftOf(i, word) & max;
  }

  /** Whether counter {@code i} is at its highest value. */
  public boolean isSaturated(long i) {
    return get(i) == max;
  }

  /** Adds 0 or more; returns the new value. */
  public long add(long i, long by) {
    return plus(getAndAdd(i, by), by);
  }

  /** Adds 0 or more; returns the old value. */
  public long getAndAdd(long i, long by) {
    long word = wordOf(i);
    return getAndAdd(word, shiftOf(i, word), by);
  }

  /** Adds 0 or more to the counter that begins at a bit of a word; returns the old value. */
  public long getAndAdd(long word, int shift, long by) {
    while (true) {
      long old = words.get(word);
      long value = old >>> shift & max;
      long next = plus(value, by);
      if (next == value || words.replace(word, old, old + ((next - value) << shift))) {
        return value;
      }
    }
  }

  private long plus(long value, long by) {
    return by >= max - value ? max : value + by;
  }

  /** Subtracts 0 or more, but not below 0; returns the new value. */
  public long subtract(long i, long by) {
    long word = wordOf(i);
    return subtract(word, shiftOf(i, word), by);
  }

  /** Subtracts as {@link #subtract(long, long)} from the counter that begins at a bit of a word. */
  public long subtract(long word, int shift, long by) {
    while (true) {
      long old = words.get(word);
      long value = old >>> shift & max;
      long next = sticky && value == max ? max : Math.max(0, value - by);
      if (next == value || words.replace(word, old, old - ((value - next) << shift))) {
        return next;
      }
    }
  }

  /** Subtracts 1 from each of counters {@code from…to-1} above 0, one replacement per word. */
  public void decrease(long from, long to) {
    for (long i = from; i < to; ) {
      long word = wordOf(i);
      long end = Math.min(to, (word + 1) * perWord);
      long old = words.get(word);
      long next = old;
      for (long j = i; j < end; j++) {
        long one = 1L << shiftOf(j, word);
        long value = old & one * max;
        next -= value == 0 || (sticky && value == one * max) ? 0 : one;
      }
      if (next == old || words.replace(word, old, next)) {
        i = end;
      }
    }
  }

  /** Raises counter {@code i} to {@code value}, at most {@link #max()}, if it is lower. */
  public void raise(long i, long value) {
    long word = wordOf(i);
    int shift = shiftOf(i, word);
    while (true) {
      long old = words.get(word);
      long present = old >>> shift & max;
      if (present >= value || words.replace(word, old, old + ((value - present) << shift))) {
        return;
      }
    }
  }

  /** Sets counter {@code i} to {@code value}, at most {@link #max()}. */
  public void set(long i, long value) {
    long word = wordOf(i);
    int shift = shiftOf(i, word);
    while (true) {
      long old = words.get(word);
      if (words.replace(word, old, (old & ~(max << shift)) | (value << shift))) {
        return;
      }
    }
  }

  /** Sets counter {@code i} to {@code next} if it is still {@code old}; otherwise returns false. */
  public boolean replace(long i, long old, long next) {
    long word = wordOf(i);
    int shift = shiftOf(i, word);
    while (true) {
      long present = words.get(word);
      if ((present >>> shift & max) != old) {
        return false;
      }
      if (words.replace(word, present, present ^ ((old ^ next) << shift))) {
        return true;
      }
    }
  }

  /** Adds every counter of the other, which has equal number and width. */
  public void addAll(Counters other) {
    if (other.count != count || other.width != width) {
      throw new IllegalArgumentException("counters of another number or width");
    }
    for (long i = 0; i < count; i++) {
      add(i, other.get(i));
    }
  }

  /** How many counters hold each of the values 0…limit-1, and at {@code limit} all others. */
  public long[] histogram(int limit) {
    long[] histogram = new long[limit + 1];
    for (long i = 0; i < count; i++) {
      histogram[(int) Math.min(limit, get(i))]++;
    }
    return histogram;
  }

  /** How many counters are above 0. */
  public long nonZero() {
    return count - histogram(1)[0];
  }

  /** How many counters are saturated. */
  public long saturated() {
    long saturated = 0;
    for (long i = 0; i < count; i++) {
      saturated += get(i) == max ? 1 : 0;
    }
    return saturated;
  }

  /** Zeros everything. Not atomic: no thread may write at the same time. */
  public void clear() {
    words.clear();
  }

  /** A heap copy. */
  public Counters copy() {
    return new Counters(words.copy(), count, width, sticky);
  }

  /** {@code i / perWord} without a division: exact for {@code i} below 2^56. */
  private long wordOf(long i) {
    return Math.multiplyHigh(i << 2, magic);
  }

  private int shiftOf(long i, long word) {
    return (int) (i - word * perWord) * width;
  }
}
