package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Packed;
import io.bloomery.internal.bits.Words;

/**
 * The two buckets and the fingerprint of a hash in a cuckoo filter, and the loops that look for
 * one.
 *
 * <p>Design. A bucket is four lanes of 4…32 bits; bucket {@code b} has the lanes {@code 4b…4b+3} of
 * one {@link Packed} array, a lane of 0 is free. Buckets lie without gaps, so most of them span two
 * words. A query reads each bucket as one 64-bit value, put together from the word in which it
 * begins and the next one, needed or not, because few instructions count for more than few bytes;
 * hence one spare word of zero after the last bucket. All four lanes are compared at once, and both
 * buckets are read before anything branches. Lanes of more than 16 bits are compared two at a time.
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

  private static final long MULTIPLIER = Mix.GOLDEN;

  private final long buckets;
  private final long twiceBuckets;
  private final boolean xor;
  private final int width;
  private final long values;
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
    int lanes = width <= NARROW ? LANES : LANES / 2;
    this.groupBits = lanes * width;
    long ones = 0;
    for (int i = 0; i < lanes; i++) {
      ones |= 1L << (i * width);
    }
    this.lowest = ones;
    this.highest = ones << (width - 1);
  }

  /** How many words hold so many buckets, and the spare one. */
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

  /** Whether one of the two buckets of a hash holds its fingerprint. */
  public boolean contains(long hash, Words words) {
    long[] heap = words.heap();
    long fingerprint = fingerprint(hash);
    long one = bucket(hash);
    long two = other(one, fingerprint);
    if (heap == null || width > NARROW) {
      return find(one, fingerprint, words) >= 0 || find(two, fingerprint, words) >= 0;
    }
    long pattern = fingerprint * lowest;
    return ((zeros(group(heap, one) ^ pattern) | zeros(group(heap, two) ^ pattern)) & highest) != 0;
  }

  /**
   * Batch query as {@code HashedFilter.mightContainHashes}, 64 hashes at a time. The first pass
   * only reads a word of each bucket: it is short, so that many cache misses are under way at once.
   * The second finds the lines in the cache. Neither branches on an answer.
   */
  public int contains(long[] hashes, int from, int to, long[] hits, Words words) {
    long[] heap = words.heap();
    int total = 0;
    for (int start = from, at = 0; start < to; start += Long.SIZE, at++) {
      int end = Math.min(start + Long.SIZE, to);
      if (heap != null) {
        touch(hashes, start, end, heap, hits, at);
      }
      long answers = 0;
      for (int i = start; i < end; i++) {
        answers |= (contains(hashes[i], words) ? 1L : 0L) << (i - start);
      }
      hits[at] = answers;
      total += Long.bitCount(answers);
    }
    return total;
  }

  /**
   * Brings both buckets of some hashes into the cache. What it read goes to {@code sink[at]},
   * otherwise the reads would be dead code.
   */
  public void touch(long[] hashes, int from, int to, long[] heap, long[] sink, int at) {
    long touched = 0;
    for (int i = from; i < to; i++) {
      long hash = hashes[i];
      long one = bucket(hash);
      long two = other(one, fingerprint(hash));
      touched |= heap[word(one)] | heap[word(two)];
    }
    sink[at] = touched;
  }

  private int word(long bucket) {
    return Words.BASE + (int) ((bucket * ((long) LANES * width)) >>> 6);
  }

  /** The first lane of a bucket that holds a value, 0 for a free one, or -1. */
  public int find(long bucket, long value, Words words) {
    if (width <= NARROW) {
      return lane(group(words, bucket) ^ value * lowest);
    }
    int lane = lane(group(words, 2 * bucket) ^ value * lowest);
    if (lane >= 0) {
      return lane;
    }
    lane = lane(group(words, 2 * bucket + 1) ^ value * lowest);
    return lane < 0 ? -1 : lane + LANES / 2;
  }

  /** Puts a fingerprint into the emptier one of its buckets; false if both are full. */
  public boolean insert(long one, long two, long fingerprint, Words words) {
    if (width > NARROW) {
      return insertFirst(one, fingerprint, words) || insertFirst(two, fingerprint, words);
    }
    long freeOne = free(group(words.heap(), one));
    long freeTwo = free(group(words.heap(), two));
    boolean second = Long.bitCount(freeTwo) > Long.bitCount(freeOne);
    long free = second ? freeTwo : freeOne;
    if (free == 0) {
      return false;
    }
    int lane = Long.bitCount(highest & Long.lowestOneBit(free) - 1);
    set(second ? two : one, lane, fingerprint, words);
    return true;
  }

  private boolean insertFirst(long bucket, long fingerprint, Words words) {
    int lane = find(bucket, 0, words);
    if (lane >= 0) {
      set(bucket, lane, fingerprint, words);
    }
    return lane >= 0;
  }

  /** The highest bit of exactly those lanes that are zero. */
  private long free(long lanes) {
    long others = highest - lowest;
    return ~((lanes & others) + others | lanes) & highest;
  }

  /** How many lanes are not free. */
  public long count(Words words) {
    long taken = 0;
    for (long lane = 0; lane < LANES * buckets; lane++) {
      taken += Packed.get(words, width, lane) == 0 ? 0 : 1;
    }
    return taken;
  }

  /**
   * How many of the {@code buckets · (2^width - 1)} pairs of first bucket and fingerprint are
   * found: each fingerprint answers for its bucket and the other one, however many copies there
   * are.
   */
  public long coveredPairs(Words words) {
    long covered = 0;
    for (long bucket = 0; bucket < buckets; bucket++) {
      for (int lane = 0; lane < LANES; lane++) {
        long fingerprint = get(bucket, lane, words);
        if (fingerprint != 0 && find(bucket, fingerprint, words) == lane) {
          covered += find(other(bucket, fingerprint), fingerprint, words) < 0 ? 2 : 1;
        }
      }
    }
    return covered;
  }

  /** What lies in a lane of a bucket. */
  public long get(long bucket, int lane, Words words) {
    return Packed.get(words, width, LANES * bucket + lane);
  }

  /** Puts a value into a lane of a bucket. */
  public void set(long bucket, int lane, long value, Words words) {
    Packed.set(words, width, LANES * bucket + lane, value);
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

  /** The lanes of a group, lowest first, below meaningless bits. */
  private long group(long[] heap, long group) {
    long bit = group * groupBits;
    int at = Words.BASE + (int) (bit >>> 6);
    return heap[at] >>> bit | heap[at + 1] << 1 << ~bit;
  }

  private long group(Words words, long group) {
    long[] heap = words.heap();
    if (heap != null) {
      return group(heap, group);
    }
    long bit = group * groupBits;
    return words.get(bit >>> 6) >>> bit | words.get((bit >>> 6) + 1) << 1 << ~bit;
  }
}
