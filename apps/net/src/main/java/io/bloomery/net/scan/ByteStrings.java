package io.bloomery.net.scan;

import io.bloomery.membership.BlockedBloomFilter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds byte strings in content. One small filter has the first bytes of all strings, four at a
 * time: if the shortest of four or more bytes has m, at most eight, one of m - 3 places is probed,
 * which meets each string once. Where that says so, the first four bytes of a string are looked up
 * at the places around, then its first eight; then the bytes behind are hashed, and the filter of
 * each length that is reached is read, one of prefixes at powers of two, which end the search where
 * no string begins so; a table decides.
 */
final class ByteStrings {

  static final int LEAST = 2;
  static final int MOST = 4096;

  private static final int SHORT = 4; // those below are found by their first two bytes
  private static final int LONG = 8; // those from here on also have a bit for so many
  private static final int FIRST_PREFIX = 16;
  private static final double RATE = 0.01;
  private static final int LEAST_BITS = 15; // of the number of bits
  private static final int MOST_BITS = 25;
  private static final int BITS_PER_STRING = 8; // the logarithm of 256
  private static final int BITS_PER_SAMPLE = 6;

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final ContentHash hash;
  private final ByteTable table;
  private final long @Nullable [] pairs; // a bit per first two bytes of the shortest; null if none
  private final int stride; // of probes; a string of four or more bytes is met by one of them
  private final int head; // how many bytes of a string the probes lie in
  private final long[] sampled; // a bit per four of these bytes
  private final int sampledShift;
  private final long[] first;
  private final int firstShift;
  private final int firstMultiplier;
  private final long[] second;
  private final int secondShift;
  private final long secondMultiplier;
  private final @Nullable BlockedBloomFilter[] lengths; // by length
  private final BlockedBloomFilter prefixes;
  private final boolean anyBelowLong;
  private final boolean anyLong;
  private final int longest;

  private int[] found = new int[16]; // number, place
  private int foundCount;
  private int open; // the first place whose search reached the end of the content

  ByteStrings(ByteTable table, ContentHash hash) {
    this.table = table;
    this.hash = hash;
    int size = table.size();
    int[] counts = new int[MOST + 1];
    long prefixCount = 0;
    for (int i = 0; i < size; i++) {
      int length = table.length(i);
      counts[length]++;
      for (int prefix = FIRST_PREFIX; prefix < length; prefix *= 2) {
        prefixCount++;
      }
    }
    int least = MOST;
    int most = 0;
    lengths = new BlockedBloomFilter[MOST + 1];
    for (int length = 0; length <= MOST; length++) {
      if (counts[length] > 0) {
        lengths[length] = hash.filter(counts[length], RATE);
        least = Math.min(least, length);
        most = length;
      }
    }
    longest = most;
    anyBelowLong = least < LONG && Arrays.stream(counts, SHORT, LONG).anyMatch(each -> each > 0);
    anyLong = most >= LONG;
    prefixes = hash.filter(Math.max(1, prefixCount), RATE);
    int met = LONG;
    for (int length = SHORT; length < LONG; length++) {
      met = counts[length] > 0 ? Math.min(met, length) : met;
    }
    head = met;
    stride = head - SHORT + 1;
    pairs = least < SHORT ? new long[1 << 10] : null;
    int sampledBits = bits((long) size * stride, BITS_PER_SAMPLE);
    sampled = new long[1 << (sampledBits - 6)];
    sampledShift = Integer.SIZE - sampledBits;
    int bits = bits(size, BITS_PER_STRING);
    first = new long[1 << (bits - 6)];
    firstShift = Integer.SIZE - bits;
    firstMultiplier = (int) hash.odd(1);
    second = new long[anyLong ? 1 << (bits - 6) : 1];
    secondShift = Long.SIZE - bits;
    secondMultiplier = hash.odd(2);
    for (int i = 0; i < size; i++) {
      add(table.get(i));
    }
  }

  /** The logarithm of the number of bits for so many entries. */
  private static int bits(long entries, int perEntry) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, entries)) + perEntry;
    return Math.min(MOST_BITS, Math.max(LEAST_BITS, bits));
  }

  private void add(byte[] string) {
    if (pairs != null && string.length < SHORT) {
      int pair = pair(string, 0);
      pairs[pair >>> 6] |= 1L << pair;
    } else {
      int bit = firstBit((int) INTS.get(string, 0));
      first[bit >>> 6] |= 1L << bit;
      for (int i = 0; i < stride; i++) {
        int sample = ((int) INTS.get(string, i) * firstMultiplier) >>> sampledShift;
        sampled[sample >>> 6] |= 1L << sample;
      }
    }
    if (string.length >= LONG) {
      int bit = secondBit((long) LONGS.get(string, 0));
      second[bit >>> 6] |= 1L << bit;
    }
    long rolling = 0;
    for (int i = 1; i <= string.length; i++) {
      rolling = hash.step(rolling, string[i - 1]);
      if (i < string.length && i >= FIRST_PREFIX && (i & (i - 1)) == 0) {
        prefixes.addHash(hash.finish(rolling, i));
      }
    }
    BlockedBloomFilter filter = lengths[string.length];
    if (filter != null) {
      filter.addHash(hash.finish(rolling, string.length));
    }
  }

  private int firstBit(int bytes) {
    return (bytes * firstMultiplier) >>> firstShift;
  }

  private int secondBit(long bytes) {
    return (int) ((bytes * secondMultiplier) >>> secondShift);
  }

  private static int pair(byte[] bytes, int at) {
    return (bytes[at] & 0xFF) << Byte.SIZE | (bytes[at + 1] & 0xFF);
  }

  /** The most bytes that a string has; 0 without strings. */
  int longest() {
    return longest;
  }

  /** How many occurrences the last scan found. */
  int found() {
    return foundCount;
  }

  /** The number of the string of an occurrence. */
  int number(int index) {
    return found[2 * index];
  }

  /** The place in the content where an occurrence begins. */
  int place(int index) {
    return found[2 * index + 1];
  }

  /**
   * Finds all occurrences that begin in {@code [from, starts)} and end in {@code (least, to]}.
   *
   * @return how many of the last bytes a longer string may begin with
   */
  int scan(byte[] content, int from, int starts, int to, int least) {
    foundCount = 0;
    open = to;
    if (longest == 0) {
      return 0;
    }
    int at = from;
    int whole = Math.min(starts, to - head + 1); // the first place with less than a head behind it
    int shift = sampledShift;
    int multiplier = firstMultiplier;
    long[] bits = sampled;
    for (int probe = at + stride - 1; at < whole; probe += stride) {
      int bit = ((int) INTS.get(content, probe) * multiplier) >>> shift;
      if (((bits[bit >>> 6] >>> bit) & 1) != 0) {
        each(content, at, Math.min(whole, probe + 1), to, least);
      }
      at = probe + 1;
    }
    each(content, Math.max(from, whole), Math.min(starts, to - SHORT + 1), to, least);
    if (pairs != null) {
      pairs(pairs, content, from, Math.min(starts, to - 1), to, least);
    }
    return to - Math.max(from, Math.min(open, to - Math.min(SHORT, longest) + 1));
  }

  private void each(byte[] content, int from, int last, int to, int least) {
    for (int at = from; at < last; at++) {
      int bit = firstBit((int) INTS.get(content, at));
      if (((first[bit >>> 6] >>> bit) & 1) != 0) {
        candidate(content, at, to, least);
      }
    }
  }

  private void pairs(long[] bits, byte[] content, int from, int last, int to, int least) {
    for (int at = from; at < last; at++) {
      int pair = pair(content, at);
      if (((bits[pair >>> 6] >>> pair) & 1) != 0) {
        walk(content, at, Math.min(to, at + SHORT - 1), least, LEAST);
      }
    }
  }

  private void candidate(byte[] content, int at, int to, int least) {
    int left = to - at;
    boolean mayBeLong = anyLong;
    if (anyLong && left >= LONG) {
      int bit = secondBit((long) LONGS.get(content, at));
      mayBeLong = ((second[bit >>> 6] >>> bit) & 1) != 0;
    }
    if (!mayBeLong && !anyBelowLong) {
      return;
    }
    int end = mayBeLong ? Math.min(to, at + longest) : Math.min(to, at + LONG - 1);
    boolean isOpen = walk(content, at, end, least, SHORT) && end == to;
    if (isOpen && left < (mayBeLong ? longest : LONG - 1)) {
      open = Math.min(open, at);
    }
  }

  /**
   * Looks up all strings that begin at a place; returns whether no prefix ruled longer ones out.
   */
  private boolean walk(byte[] content, int at, int end, int least, int lengthsFrom) {
    long rolling = 0;
    for (int i = at; i < end; i++) {
      rolling = hash.step(rolling, content[i]);
      int length = i + 1 - at;
      BlockedBloomFilter filter = lengths[length];
      boolean isPower = length >= FIRST_PREFIX && (length & (length - 1)) == 0;
      if (filter == null && !isPower) {
        continue;
      }
      long finished = hash.finish(rolling, length);
      if (filter != null
          && length >= lengthsFrom
          && i + 1 > least
          && filter.mightContainHash(finished)) {
        int number = table.find(content, at, length, finished);
        if (number >= 0) {
          note(number, at);
        }
      }
      if (isPower && !prefixes.mightContainHash(finished)) {
        return false;
      }
    }
    return true;
  }

  private void note(int number, int at) {
    if (2 * foundCount == found.length) {
      found = Arrays.copyOf(found, found.length * 2);
    }
    found[2 * foundCount] = number;
    found[2 * foundCount + 1] = at;
    foundCount++;
  }

  /** The memory of filters and table, about. */
  long memory() {
    long sum =
        table.memory() + 8L * (sampled.length + first.length + second.length + lengths.length);
    for (BlockedBloomFilter filter : lengths) {
      sum += filter == null ? 0 : filter.sizeInBits() / Byte.SIZE;
    }
    return sum + prefixes.sizeInBits() / Byte.SIZE;
  }
}
