package io.bloomery.net.index;

import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.theory.ExcerptMath;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The keys of payloads: blocks, and aligned groups of blocks above them, each with its flow. Unlike
 * in the paper a key has no index of the block in its packet, which would make a query ask at each;
 * decision 056 gives the figures.
 */
final class PayloadKeys {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int BATCH = 1 << 8;

  private final Hasher hasher;
  private final int blockBytes;
  private final int levels;
  private final byte[] message;
  private final long[] batch = new long[BATCH];
  private int count;

  PayloadKeys(Hasher hasher, int blockBytes, int levels) {
    this.hasher = hasher;
    this.blockBytes = blockBytes;
    this.levels = levels;
    this.message = new byte[(blockBytes << (levels - 1)) + Long.BYTES];
  }

  /** Adds the keys of a payload; {@link #flush} adds the last of them. */
  void add(byte[] bytes, int from, int length, long flow, BloomFilter filter) {
    for (int level = 0; level < levels; level++) {
      int size = blockBytes << level;
      LONGS.set(message, size, flow);
      for (int i = 0; i + size <= length; i += size) {
        if (count == BATCH) {
          flush(filter);
        }
        batch[count++] = key(bytes, from + i, size);
      }
    }
  }

  void flush(BloomFilter filter) {
    filter.addHashes(batch, 0, count);
    count = 0;
  }

  /** The key of a block or group, behind which the flow is in the message already. */
  private long key(byte[] bytes, int from, int size) {
    System.arraycopy(bytes, from, message, 0, size);
    return hasher.hash(message, 0, size + Long.BYTES);
  }

  /** Whether a flow may have had an excerpt. */
  boolean mightContain(byte[] excerpt, long flow, BloomFilter filter) {
    for (int at = 0; at < blockBytes && at + blockBytes <= excerpt.length; at++) {
      for (int phase = 0; phase < 1 << (levels - 1); phase++) {
        if (isAt(excerpt, at, phase, flow, filter)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether all groups are there if the first whole block is the n-th of the largest group. */
  private boolean isAt(byte[] excerpt, int at, int phase, long flow, BloomFilter filter) {
    int blocks = (excerpt.length - at) / blockBytes;
    for (int level = 0; level < levels; level++) {
      int size = 1 << level;
      LONGS.set(message, size * blockBytes, flow);
      int first = -phase & (size - 1); // blocks before the first whole group
      for (int i = first; i + size <= blocks; i += size) {
        int from = at + i * blockBytes;
        if (!filter.mightContainHash(key(excerpt, from, size * blockBytes))) {
          return false;
        }
      }
    }
    return true;
  }

  /** The probability that an excerpt of random bytes is found in a flow that did not have it. */
  double rate(int excerptBytes, double lookupRate) {
    double logAbsent = 0;
    for (int at = 0; at < blockBytes && at + blockBytes <= excerptBytes; at++) {
      int blocks = (excerptBytes - at) / blockBytes;
      logAbsent += Math.log1p(-rate(0, 0, blocks, lookupRate));
    }
    return Math.abs(Math.expm1(logAbsent));
  }

  /**
   * The probability that the groups of a level and of those above it are found. Phases that are
   * equal up to a level ask for the same groups there.
   */
  private double rate(int level, int phase, long blocks, double lookupRate) {
    double here = Math.pow(lookupRate, (double) ExcerptMath.groups(level, phase, blocks));
    if (level == levels - 1) {
      return here;
    }
    double even = rate(level + 1, phase, blocks, lookupRate);
    double odd = rate(level + 1, phase + (1 << level), blocks, lookupRate);
    return here * (even + odd - even * odd);
  }
}
