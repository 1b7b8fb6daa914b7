package io.bloomery.tools.measure;

import io.bloomery.HashedFilter;
import io.bloomery.tools.spill.HashStore;

/**
 * Hashes of synthetic keys: a reproducible sequence of distinct 64-bit numbers (SplitMix64 of
 * Steele, Lea and Flood, which is a bijection of its counter).
 */
public final class RandomHashes {

  /** The sequence for keys that are added. */
  public static final int MEMBERS = 1;

  /** The sequence for keys that are looked up but never added. */
  public static final int OTHERS = 2;

  private static final int BATCH = 4096;

  private long counter;

  /** The sequence with a number; different sequences are disjoint for 2^56 hashes. */
  public RandomHashes(int sequence) {
    this.counter = (long) sequence << 56;
  }

  /** The next {@code count} hashes. */
  public void next(long[] hashes, int count) {
    for (int i = 0; i < count; i++) {
      long z = counter++ * 0x9E3779B97F4A7C15L;
      z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
      z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
      hashes[i] = z ^ (z >>> 31);
    }
  }

  /** Passes the first {@code count} members to {@code target}. */
  public static void members(long count, HashStore.Target target) {
    RandomHashes members = new RandomHashes(MEMBERS);
    long[] hashes = new long[BATCH];
    for (long done = 0; done < count; done += BATCH) {
      int size = (int) Math.min(BATCH, count - done);
      members.next(hashes, size);
      target.add(hashes, 0, size);
    }
  }

  /** How many of the next {@code count} hashes a filter reports as present. */
  public long hits(HashedFilter filter, long count) {
    long[] hashes = new long[BATCH];
    long[] answers = new long[BATCH / Long.SIZE];
    long hits = 0;
    for (long done = 0; done < count; done += BATCH) {
      int size = (int) Math.min(BATCH, count - done);
      next(hashes, size);
      hits += filter.mightContainHashes(hashes, 0, size, answers);
    }
    return hits;
  }
}
