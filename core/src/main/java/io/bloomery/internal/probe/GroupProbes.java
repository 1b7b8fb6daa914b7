package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.bits.Words;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a hash inside one group of 32, 64, 72, 128, 256 or 512 bits, and the loops that
 * test, raise and lower them. Counters have 2, 4, 8 or 16 bits.
 *
 * <p>Design. The group is chosen by the high product of the hash and the number of groups, {@code g
 * = ((hash >>> 1) · 2 · groups) >>> 64}. The counters are drawn with replacement. The first seven
 * begin at the bits {@code (x >>> 9·i) & (groupBits - width)} of the group, {@code x = hash ·
 * MULTIPLIER}; each further seven are taken alike from output 1, 2, … of {@link Mix#stream}. A
 * query is one multiplication for the place, one for the fields, and per counter two shifts, a load
 * from the one cache line, a mask and an addition whose carry says that the counter is not 0; three
 * counters are read before the first branch. Fields at fixed places save shifts by a variable,
 * which cost a move each.
 *
 * <p>Groups of 72 bits hold a number of counters that is not a power of two: counter {@code i} of a
 * hash is {@code (f·counters) >> 21}, {@code f} being field {@code i mod 3} of 21 bits, from the
 * bottom, of output {@code 1 + i/3} of the mixing stream. They and groups of 32 bits, which do not
 * fill whole words, take the plain loop.
 */
public final class GroupProbes {

  /** Output 1 of SplitMix64 from 0, which is odd. */
  private static final long MULTIPLIER = 0xE220A8397B1DCDAFL;

  private static final int FIELD_BITS = 9;
  private static final int FIELDS = 7;
  private static final int WIDE_FIELD_BITS = 21;
  private static final int WIDE_FIELDS = 3;
  private static final int GROUP = 3;

  private final long twiceGroups;
  private final int groupWords;
  private final int groupCounters;
  private final int width;
  private final int count;
  private final int offsets;
  private final int max;
  private final boolean plain;
  private final boolean multiplied;

  /**
   * Probes of {@code groups} groups of {@code groupBits} bits (32, 64, 72, 128, 256 or 512) with
   * counters of {@code width} bits (2, 4, 8 or 16), {@code count} of them for each hash.
   */
  public GroupProbes(long groups, int groupBits, int width, int count) {
    this.twiceGroups = 2 * groups;
    this.groupWords = groupBits / Long.SIZE;
    this.groupCounters = groupBits / width;
    this.width = width;
    this.count = count;
    this.offsets = groupBits - width;
    this.max = (1 << width) - 1;
    this.multiplied = Integer.bitCount(groupBits) != 1;
    this.plain = groupBits % Long.SIZE != 0 || count < GROUP || count > FIELDS;
  }

  /** Whether all counters of a hash are above 0. */
  public boolean allPositive(long hash, Counters counters) {
    long[] heap = heapCounters(counters);
    return heap == null ? allPositiveSlowly(hash, counters) : allPositive(hash, heap);
  }

  /** The array in which {@link #allPositive(long, long[])} looks; null if it cannot. */
  private long @Nullable [] heapCounters(Counters counters) {
    return plain ? null : counters.words().heap();
  }

  private boolean allPositive(long hash, long[] heap) {
    int first = Words.BASE + (int) Math.multiplyHigh(hash >>> 1, twiceGroups) * groupWords;
    long most = max;
    long x = hash * MULTIPLIER;
    long all =
        carry(x, heap, first)
            & carry(x >>> FIELD_BITS, heap, first)
            & carry(x >>> (2 * FIELD_BITS), heap, first);
    if (all <= most) {
      return false;
    }
    x >>>= 2 * FIELD_BITS;
    for (int i = GROUP; i < count; i++) {
      x >>>= FIELD_BITS;
      all &= carry(x, heap, first);
    }
    return all > most;
  }

  /** The counter of a field plus the highest value, which is more than that unless it is 0. */
  private long carry(long field, long[] heap, int first) {
    int a = (int) field & offsets;
    return (heap[first + (a >>> 6)] >>> a & max) + max;
  }

  /**
   * The batch form of {@link #allPositive(long, Counters)}, as {@code
   * HashedFilter.mightContainHashes}.
   */
  public int allPositive(long[] hashes, int from, int to, long[] hits, Counters counters) {
    int total = 0;
    for (int start = from, at = 0; start < to; start += Long.SIZE, at++) {
      total += allPositive(hashes, start, Math.min(start + Long.SIZE, to), hits, at, counters);
    }
    return total;
  }

  /**
   * Writes the answers for hashes {@code from…to-1}, at most 64, to one word of {@code hits};
   * returns how many are positive. In a filter larger than the cache a word of each group is read
   * first, so that the cache misses overlap.
   */
  public int allPositive(long[] hashes, int from, int to, long[] hits, int at, Counters counters) {
    long[] heap = heapCounters(counters);
    long answers = 0;
    if (heap == null) {
      for (int i = from; i < to; i++) {
        answers |= (allPositiveSlowly(hashes[i], counters) ? 1L : 0L) << i;
      }
    } else {
      if (heap.length > BlockProbes.CACHED_WORDS) {
        long read = 0;
        for (int i = from; i < to; i++) {
          read |= heap[Words.BASE + (int) group(hashes[i]) * groupWords];
        }
        hits[at] = read; // otherwise the reads would be dead code
      }
      for (int i = from; i < to; i++) {
        answers |= (allPositive(hashes[i], heap) ? 1L : 0L) << i;
      }
    }
    hits[at] = Long.rotateRight(answers, from);
    return Long.bitCount(answers);
  }

  private boolean allPositiveSlowly(long hash, Counters counters) {
    for (int i = 0; i < count; i++) {
      if (counters.get(index(hash, i)) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Adds 1 to every counter of a hash, as often as it occurs; true if one of them was 0. */
  public boolean increment(long hash, Counters counters) {
    boolean wasZero = false;
    if (plain) {
      for (int i = 0; i < count; i++) {
        wasZero |= counters.getAndAdd(index(hash, i), 1) == 0;
      }
      return wasZero;
    }
    long first = group(hash) * groupWords;
    long x = hash * MULTIPLIER;
    for (int i = 0; i < count; i++, x >>>= FIELD_BITS) {
      int a = (int) x & offsets;
      wasZero |= counters.getAndAdd(first + (a >>> 6), a & 63, 1) == 0;
    }
    return wasZero;
  }

  /** Subtracts 1 from every counter of a hash, as often as it occurs. */
  public void decrement(long hash, Counters counters) {
    if (plain) {
      for (int i = 0; i < count; i++) {
        counters.subtract(index(hash, i), 1);
      }
      return;
    }
    long first = group(hash) * groupWords;
    long x = hash * MULTIPLIER;
    for (int i = 0; i < count; i++, x >>>= FIELD_BITS) {
      int a = (int) x & offsets;
      counters.subtract(first + (a >>> 6), a & 63, 1);
    }
  }

  /** Counter {@code i} of a hash among those of all groups. */
  public long index(long hash, int i) {
    return group(hash) * groupCounters + inGroup(hash, i);
  }

  private long group(long hash) {
    return Math.multiplyHigh(hash >>> 1, twiceGroups);
  }

  private int inGroup(long hash, int i) {
    if (multiplied) {
      long field = Mix.stream(hash, 1 + i / WIDE_FIELDS) >>> (i % WIDE_FIELDS * WIDE_FIELD_BITS);
      return (int) (((field & ((1 << WIDE_FIELD_BITS) - 1)) * groupCounters) >>> WIDE_FIELD_BITS);
    }
    long output = i < FIELDS ? hash * MULTIPLIER : Mix.stream(hash, i / FIELDS);
    return ((int) (output >>> (i % FIELDS * FIELD_BITS)) & offsets) / width;
  }

  /** The share of hashes that find all their counters above 0 as they are. */
  public double coveredShare(Counters counters) {
    double sum = 0;
    for (long group = 0; group < counters.count(); group += groupCounters) {
      int positive = 0;
      for (int i = 0; i < groupCounters; i++) {
        positive += counters.get(group + i) != 0 ? 1 : 0;
      }
      sum += Math.pow((double) positive / groupCounters, count);
    }
    return sum * groupCounters / counters.count();
  }
}
