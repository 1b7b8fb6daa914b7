package io.bloomery.deletable;

import io.bloomery.internal.bits.Words;
import io.bloomery.internal.probe.CuckooProbes;

/**
 * Makes room in one of two full buckets of a cuckoo filter: looks breadth first for the shortest
 * chain of fingerprints that can each move to their other bucket, the last of them to a free lane,
 * and moves them only when it has found one. Nothing has changed if there is none.
 */
final class CuckooPath {

  /** The most buckets that are looked at. */
  static final int LIMIT = 512;

  private static final int SEEN = 4 * LIMIT;

  private final CuckooProbes probes;
  private final Words words;

  // Entry i of the queue: a full bucket, and the entry and lane from which it was reached.
  private final long[] buckets = new long[LIMIT];
  private final int[] parents = new int[LIMIT];
  private final int[] lanes = new int[LIMIT];
  private int size;

  // The buckets of the queue, as a hash table; entries of an older search have another epoch.
  private final long[] seen = new long[SEEN];
  private long epoch;

  CuckooPath(CuckooProbes probes, Words words) {
    this.probes = probes;
    this.words = words;
  }

  /** Makes room for a fingerprint whose buckets are full and puts it there; false if none is. */
  boolean insert(long one, long two, long fingerprint) {
    size = 0;
    epoch += 1L << 32;
    push(one, -1, 0);
    push(two, -1, 0);
    for (int at = 0; at < size; at++) {
      long bucket = buckets[at];
      for (int lane = 0; lane < CuckooProbes.LANES; lane++) {
        long next = probes.other(bucket, probes.get(bucket, lane, words));
        int free = probes.find(next, 0, words);
        if (free >= 0) {
          move(at, lane, next, free, fingerprint);
          return true;
        }
        push(next, at, lane);
      }
    }
    return false;
  }

  private void push(long bucket, int parent, int lane) {
    if (size == LIMIT) {
      return;
    }
    long mark = epoch | bucket;
    int at = (int) (bucket & SEEN - 1);
    while (seen[at] >>> 32 == epoch >>> 32) {
      if (seen[at] == mark) {
        return;
      }
      at = at + 1 & SEEN - 1;
    }
    seen[at] = mark;
    buckets[size] = bucket;
    parents[size] = parent;
    lanes[size] = lane;
    size++;
  }

  /** Moves every fingerprint of the chain on by one, the last one first. */
  private void move(int end, int lastLane, long freeBucket, int freeLane, long fingerprint) {
    long bucket = freeBucket;
    int target = freeLane;
    int lane = lastLane;
    for (int at = end; at >= 0; at = parents[at]) {
      probes.set(bucket, target, probes.get(buckets[at], lane, words), words);
      bucket = buckets[at];
      target = lane;
      lane = lanes[at];
    }
    probes.set(bucket, target, fingerprint, words);
  }
}
