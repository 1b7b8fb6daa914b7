package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.bits.Words;

/**
 * Rows of counters, in each of which a hash has one, drawn uniformly and independently of the other
 * rows. Two rows share one output of the mixing stream, row {@code 2i} its high and row {@code 2i +
 * 1} its low half, unless rows are so wide that 32 bits would not select every counter with nearly
 * equal probability; then each row has its own output. Counter {@code j} of row {@code i} is number
 * {@code i·width + j} of a {@link Counters} store of 8, 16, 32 or 64 bits each. The counters of a
 * hash are distinct.
 *
 * <p>No counter wraps around: it stops at {@link #max()} and never falls again from there.
 *
 * <p>Threads: with shared words {@link #add}, {@link #addEach} and {@link #addAll} are atomic for
 * each counter. All other writes require a single thread.
 */
public final class CounterRows {

  /**
   * The widest rows of which two share an output; the probability of a counter then errs by 2^-8.
   */
  private static final long MAX_PAIRED_WIDTH = 1L << 24;

  private final Counters counters;
  private final Words words;
  private final int rows;
  private final long width;
  private final boolean paired;
  private final int bitsShift;
  private final int wordShift;
  private final long max;

  /** Whether {@link WideRows} does the work on heap words. */
  private final boolean wide;

  /** Rows in existing words, as many as {@link #wordsFor} says. */
  public CounterRows(Words words, int rows, long width, int counterBits) {
    this.counters = new Counters(words, rows * width, counterBits, true);
    this.words = words;
    this.rows = rows;
    this.width = width;
    this.paired = width <= MAX_PAIRED_WIDTH;
    this.bitsShift = Integer.numberOfTrailingZeros(counterBits);
    this.wordShift = 6 - bitsShift;
    this.max = counters.max();
    this.wide = paired && wordShift == 0;
  }

  /** Rows at zero on the heap. */
  public static CounterRows allocate(int rows, long width, int counterBits, boolean shared) {
    Words words = Words.allocate(wordsFor(rows, width, counterBits), shared);
    return new CounterRows(words, rows, width, counterBits);
  }

  /** How many words hold this many rows. */
  public static long wordsFor(int rows, long width, int counterBits) {
    return Counters.wordsFor(rows * width, counterBits);
  }

  /** The words, to be stored. */
  public Words words() {
    return words;
  }

  /** The counter of a hash in a row of this width, as its number among all counters. */
  public static long index(long hash, int row, long width) {
    if (width > MAX_PAIRED_WIDTH) {
      return row * width + Mix.reduce(Mix.stream(hash, row), width);
    }
    long draw = Mix.stream(hash, row >>> 1);
    long half = (row & 1) == 0 ? draw >>> 32 : draw & 0xFFFFFFFFL;
    return row * width + ((half * width) >>> 32);
  }

  /** The underlying counters. */
  public Counters counters() {
    return counters;
  }

  /** The highest value of a counter. */
  public long max() {
    return max;
  }

  /** How many counters are at {@link #max()}. */
  public long saturated() {
    return counters.saturated();
  }

  /** The output that row {@code row} takes its number from, given that of the row before. */
  private long draw(long hash, int row, long last) {
    if (!paired) {
      return Mix.stream(hash, row);
    }
    return (row & 1) == 0 ? Mix.stream(hash, row >>> 1) : last;
  }

  private long index(int row, long draw) {
    if (!paired) {
      return row * width + Mix.reduce(draw, width);
    }
    return row * width + ((row & 1) == 0 ? high(draw) : low(draw));
  }

  private long high(long draw) {
    return ((draw >>> 32) * width) >>> 32;
  }

  private long low(long draw) {
    return ((draw & 0xFFFFFFFFL) * width) >>> 32;
  }

  /** The lowest counter of a hash. */
  public long min(long hash) {
    long[] heap = words.heap();
    if (heap == null || !paired) {
      return plainMin(hash);
    }
    return wide ? WideRows.min(heap, hash, rows, (int) width) : pairedMin(heap, hash);
  }

  /** Two rows at a time, so that no branch depends on the row. */
  private long pairedMin(long[] heap, long hash) {
    long min = Long.MAX_VALUE;
    long start = 0;
    int pairs = rows >>> 1;
    for (int i = 0; i < pairs; i++) {
      long draw = Mix.stream(hash, i);
      long first = value(heap, start + high(draw));
      long second = value(heap, start + width + low(draw));
      min = WideRows.lower(min, WideRows.lower(first, second));
      start += 2 * width;
    }
    return (rows & 1) == 0
        ? min
        : WideRows.lower(min, value(heap, start + high(Mix.stream(hash, pairs))));
  }

  private long value(long[] heap, long at) {
    return heap[Words.BASE + (int) (at >>> wordShift)] >>> (at << bitsShift) & max;
  }

  private long plainMin(long hash) {
    long min = Long.MAX_VALUE;
    long draw = 0;
    for (int row = 0; row < rows; row++) {
      draw = draw(hash, row, draw);
      min = Math.min(min, counters.get(index(row, draw)));
    }
    return min;
  }

  /** Adds 1 or more to every counter of a hash; true if one of them was 0. */
  public boolean add(long hash, long by) {
    if (words.isShared()) {
      return addAtomic(hash, by);
    }
    long[] heap = words.writable();
    if (!paired) {
      return addDrawn(heap, hash, by);
    }
    return wide ? WideRows.add(heap, hash, rows, (int) width, by) : addNarrow(heap, hash, by) < 0;
  }

  private boolean addAtomic(long hash, long by) {
    long zeros = 0;
    long draw = 0;
    for (int row = 0; row < rows; row++) {
      draw = draw(hash, row, draw);
      zeros |= addAtomicTo(index(row, draw), by);
    }
    return zeros < 0;
  }

  /** Adds to one counter as all threads do; negative if it was 0. */
  private long addAtomicTo(long at, long by) {
    if (wordShift != 0) {
      return counters.getAndAdd(at, by) - 1;
    }
    while (true) {
      long old = words.get(at);
      long sum = old + by;
      if (words.replace(at, old, sum < 0 ? max : sum)) {
        return old - 1;
      }
    }
  }

  private boolean addDrawn(long[] heap, long hash, long by) {
    long zeros = 0;
    for (int row = 0; row < rows; row++) {
      zeros |= addTo(heap, index(row, Mix.stream(hash, row)), by);
    }
    return zeros < 0;
  }

  /** Two rows at a time, as {@link #pairedMin}; negative if a counter was 0. */
  private long addNarrow(long[] heap, long hash, long by) {
    long zeros = 0;
    long start = 0;
    int pairs = rows >>> 1;
    for (int i = 0; i < pairs; i++) {
      long draw = Mix.stream(hash, i);
      zeros |= addTo(heap, start + high(draw), by) | addTo(heap, start + width + low(draw), by);
      start += 2 * width;
    }
    return (rows & 1) == 0 ? zeros : zeros | addTo(heap, start + high(Mix.stream(hash, pairs)), by);
  }

  /** Adds to one counter of an array that no other thread writes; negative if it was 0. */
  private long addTo(long[] heap, long at, long by) {
    int word = Words.BASE + (int) (at >>> wordShift);
    long shift = at << bitsShift;
    long old = heap[word];
    long value = old >>> shift & max;
    heap[word] = old + (Math.min(by, max - value) << shift);
    return value - 1;
  }

  /**
   * Adds 1 to every counter of each of the hashes {@code from…to-1}, two rows for all of them
   * before the next two; see {@link WideRows}.
   */
  public void addEach(long[] hashes, int from, int to) {
    if (from == to) {
      return; // also where nothing can be written
    }
    long[] heap = words.writable();
    boolean shared = words.isShared();
    if (wide && !shared) {
      WideRows.addEach(heap, hashes, from, to, rows, (int) width);
      return;
    }
    if (!paired) {
      for (int i = from; i < to; i++) {
        add(hashes[i], 1);
      }
      return;
    }
    long start = 0;
    for (int pair = 0; pair < rows >>> 1; pair++) {
      for (int i = from; i < to; i++) {
        long draw = Mix.stream(hashes[i], pair);
        addOne(heap, shared, start + high(draw));
        addOne(heap, shared, start + width + low(draw));
      }
      start += 2 * width;
    }
    if ((rows & 1) != 0) {
      for (int i = from; i < to; i++) {
        addOne(heap, shared, start + high(Mix.stream(hashes[i], rows >>> 1)));
      }
    }
  }

  private void addOne(long[] heap, boolean shared, long at) {
    if (shared) {
      addAtomicTo(at, 1);
    } else {
      addTo(heap, at, 1);
    }
  }

  /**
   * Raises the counters of a hash that are below their minimum plus {@code by} to that sum; returns
   * the old minimum.
   */
  public long raise(long hash, long by) {
    long[] heap = words.writable();
    long min = min(hash);
    long target = min + Math.min(by, max - min);
    long draw = 0;
    for (int row = 0; row < rows; row++) {
      draw = draw(hash, row, draw);
      long at = index(row, draw);
      int word = Words.BASE + (int) (at >>> wordShift);
      long shift = at << bitsShift;
      long old = heap[word];
      long value = old >>> shift & max;
      heap[word] = old + (Math.max(0, target - value) << shift);
    }
    return min;
  }

  /** Subtracts from every counter of a hash that is not at {@link #max()}, down to 0 at most. */
  public void subtract(long hash, long by) {
    long draw = 0;
    for (int row = 0; row < rows; row++) {
      draw = draw(hash, row, draw);
      counters.subtract(index(row, draw), by);
    }
  }

  /** Whether one counter of a hash alone is the lowest. */
  public boolean hasSingleMinimum(long hash) {
    long min = min(hash);
    int lowest = 0;
    long draw = 0;
    for (int row = 0; row < rows; row++) {
      draw = draw(hash, row, draw);
      lowest += counters.get(index(row, draw)) == min ? 1 : 0;
    }
    return lowest == 1;
  }

  /** The probability that a fresh hash finds no counter at 0: the product of the rows' fills. */
  public double hitRate() {
    double rate = 1;
    for (long used : used()) {
      rate *= (double) used / width;
    }
    return rate;
  }

  /** How many counters of each row are above 0. */
  public long[] used() {
    long[] used = new long[rows];
    for (int row = 0; row < rows; row++) {
      for (long i = row * width; i < (row + 1) * width; i++) {
        used[row] += counters.get(i) == 0 ? 0 : 1;
      }
    }
    return used;
  }

  /** The sum of the first row, 2^63 - 1 if it is more. */
  public long sumOfFirstRow() {
    long sum = 0;
    for (long i = 0; i < width; i++) {
      sum += Math.min(counters.get(i), Long.MAX_VALUE - sum);
    }
    return sum;
  }

  /** Whether every counter is 0. */
  public boolean isEmpty() {
    for (long i = 0; i < words.length(); i++) {
      if (words.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Adds every counter of other rows of the same number, width and counter width. */
  public void addAll(CounterRows other) {
    counters.addAll(other.counters);
  }

  /** Zeros everything. */
  public void clear() {
    counters.clear();
  }

  /** A heap copy. */
  public CounterRows copy() {
    return new CounterRows(words.copy(), rows, width, 1 << bitsShift);
  }
}
