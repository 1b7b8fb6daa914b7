package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Packed;
import io.bloomery.internal.bits.PackedLanes;
import io.bloomery.internal.bits.Words;

/**
 * The two buckets and the fingerprint of a hash in a cuckoo filter, and the loops that look for
 * one.
 *
 * <p>Design. A bucket is four lanes of 4…32 bits; bucket {@code b} has the lanes {@code 4b…4b+3} of
 * one {@link Packed} array, a lane of 0 is free. Buckets are packed without gaps, so most of them
 * span two words. A query reads each bucket as one 64-bit value. Up to 16 bits the table is an
 * array of bytes ({@link PackedLanes}): a bucket begins with a byte or, if the width is odd,
 * perhaps in the middle of one, and the 8 bytes from there on hold all of it, in one read that need
 * not be aligned. Wider lanes are compared two at a time; their table, a mapped one and one above 2
 * GB are words, and the value is always combined from two of them, because fewer instructions
 * matter more than fewer bytes. Therefore one zero word follows the last bucket. All four lanes are
 * compared at once, and both buckets are read before anything branches.
 *
 * <ul>
 *   <li>The first bucket is {@code ((hash >>> 1) · buckets) >>> 63}, by the high bits of the hash.
 *   <li>The fingerprint is {@code 1 + ((((hash · MULTIPLIER) >>> 32) · (2^width - 1)) >>> 32)}:
 *       every value but 0 is equally likely, whatever the bucket.
 *   <li>The offset of a fingerprint is the odd number {@code ((x · buckets) >>> 32) | 1} with
 *       {@code x = (fingerprint² · MULTIPLIER) >>> 32}. The other bucket is {@code (offset -
 *       bucket) mod buckets} or, in the classic scheme, {@code bucket ^ offset}. Both are their own
 *       inverse and, as the number of buckets is even and the offset odd, lead from even buckets to
 *       odd ones: a bucket is never its own partner. The square matters: a chain of moves in the
 *       first scheme adds differences of offsets, which without it would all be multiples of one
 *       number, and narrow fingerprints would reach few buckets (4 bits fill 2^18 buckets to 96 %
 *       with it, to 81 % without).
 * </ul>
 */
public final class CuckooProbes {

  /** Lanes of a bucket. */
  public static final int LANES = 4;

  /** Widest lanes of which four are compared at once. */
  private static final int NARROW = Long.SIZE / LANES;

  /** The largest table that a second-level cache may hold: 1 MB. */
  private static final long CACHED_WORDS = 1 << 17;

  private static final long MULTIPLIER = Mix.GOLDEN;

  private final long buckets;
  private final long twiceBuckets;
  private final boolean xor;
  private final int width;
  private final long values;
  private final int half;
  private final boolean odd;
  private final int groupBits;
  private final long lowest;
  private final long highest;

  /**
   * Probes of an even number of buckets, a power of two if {@code xor}, with fingerprints of 4…32
   * bits.
   */
  public CuckooProbes(long buckets, int width, boolean xor) {
    this.buckets = buckets;
    this.twiceBuckets = 2 * buckets;
    this.xor = xor;
    this.width = width;
    this.values = (1L << width) - 1;
    this.half = width >>> 1;
    this.odd = (width & 1) != 0;
    int lanes = width <= NARROW ? LANES : LANES / 2;
    this.groupBits = lanes * width;
    long ones = 0;
    for (int i = 0; i < lanes; i++) {
      ones |= 1L << (i * width);
    }
    this.lowest = ones;
    this.highest = ones << (width - 1);
  }

  /** How many words hold this many buckets, and the spare one. */
  public static long wordsFor(long buckets, int width) {
    return Words.wordsFor(LANES * buckets * width) + 1;
  }

  /** The first bucket of a hash. */
  public long bucket(long hash) {
    return Math.multiplyHigh(hash >>> 1, twiceBuckets);
  }

  /** The fingerprint of a hash, 1…2^width-1. */
  public long fingerprint(long hash) {
    return ((((hash * MULTIPLIER) >>> 32) * values) >>> 32) + 1;
  }

  /** The other bucket that a fingerprint may lie in. */
  public long other(long bucket, long fingerprint) {
    long offset = ((((fingerprint * fingerprint * MULTIPLIER) >>> 32) * buckets) >>> 32) | 1;
    if (xor) {
      return bucket ^ offset;
    }
    long other = offset - bucket;
    return other + (buckets & other >> 63);
  }

  /** Whether a table is best kept in bytes. */
  public boolean inBytes() {
    return width <= NARROW;
  }

  /** Whether one of the two buckets of a hash holds its fingerprint. */
  public boolean contains(long hash, PackedLanes table) {
    byte[] bytes = table.bytes();
    long fingerprint = fingerprint(hash);
    long one = bucket(hash);
    long two = other(one, fingerprint);
    long pattern = fingerprint * lowest;
    if (bytes == null) {
      return inWords(one, two, pattern, table.words());
    }
    return odd
        ? isIn(oddBucket(bytes, (int) one) ^ pattern, oddBucket(bytes, (int) two) ^ pattern)
        : isIn(evenBucket(bytes, (int) one) ^ pattern, evenBucket(bytes, (int) two) ^ pattern);
  }

  private boolean isIn(long first, long second) {
    return ((zeros(first) | zeros(second)) & highest) != 0;
  }

  private boolean inWords(long one, long two, long pattern, Words words) {
    if (width <= NARROW) {
      return isIn(group(words, one) ^ pattern, group(words, two) ^ pattern);
    }
    return isIn(group(words, 2 * one) ^ pattern, group(words, 2 * one + 1) ^ pattern)
        || isIn(group(words, 2 * two) ^ pattern, group(words, 2 * two + 1) ^ pattern);
  }

  /** The four lanes of a bucket, lowest first, below meaningless bits. */
  private long lanes(long bucket, PackedLanes table) {
    byte[] bytes = table.bytes();
    if (bytes == null) {
      return group(table.words(), bucket);
    }
    return odd ? oddBucket(bytes, (int) bucket) : evenBucket(bytes, (int) bucket);
  }

  private long evenBucket(byte[] bytes, int bucket) {
    return PackedLanes.read(bytes, bucket * half);
  }

  /** Every second bucket of an odd width begins 4 bits after a byte does. */
  private long oddBucket(byte[] bytes, int bucket) {
    return PackedLanes.read(bytes, bucket * half + (bucket >>> 1)) >>> (bucket << 2 & 4);
  }

  /**
   * Batch query as {@code HashedFilter.mightContainHashes}, 64 hashes at a time. In a large table a
   * first pass only reads a byte or word of each bucket: it is short, so that many cache misses
   * overlap. The second finds the lines in the cache. Neither branches on an answer.
   */
  public int contains(long[] hashes, int from, int to, long[] hits, PackedLanes table) {
    boolean large = table.words().length() > CACHED_WORDS;
    int total = 0;
    for (int start = from, at = 0; start < to; start += Long.SIZE, at++) {
      int end = Math.min(start + Long.SIZE, to);
      if (large) {
        touch(hashes, start, end, table, hits, at);
      }
      long answers = 0;
      for (int i = start; i < end; i++) {
        answers |= (contains(hashes[i], table) ? 1L : 0L) << (i - start);
      }
      hits[at] = answers;
      total += Long.bitCount(answers);
    }
    return total;
  }

  /**
   * Brings both buckets of some hashes into the cache, unless they lie in a mapped file. The words
   * read go to {@code sink[at]}, otherwise the reads would be dead code.
   */
  public void touch(long[] hashes, int from, int to, PackedLanes table, long[] sink, int at) {
    byte[] bytes = table.bytes();
    long[] heap = table.words().heap();
    long touched = 0;
    if (bytes != null) {
      for (int i = from; i < to; i++) {
        long hash = hashes[i];
        long one = bucket(hash);
        long two = other(one, fingerprint(hash));
        touched |= bytes[(int) ((one * width) >>> 1)] | bytes[(int) ((two * width) >>> 1)];
      }
    } else if (heap != null) {
      for (int i = from; i < to; i++) {
        long hash = hashes[i];
        long one = bucket(hash);
        long two = other(one, fingerprint(hash));
        touched |= heap[word(one)] | heap[word(two)];
      }
    }
    sink[at] = touched;
  }

  private int word(long bucket) {
    return Words.BASE + (int) ((bucket * ((long) LANES * width)) >>> 6);
  }

  /** The first lane of a bucket that holds a value, 0 for a free one, or -1. */
  public int find(long bucket, long value, PackedLanes table) {
    if (width <= NARROW) {
      return lane(lanes(bucket, table) ^ value * lowest);
    }
    int lane = lane(group(table.words(), 2 * bucket) ^ value * lowest);
    if (lane >= 0) {
      return lane;
    }
    lane = lane(group(table.words(), 2 * bucket + 1) ^ value * lowest);
    return lane < 0 ? -1 : lane + LANES / 2;
  }

  /** Puts a fingerprint into the emptier one of its buckets; false if both are full. */
  public boolean insert(long one, long two, long fingerprint, PackedLanes table) {
    if (width > NARROW) {
      return insertFirst(one, fingerprint, table) || insertFirst(two, fingerprint, table);
    }
    long freeOne = free(lanes(one, table));
    long freeTwo = free(lanes(two, table));
    boolean second = Long.bitCount(freeTwo) > Long.bitCount(freeOne);
    long free = second ? freeTwo : freeOne;
    if (free == 0) {
      return false;
    }
    int lane = Long.bitCount(highest & Long.lowestOneBit(free) - 1);
    set(second ? two : one, lane, fingerprint, table);
    return true;
  }

  private boolean insertFirst(long bucket, long fingerprint, PackedLanes table) {
    int lane = find(bucket, 0, table);
    if (lane >= 0) {
      set(bucket, lane, fingerprint, table);
    }
    return lane >= 0;
  }

  /** The highest bit of exactly those lanes that are zero. */
  private long free(long lanes) {
    long others = highest - lowest;
    return ~((lanes & others) + others | lanes) & highest;
  }

  /** How many lanes are not free. */
  public long count(PackedLanes table) {
    long taken = 0;
    for (long lane = 0; lane < LANES * buckets; lane++) {
      taken += table.get(width, lane) == 0 ? 0 : 1;
    }
    return taken;
  }

  /**
   * How many of the {@code buckets · (2^width - 1)} pairs of first bucket and fingerprint are
   * found: each fingerprint counts for its bucket and the other one, regardless of the number of
   * copies.
   */
  public long coveredPairs(PackedLanes table) {
    long covered = 0;
    for (long bucket = 0; bucket < buckets; bucket++) {
      for (int lane = 0; lane < LANES; lane++) {
        long fingerprint = get(bucket, lane, table);
        if (fingerprint != 0 && find(bucket, fingerprint, table) == lane) {
          covered += find(other(bucket, fingerprint), fingerprint, table) < 0 ? 2 : 1;
        }
      }
    }
    return covered;
  }

  /** The value in a lane of a bucket. */
  public long get(long bucket, int lane, PackedLanes table) {
    return table.get(width, LANES * bucket + lane);
  }

  /** Stores a value in a lane of a bucket. */
  public void set(long bucket, int lane, long value, PackedLanes table) {
    table.set(width, LANES * bucket + lane, value);
  }

  private int lane(long difference) {
    long found = zeros(difference) & highest;
    return found == 0 ? -1 : Long.bitCount(highest & Long.lowestOneBit(found) - 1);
  }

  /**
   * The highest bit of each lane that is zero, and of some lanes above the first such lane; other
   * bits are meaningless.
   */
  private long zeros(long lanes) {
    return lanes - lowest & ~lanes;
  }

  /** The lanes of a group in words, lowest first, below meaningless bits. */
  private long group(Words words, long group) {
    long[] heap = words.heap();
    long bit = group * groupBits;
    if (heap != null) {
      int at = Words.BASE + (int) (bit >>> 6);
      return heap[at] >>> bit | heap[at + 1] << 1 << ~bit;
    }
    return words.get(bit >>> 6) >>> bit | words.get((bit >>> 6) + 1) << 1 << ~bit;
  }
}
