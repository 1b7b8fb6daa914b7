package io.bloomery.net.match;

import io.bloomery.FilterFullException;
import io.bloomery.hash.Hasher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;

/**
 * The prefixes of addresses of one version. Addresses and prefixes are 128 bits, of which those of
 * IPv4 use the first 32.
 *
 * <p>Lookups read {@link Lookup}; the prefixes as they were put are apart, for updates and files.
 * One thread updates at a time. What lookups read changes only under the write lock.
 */
final class Family {

  private static final int WIDE =
      Long.SIZE + 1; // prefixes from this length on have a table of their own
  private static final int LEAST_ARRAY = 8;
  private static final int SPARE = 64;

  /**
   * What a lookup does.
   *
   * @param missed the levels whose filter is asked in vain, a bit each, that of the longest first
   * @param probes how many hash tables it reads
   * @param isFound whether one of them has the answer
   */
  record Trace(int missed, int probes, boolean isFound) {}

  /**
   * What lookups read.
   *
   * @param levels the longest first
   * @param array for each beginning of addresses the entry of its prefix of up to {@code
   *     arrayBits}, and above it a mark for each level that may have longer ones; the third mark is
   *     of all further levels
   * @param pivots of IPv6: for the first 32 bits of addresses the levels beyond that may have
   *     longer prefixes, a bit each, and in the uppermost all further ones
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Lookup(Level[] levels, int[] array, int arrayBits, @Nullable Slots pivots) {

    private static final int MARKS_SHIFT = 29;
    private static final int MOST_MARKS = 3;
    private static final int ENTRY = (1 << MARKS_SHIFT) - 1;
    private static final int PIVOT = 32;

    int find(long high, long low) {
      int entry = array[place(high)];
      int marks = entry >>> MARKS_SHIFT;
      if (marks != 0) {
        int longer = longer(high);
        for (int i = 0; i < levels.length; i++) {
          if (isAsked(i, marks, longer)) {
            int found = levels[i].find(high, low);
            if (found != 0) {
              return found;
            }
          }
        }
      }
      return entry & ENTRY;
    }

    /** What {@link #find} does. */
    Trace trace(long high, long low) {
      int marks = array[place(high)] >>> MARKS_SHIFT;
      int longer = longer(high);
      int missed = 0;
      int probes = 0;
      boolean isFound = false;
      for (int i = 0; i < levels.length && !isFound; i++) {
        if (isAsked(i, marks, longer)) {
          isFound = levels[i].find(high, low) != 0;
          missed |= isFound ? 0 : 1 << i;
          probes += levels[i].isProbed(high, low) ? 1 : 0;
        }
      }
      return new Trace(missed, probes, isFound);
    }

    /** The levels beyond the pivot that may have prefixes of an address. */
    private int longer(long high) {
      if (pivots == null) {
        return -1;
      }
      long key = high & Level.highMask(PIVOT);
      return pivots.get(pivots.hash(key, 0, 0), key, 0, 0);
    }

    private boolean isAsked(int level, int marks, int longer) {
      return (marks & mark(level)) != 0
          && (levels[level].length() <= PIVOT || (longer & pivotBit(level)) != 0);
    }

    private int pivotBit(int level) {
      return 1 << Math.min(Integer.SIZE - 1, levels.length - 1 - level);
    }

    private int place(long high) {
      return (int) (high >>> (Long.SIZE - arrayBits));
    }

    private int mark(int level) {
      return 1 << Math.min(MOST_MARKS - 1, levels.length - 1 - level);
    }

    /** The place of the level of a length; -1 if it is in the array or beyond all levels. */
    int level(int length) {
      for (int i = 0; i < levels.length; i++) {
        if (length <= levels[i].length() && length > levels[i].below()) {
          return i;
        }
      }
      return -1;
    }

    /** Marks that a level has a prefix. */
    void mark(long high, int length, int level, int levelLength) {
      array[place(high)] |= mark(level) << MARKS_SHIFT;
      if (pivots == null || levelLength <= PIVOT) {
        return;
      }
      int count = 1 << Math.max(0, PIVOT - length);
      for (int i = 0; i < count; i++) {
        long key = (high & Level.highMask(PIVOT)) + ((long) i << PIVOT);
        long hash = pivots.hash(key, 0, 0);
        pivots.put(hash, key, 0, pivots.get(hash, key, 0, 0) | pivotBit(level));
      }
    }

    /** Whether the levels that exist have room for a prefix. */
    boolean hasRoom(int length) {
      int level = level(length);
      return level >= 0
          && levels[level].hasRoom(length)
          && (pivots == null || pivots.hasRoom(1 << LevelPlan.MOST_BITS));
    }

    /** Gives all places of a prefix in the array another entry, but those of longer prefixes. */
    void put(long high, int entry) {
      int length = Slots.length(entry);
      int from = place(high);
      int to = from + (1 << (arrayBits - length));
      for (int i = from; i < to; i++) {
        if (Slots.length(array[i] & ENTRY) <= length) {
          array[i] = (array[i] & ~ENTRY) | entry;
        }
      }
    }

    void remove(long high, int length, int shorter) {
      int from = place(high);
      int to = from + (1 << (arrayBits - length));
      for (int i = from; i < to; i++) {
        int entry = array[i] & ENTRY;
        if (entry != 0 && Slots.length(entry) == length) {
          array[i] = (array[i] & ~ENTRY) | shorter;
        }
      }
    }
  }

  private final int width;
  private final PrefixOptions options;
  private final StampedLock lock;
  private final Hasher hasher;
  private final Slots narrow; // up to 64 bits
  private final Slots wide;
  private final long[] counts;
  private volatile Lookup lookup;

  /** No prefixes of addresses of this many bits. */
  Family(int width, PrefixOptions options, StampedLock lock) {
    this.width = width;
    this.options = options;
    this.lock = lock;
    this.hasher = options.hasher();
    this.narrow = new Slots(hasher, Math.min(width, Long.SIZE), true, 0);
    this.wide = new Slots(hasher, 2 * Long.SIZE, true, 0);
    this.counts = new long[width + 1];
    this.lookup = new Lookup(new Level[0], new int[1 << LEAST_ARRAY], LEAST_ARRAY, null);
  }

  /** How many prefixes there are. */
  long prefixes() {
    return (long) narrow.used() + wide.used();
  }

  /** The entry of the longest prefix of an address; 0 if there is none. */
  int find(long high, long low) {
    return lookup.find(high, low);
  }

  /** What a lookup of this address does. */
  Trace trace(long high, long low) {
    return lookup.trace(high, low);
  }

  /** The entry of exactly this prefix; 0 if there is none. */
  int get(long high, long low, int length) {
    Slots all = originals(length);
    return all.get(all.hash(high, low, length), high, low, length);
  }

  private Slots originals(int length) {
    return length < WIDE ? narrow : wide;
  }

  /**
   * Notes a prefix without putting it where lookups find it, and returns its earlier entry.
   *
   * @throws FilterFullException if noted prefixes alone take too much memory
   */
  int note(long high, long low, int entry) {
    if (narrow.bytes() + wide.bytes() > options.maxBytes()) {
      throw tooLarge(narrow.bytes() + wide.bytes());
    }
    int length = Slots.length(entry);
    Slots all = originals(length);
    int before = all.put(all.hash(high, low, length), high, low, entry);
    counts[length] += before == 0 ? 1 : 0;
    return before;
  }

  int forget(long high, long low, int length) {
    Slots all = originals(length);
    int before = all.remove(all.hash(high, low, length), high, low, length);
    counts[length] -= before == 0 ? 0 : 1;
    return before;
  }

  /**
   * Puts a prefix and returns its earlier entry.
   *
   * @throws FilterFullException if it would need too much memory; nothing is changed then
   */
  int put(long high, long low, int entry) {
    int before = note(high, low, entry);
    int length = Slots.length(entry);
    Lookup now = lookup;
    int level = now.level(length);
    boolean isNew = before == 0 && length > now.arrayBits();
    if (isNew && !now.hasRoom(length)) {
      try {
        build(true);
      } catch (FilterFullException e) {
        forget(high, low, length);
        throw e;
      }
      return before;
    }
    long stamp = lock.writeLock();
    try {
      if (level < 0) {
        now.put(high, entry);
      } else {
        now.levels()[level].put(high, low, entry);
        now.mark(high, length, level, now.levels()[level].length());
      }
    } finally {
      lock.unlockWrite(stamp);
    }
    return before;
  }

  /** Removes a prefix and returns its entry, or 0. */
  int remove(long high, long low, int length) {
    int before = forget(high, low, length);
    if (before == 0) {
      return 0;
    }
    Lookup now = lookup;
    int level = now.level(length);
    int shorter = shorter(high, low, length, level < 0 ? -1 : now.levels()[level].below());
    long stamp = lock.writeLock();
    try {
      if (level < 0) {
        now.remove(high, length, shorter);
      } else {
        now.levels()[level].remove(high, low, length, shorter);
      }
    } finally {
      lock.unlockWrite(stamp);
    }
    return before;
  }

  /** The longest prefix around another one that is longer than {@code below}. */
  private int shorter(long high, long low, int length, int below) {
    for (int shorter = length - 1; shorter > below; shorter--) {
      if (counts[shorter] > 0) {
        int entry = get(high & Level.highMask(shorter), low & Level.lowMask(shorter), shorter);
        if (entry != 0) {
          return entry;
        }
      }
    }
    return 0;
  }

  /**
   * Makes what lookups read of all prefixes that were noted.
   *
   * @param growing whether more prefixes are expected: room is left for half as many, otherwise for
   *     an eighth
   */
  void build(boolean growing) {
    narrow.trim(growing);
    wide.trim(growing);
    int arrayBits =
        Math.min(
            options.arrayBits(),
            Math.max(LEAST_ARRAY, Long.SIZE + 1 - Long.numberOfLeadingZeros(prefixes())));
    int[] lengths = LevelPlan.lengths(counts, arrayBits, options.expansion());
    requireMemory(lengths, arrayBits, growing);
    Slots[] tables = new Slots[lengths.length];
    long[] entries = new long[lengths.length];
    int below = arrayBits;
    for (int i = 0; i < lengths.length; i++) {
      tables[i] = Level.table(hasher, lengths[i], expanded(below, lengths[i]));
      below = lengths[i];
    }
    Slots pivots = width > Lookup.PIVOT ? new Slots(hasher, Lookup.PIVOT, false, 0) : null;
    Lookup made = new Lookup(new Level[lengths.length], new int[1 << arrayBits], arrayBits, pivots);
    expand(narrow, made, lengths, tables);
    expand(wide, made, lengths, tables);
    if (pivots != null) {
      pivots.resize(withRoom(pivots.used(), growing) + (1 << LevelPlan.MOST_BITS));
    }
    for (int i = 0; i < lengths.length; i++) {
      entries[i] = withRoom(tables[i].used(), growing);
    }
    double[] rates = LevelPlan.rates(entries, options.bitsPerEntry());
    below = arrayBits;
    for (int i = 0; i < lengths.length; i++) {
      made.levels()[lengths.length - 1 - i] =
          new Level(lengths[i], below, tables[i], entries[i], rates[i], hasher);
      below = lengths[i];
    }
    long stamp = lock.writeLock();
    lookup = made;
    lock.unlockWrite(stamp);
  }

  private static void expand(Slots from, Lookup made, int[] lengths, Slots[] tables) {
    for (int slot = 0; slot < from.slots(); slot++) {
      int entry = from.entry(slot);
      int length = Slots.length(entry);
      if (entry != 0 && length <= made.arrayBits()) {
        made.put(from.high(slot), entry);
      } else if (entry != 0) {
        int found = Arrays.binarySearch(lengths, length);
        int level = found < 0 ? -1 - found : found;
        Level.expand(tables[level], lengths[level], from.high(slot), from.low(slot), entry);
        made.mark(from.high(slot), length, lengths.length - 1 - level, lengths[level]);
      }
    }
  }

  private static long withRoom(long entries, boolean growing) {
    return entries + entries / (growing ? 2 : 8) + SPARE;
  }

  /** The most entries that the prefixes of some lengths become at the last of them. */
  private long expanded(int below, int last) {
    long entries = 0;
    for (int length = below + 1; length <= last; length++) {
      entries += counts[length] << (last - length);
    }
    return entries;
  }

  private void requireMemory(int[] lengths, int arrayBits, boolean growing) {
    long bytes = (1L << arrayBits) * Integer.BYTES + narrow.bytes() + wide.bytes();
    int below = arrayBits;
    for (int length : lengths) {
      long entries = withRoom(expanded(below, length), growing);
      bytes += Slots.bytes(Level.keyBits(length), entries);
      bytes += (long) (entries * options.bitsPerEntry() * 4 / Byte.SIZE);
      bytes += length > Lookup.PIVOT ? Slots.bytes(Lookup.PIVOT, entries) : 0;
      below = length;
    }
    if (bytes > options.maxBytes()) {
      throw tooLarge(bytes);
    }
  }

  private FilterFullException tooLarge(long bytes) {
    return new FilterFullException(
        "%d prefixes of IPv%d need %d bytes; maxBytes allows %d"
            .formatted(prefixes(), width == 32 ? 4 : 6, bytes, options.maxBytes()));
  }

  /** The memory of everything. */
  long bytes() {
    Lookup now = lookup;
    long bytes = narrow.bytes() + wide.bytes() + (long) now.array().length * Integer.BYTES;
    for (Level level : now.levels()) {
      bytes += level.bytes();
    }
    return bytes + (now.pivots() == null ? 0 : now.pivots().bytes());
  }

  PrefixTable.Facts facts() {
    Lookup now = lookup;
    List<PrefixTable.Length> lengths = new ArrayList<>();
    for (Level level : now.levels()) {
      lengths.add(
          new PrefixTable.Length(
              level.length(), level.used(), level.filterBits(), level.falsePositiveRate()));
    }
    return new PrefixTable.Facts(prefixes(), now.arrayBits(), lengths, bytes());
  }

  /** Tables of all prefixes as they were put. */
  List<Slots> tables() {
    return List.of(narrow, wide);
  }
}
