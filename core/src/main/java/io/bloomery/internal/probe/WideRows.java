package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Words;

/**
 * The loops of {@link CounterRows} over counters of 64 bits that lie in a heap array, each in a
 * word of its own, where two rows share an output of the mixing stream. One writer at a time.
 *
 * <p>Design. For up to six rows nothing loops over rows: a key's counters are written out as pairs,
 * because the bookkeeping of so short a loop takes longer than the counters. A batch swaps the
 * loops, two rows for all keys, then the next two: its inner loop has no bookkeeping for any number
 * of rows, and touches two rows at a time. A counter is 0…2^63 - 1, so a sum overflows exactly if
 * it is negative, which costs a branch that is never taken; no total is needed to know that
 * counters have room.
 */
final class WideRows {

  private static final long LOW = 0xFFFFFFFFL;

  private WideRows() {}

  /** Adds 1 or more to every counter of a hash; true if one of them was 0. */
  static boolean add(long[] heap, long hash, int rows, int width, long by) {
    int base = Words.BASE;
    return switch (rows) {
          case 1 -> add1(heap, hash, base, width, by);
          case 2 -> add2(heap, hash, base, width, by);
          case 3 ->
              add2(heap, hash, base, width, by)
                  | add1(heap, hash + Mix.GOLDEN, base + 2 * width, width, by);
          case 4 -> add4(heap, hash, base, width, by);
          case 5 ->
              add4(heap, hash, base, width, by)
                  | add1(heap, hash + (Mix.GOLDEN << 1), base + 4 * width, width, by);
          case 6 ->
              add4(heap, hash, base, width, by)
                  | add2(heap, hash + (Mix.GOLDEN << 1), base + 4 * width, width, by);
          default -> addMany(heap, hash, rows, width, by);
        }
        < 0;
  }

  private static long addMany(long[] heap, long hash, int rows, int width, long by) {
    long state = hash;
    int base = Words.BASE;
    long zeros = 0;
    for (int row = 1; row < rows; row += 2) {
      zeros |= add2(heap, state, base, width, by);
      state += Mix.GOLDEN;
      base += 2 * width;
    }
    return (rows & 1) == 0 ? zeros : zeros | add1(heap, state, base, width, by);
  }

  /** Four rows from {@code base} on; negative if one of the counters was 0, as in those below. */
  private static long add4(long[] heap, long state, int base, int width, long by) {
    return add2(heap, state, base, width, by)
        | add2(heap, state + Mix.GOLDEN, base + 2 * width, width, by);
  }

  private static long add2(long[] heap, long state, int base, int width, long by) {
    long draw = Mix.mix(state);
    int a = base + high(draw, width);
    int b = base + width + low(draw, width);
    long first = heap[a];
    long second = heap[b];
    heap[a] = limited(first + by);
    heap[b] = limited(second + by);
    return first - 1 | second - 1;
  }

  private static long add1(long[] heap, long state, int base, int width, long by) {
    int a = base + high(Mix.mix(state), width);
    long first = heap[a];
    heap[a] = limited(first + by);
    return first - 1;
  }

  /** Adds 1 to every counter of each of the hashes {@code from…to-1}. */
  static void addEach(long[] heap, long[] hashes, int from, int to, int rows, int width) {
    long step = 0;
    int base = Words.BASE;
    for (int row = 1; row < rows; row += 2) {
      for (int i = from; i < to; i++) {
        add2(heap, hashes[i] + step, base, width, 1);
      }
      step += Mix.GOLDEN;
      base += 2 * width;
    }
    if ((rows & 1) != 0) {
      for (int i = from; i < to; i++) {
        add1(heap, hashes[i] + step, base, width, 1);
      }
    }
  }

  /** The lowest counter of a hash. */
  static long min(long[] heap, long hash, int rows, int width) {
    int base = Words.BASE;
    return switch (rows) {
      case 1 -> min1(heap, hash, base, width);
      case 2 -> min2(heap, hash, base, width);
      case 3 ->
          lower(
              min2(heap, hash, base, width),
              min1(heap, hash + Mix.GOLDEN, base + 2 * width, width));
      case 4 -> min4(heap, hash, base, width);
      case 5 ->
          lower(
              min4(heap, hash, base, width),
              min1(heap, hash + (Mix.GOLDEN << 1), base + 4 * width, width));
      case 6 ->
          lower(
              min4(heap, hash, base, width),
              min2(heap, hash + (Mix.GOLDEN << 1), base + 4 * width, width));
      default -> minOfMany(heap, hash, rows, width);
    };
  }

  private static long minOfMany(long[] heap, long hash, int rows, int width) {
    long state = hash;
    int base = Words.BASE;
    long min = Long.MAX_VALUE;
    for (int row = 1; row < rows; row += 2) {
      min = lower(min, min2(heap, state, base, width));
      state += Mix.GOLDEN;
      base += 2 * width;
    }
    return (rows & 1) == 0 ? min : lower(min, min1(heap, state, base, width));
  }

  private static long min4(long[] heap, long state, int base, int width) {
    return lower(
        min2(heap, state, base, width), min2(heap, state + Mix.GOLDEN, base + 2 * width, width));
  }

  private static long min2(long[] heap, long state, int base, int width) {
    long draw = Mix.mix(state);
    return lower(heap[base + high(draw, width)], heap[base + width + low(draw, width)]);
  }

  private static long min1(long[] heap, long state, int base, int width) {
    return heap[base + high(Mix.mix(state), width)];
  }

  /** The smaller value, without a branch, which would be unpredictable. */
  static long lower(long a, long b) {
    long difference = a - b;
    return b + (difference & difference >> 63);
  }

  private static long limited(long sum) {
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  private static int high(long draw, int width) {
    return (int) (((draw >>> 32) * width) >>> 32);
  }

  private static int low(long draw, int width) {
    return (int) (((draw & LOW) * width) >>> 32);
  }
}
