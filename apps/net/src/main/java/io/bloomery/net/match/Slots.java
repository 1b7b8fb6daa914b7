package io.bloomery.net.match;

import io.bloomery.hash.Hasher;

/**
 * Prefixes of up to 32, 64 or 128 bits, each with an entry: its length in the upper 8 bits, and
 * below them the number of its value, from 1. Open addressing with linear probing in one array, at
 * most three quarters full; a removed prefix leaves no mark, since those behind it move up.
 *
 * <p>Lookups are allowed while another thread changes the table. They end and read within the
 * array, but their answer is meaningless; the caller notices the change.
 */
final class Slots {

  static final int LENGTH_SHIFT = 24;
  static final int MAX_ID = (1 << LENGTH_SHIFT) - 1;

  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final int LEAST = 8;

  private final Hasher hasher;
  private final int keyWords; // 1, 2 or 4
  private final boolean isExact; // prefixes of other lengths with the same bits are others
  private int[] words;
  private int slots;
  private int used;

  /**
   * An empty table.
   *
   * @param keyBits 32, 64 or 128
   * @param isExact whether prefixes with the same bits and other lengths are different keys
   * @param capacity how many prefixes fit before it grows
   */
  Slots(Hasher hasher, int keyBits, boolean isExact, long capacity) {
    this.hasher = hasher;
    this.keyWords = keyBits / Integer.SIZE;
    this.isExact = isExact;
    this.slots = slotsFor(capacity);
    this.words = new int[Math.multiplyExact(slots, keyWords + 1)];
  }

  private static int slotsFor(long capacity) {
    return Math.toIntExact(Math.max(LEAST, capacity + capacity / 3 + 1));
  }

  /** The memory of a table of this capacity. */
  static long bytes(int keyBits, long capacity) {
    return (keyBits / Integer.SIZE + 1L) * Integer.BYTES * (capacity + capacity / 3 + LEAST);
  }

  long bytes() {
    return (long) words.length * Integer.BYTES;
  }

  int used() {
    return used;
  }

  /** The length of the prefix of an entry. */
  static int length(int entry) {
    return entry >>> LENGTH_SHIFT;
  }

  /** The number of the value of an entry. */
  static int id(int entry) {
    return entry & MAX_ID;
  }

  long hash(long high, long low, int length) {
    long hash = keyWords < 4 ? hasher.hash(high) : hasher.hash(hasher.hash(high) ^ low);
    return isExact ? hash + length * MIX : hash;
  }

  /** The entry of a prefix, 0 if there is none; the length matters only if the table is exact. */
  int get(long hash, long high, long low, int length) {
    return words[place(hash, high, low, length) + keyWords];
  }

  /** Sets the entry of a prefix and returns the one it had before, or 0. */
  int put(long hash, long high, long low, int entry) {
    int at = place(hash, high, low, length(entry));
    int before = words[at + keyWords];
    if (before == 0) {
      if (used >= slots - slots / 4 - 1) {
        resize(used * 3L / 2 + LEAST);
        at = place(hash, high, low, length(entry));
      }
      used++;
      words[at] = (int) (high >>> Integer.SIZE);
      if (keyWords > 1) {
        words[at + 1] = (int) high;
      }
      if (keyWords > 2) {
        words[at + 2] = (int) (low >>> Integer.SIZE);
        words[at + 3] = (int) low;
      }
    }
    words[at + keyWords] = entry;
    return before;
  }

  /** Removes a prefix and returns the entry it had, or 0. */
  int remove(long hash, long high, long low, int length) {
    int stride = keyWords + 1;
    int hole = place(hash, high, low, length);
    int before = words[hole + keyWords];
    if (before == 0) {
      return 0;
    }
    used--;
    for (int at = next(hole); words[at + keyWords] != 0; at = next(at)) {
      int slot = at / stride;
      int wanted = start(hash(high(slot), low(slot), length(words[at + keyWords])));
      boolean isBehind = hole <= at ? wanted <= hole || wanted > at : wanted <= hole && wanted > at;
      if (isBehind) {
        System.arraycopy(words, at, words, hole, stride);
        hole = at;
      }
    }
    words[hole + keyWords] = 0;
    return before;
  }

  /** Gives back memory, but for some room if the table is growing. */
  void trim(boolean growing) {
    long room = used + (long) used / (growing ? 2 : 8) + LEAST;
    if (slotsFor(room) < slots) {
      resize(room);
    }
  }

  /** Whether some more prefixes fit before it grows. */
  boolean hasRoom(int more) {
    return used + more <= slots - slots / 4 - 1;
  }

  /** Makes room for this many prefixes in all. */
  void resize(long capacity) {
    Slots other = new Slots(hasher, keyWords * Integer.SIZE, isExact, capacity);
    for (int slot = 0; slot < slots; slot++) {
      int entry = entry(slot);
      if (entry != 0) {
        long high = high(slot);
        long low = low(slot);
        other.put(hash(high, low, length(entry)), high, low, entry);
      }
    }
    words = other.words;
    slots = other.slots;
  }

  /** The number of slots, of which each holds a prefix or none. */
  int slots() {
    return slots;
  }

  /** The entry of a slot; 0 if it is free. */
  int entry(int slot) {
    return words[slot * (keyWords + 1) + keyWords];
  }

  /** The first 64 bits of the prefix in a slot. */
  long high(int slot) {
    int at = slot * (keyWords + 1);
    long first = (long) words[at] << Integer.SIZE;
    return keyWords == 1 ? first : first | (words[at + 1] & 0xFFFFFFFFL);
  }

  /** The last 64 bits of the prefix in a slot. */
  long low(int slot) {
    int at = slot * (keyWords + 1);
    return keyWords < 4 ? 0 : (long) words[at + 2] << Integer.SIZE | (words[at + 3] & 0xFFFFFFFFL);
  }

  private int start(long hash) {
    long spread = (hash * MIX) >>> Integer.SIZE;
    return (int) ((spread * slots) >>> Integer.SIZE) * (keyWords + 1);
  }

  private int next(int at) {
    int next = at + keyWords + 1;
    return next == words.length ? 0 : next;
  }

  /** Where a prefix is, or the free slot where it belongs. */
  private int place(long hash, long high, long low, int length) {
    int at = start(hash);
    for (int left = slots; left > 0 && !isAt(at, high, low, length); left--) {
      at = next(at);
    }
    return at;
  }

  /** Whether a slot is free or holds this prefix. */
  private boolean isAt(int at, long high, long low, int length) {
    int entry = words[at + keyWords];
    if (entry == 0) {
      return true;
    }
    if (words[at] != (int) (high >>> Integer.SIZE) || (isExact && length(entry) != length)) {
      return false;
    }
    return keyWords == 1
        || (words[at + 1] == (int) high
            && (keyWords == 2
                || (words[at + 2] == (int) (low >>> Integer.SIZE) && words[at + 3] == (int) low)));
  }
}
