package io.bloomery.lookup;

import io.bloomery.internal.check.Arguments;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The distinct values of a map under construction, numbered in ascending order. Cells hold either
 * the values themselves or their numbers.
 */
final class ValueRange {

  private static final long FEW = 1 << 24;

  private final long @Nullable [] list; // null if value i has number i
  private final long bound; // all values are below
  private final int[] numbers;

  private ValueRange(long @Nullable [] list, long bound, int[] numbers) {
    this.list = list;
    this.bound = bound;
    this.numbers = numbers;
  }

  /** Values below a bound of at most 2^32, each its own number. */
  static ValueRange below(long bound, long[] values, int count) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = (int) Arguments.inRange("value", values[i], 0, bound - 1);
    }
    return new ValueRange(null, bound, numbers);
  }

  /** Any values. */
  static ValueRange of(long[] values, int count) {
    long max = 0;
    for (int i = 0; i < count; i++) {
      max = Math.max(max, values[i]);
    }
    long[] list = max < FEW ? few(values, count) : many(values, count);
    if (list.length == max + 1) {
      return below(max + 1, values, count);
    }
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = Arrays.binarySearch(list, values[i]);
    }
    return new ValueRange(list, max == Long.MAX_VALUE ? max : max + 1, numbers);
  }

  private static long[] few(long[] values, int count) {
    BitSet seen = new BitSet();
    for (int i = 0; i < count; i++) {
      seen.set((int) values[i]);
    }
    return seen.isEmpty() ? new long[1] : seen.stream().asLongStream().toArray();
  }

  private static long[] many(long[] values, int count) {
    long[] sorted = Arrays.copyOf(values, count);
    Arrays.sort(sorted);
    int distinct = 0;
    for (long value : sorted) {
      if (distinct == 0 || sorted[distinct - 1] != value) {
        sorted[distinct++] = value;
      }
    }
    return Arrays.copyOf(sorted, distinct);
  }

  /** The number of each value, in the order given. */
  int[] numbers() {
    return numbers;
  }

  /** The value of a number. */
  long value(int number) {
    return list == null ? Integer.toUnsignedLong(number) : list[number];
  }

  /** The distinct values in ascending order, or null if they are all numbers below a bound. */
  long @Nullable [] list() {
    return list;
  }

  /** A bound above all values, but at most 2^63 - 1. */
  long bound() {
    return bound;
  }

  /** The largest value, or 0 if there is none. */
  long largest() {
    return list == null ? bound - 1 : list[list.length - 1];
  }

  /** Whether the values must be listed, because they are too large for cells. */
  boolean isLarge() {
    return bound > BloomierShape.MAX_VALUES;
  }
}
