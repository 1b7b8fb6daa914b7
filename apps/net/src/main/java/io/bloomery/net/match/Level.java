package io.bloomery.net.match;

import io.bloomery.Writers;
import io.bloomery.deletable.BlockedCountingFilter;
import io.bloomery.deletable.BlockedCountingShape;
import io.bloomery.hash.Hasher;
import org.jspecify.annotations.Nullable;

/**
 * The prefixes of a few neighbouring lengths, expanded to the longest of them: a hash table, and
 * before it a filter, whose counters are apart from the bits that lookups read.
 */
final class Level {

  private final int length;
  private final int below;
  private final long highMask;
  private final long lowMask;
  private final Slots slots;
  private final BlockedCountingFilter filter;
  private final long capacity;

  /**
   * A level of a filled table.
   *
   * @param length the length of all its prefixes
   * @param below the longest length that does not belong to it
   * @param capacity how many prefixes it is to hold
   * @param rate the false-positive rate of the filter with so many
   */
  Level(int length, int below, Slots filled, long capacity, double rate, Hasher hasher) {
    this.length = length;
    this.below = below;
    this.highMask = highMask(length);
    this.lowMask = lowMask(length);
    this.capacity = capacity;
    this.slots = table(hasher, length, capacity);
    this.filter =
        BlockedCountingFilter.create(
            BlockedCountingShape.forKeys(capacity, rate), hasher, Writers.ONE);
    for (int slot = 0; slot < filled.slots(); slot++) {
      int entry = filled.entry(slot);
      if (entry != 0) {
        add(filled.high(slot), filled.low(slot), entry);
      }
    }
  }

  /** An empty table for prefixes of a level. */
  static Slots table(Hasher hasher, int length, long capacity) {
    return new Slots(hasher, keyBits(length), false, capacity);
  }

  /** The bits of a key of this length as tables hold it. */
  static int keyBits(int length) {
    return length <= 32 ? 32 : length <= 64 ? 64 : 128;
  }

  static long highMask(int length) {
    return length == 0 ? 0 : length >= Long.SIZE ? -1 : -1L << (Long.SIZE - length);
  }

  static long lowMask(int length) {
    return length <= Long.SIZE ? 0 : highMask(length - Long.SIZE);
  }

  private void add(long high, long low, int entry) {
    long hash = slots.hash(high, low, length);
    slots.put(hash, high, low, entry);
    filter.addHash(hash);
  }

  int length() {
    return length;
  }

  int below() {
    return below;
  }

  long used() {
    return slots.used();
  }

  long filterBits() {
    return filter.shape().cells().sizeInBits();
  }

  double falsePositiveRate() {
    return filter.falsePositiveRate();
  }

  long bytes() {
    return slots.bytes() + filter.sizeInBits() / Byte.SIZE;
  }

  /** How many prefixes of this level one of another length becomes. */
  int expanded(int prefixLength) {
    return 1 << (length - prefixLength);
  }

  /** Whether a prefix surely fits. */
  boolean hasRoom(int prefixLength) {
    return slots.used() + expanded(prefixLength) <= capacity;
  }

  /** The entry of an address, 0 if no prefix of this level has it. */
  int find(long high, long low) {
    long first = high & highMask;
    long rest = low & lowMask;
    long hash = slots.hash(first, rest, length);
    return filter.mightContainHash(hash) ? slots.get(hash, first, rest, length) : 0;
  }

  /** Whether a lookup of this address reads the hash table. */
  boolean isProbed(long high, long low) {
    return filter.mightContainHash(slots.hash(high & highMask, low & lowMask, length));
  }

  /** Puts a prefix, which a longer one of this level hides where both have an address. */
  void put(long high, long low, int entry) {
    expand(slots, length, high, low, entry, filter);
  }

  /** Puts a prefix into a table of expanded ones. */
  static void expand(Slots table, int length, long high, long low, int entry) {
    expand(table, length, high, low, entry, null);
  }

  private static void expand(
      Slots table,
      int length,
      long high,
      long low,
      int entry,
      @Nullable BlockedCountingFilter filter) {
    int count = 1 << (length - Slots.length(entry));
    for (int i = 0; i < count; i++) {
      long first = high | highOf(i, length);
      long rest = low | lowOf(i, length);
      long hash = table.hash(first, rest, length);
      int before = table.get(hash, first, rest, length);
      if (Slots.length(before) <= Slots.length(entry)) {
        if (before == 0 && filter != null) {
          filter.addHash(hash);
        }
        table.put(hash, first, rest, entry);
      }
    }
  }

  /**
   * Removes a prefix.
   *
   * @param shorter the entry of the next shorter prefix of this level around it, 0 if there is none
   */
  void remove(long high, long low, int prefixLength, int shorter) {
    int count = expanded(prefixLength);
    for (int i = 0; i < count; i++) {
      long first = high | highOf(i, length);
      long rest = low | lowOf(i, length);
      long hash = slots.hash(first, rest, length);
      if (Slots.length(slots.get(hash, first, rest, length)) != prefixLength) {
        continue;
      }
      if (shorter != 0) {
        slots.put(hash, first, rest, shorter);
      } else {
        slots.remove(hash, first, rest, length);
        filter.removeHash(hash);
      }
    }
  }

  /** The first 64 bits of a number that ends where prefixes of a length do. */
  private static long highOf(int number, int length) {
    int shift = length <= Long.SIZE ? Long.SIZE - length : 2 * Long.SIZE - length;
    if (length <= Long.SIZE) {
      return (long) number << shift;
    }
    return shift == 0 ? 0 : (long) number >>> (Long.SIZE - shift);
  }

  /** The last 64 bits of a number that ends where prefixes of a length do. */
  private static long lowOf(int number, int length) {
    return length <= Long.SIZE ? 0 : (long) number << (2 * Long.SIZE - length);
  }
}
