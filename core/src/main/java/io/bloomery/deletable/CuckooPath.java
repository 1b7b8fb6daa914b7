package io.bloomery.deletable;

import io.bloomery.internal.bits.PackedLanes;
import io.bloomery.internal.probe.CuckooProbes;
import java.util.Arrays;

/**
 * Makes room in one of two full buckets of a cuckoo filter: searches breadth first for the shortest
 * chain of fingerprints that can each move to their other bucket, the last of them to a free lane,
 * and moves them only once it has found one. If there is none, nothing has changed.
 */
final class CuckooPath {

  /** The most buckets that a search visits. */
  static final int LIMIT = 512;

  private static final int FIRST_SIZE = 16;

  private final CuckooProbes probes;
  private final PackedLanes table;
  private final int limit;

  // Entry i of the queue: a full bucket, and the entry and lane from which it was reached. The
  // arrays grow with the longest search so far, which stays short in small tables.
  private long[] buckets;
  private int[] parents;
  private int[] lanes;
  private int size;

  // The buckets of the queue, as a hash table; entries of an older search have another epoch.
  private long[] seen;
  private long epoch;

  CuckooPath(CuckooProbes probes, PackedLanes table, long buckets) {
    this.probes = probes;
    this.table = table;
    this.limit = (int) Math.min(LIMIT, buckets);
    resize(Math.min(FIRST_SIZE, limit));
  }

  private void resize(int entries) {
    buckets = buckets == null ? new long[entries] : Arrays.copyOf(buckets, entries);
    parents = parents == null ? new int[entries] : Arrays.copyOf(parents, entries);
    lanes = lanes == null ? new int[entries] : Arrays.copyOf(lanes, entries);
    seen = new long[Integer.highestOneBit(entries) << 2];
    for (int i = 0; i < size; i++) {
      seen[slot(buckets[i])] = epoch | buckets[i];
    }
  }

  /** Memory kept between searches. */
  long scratchBytes() {
    return (long) Long.BYTES * (buckets.length + seen.length)
        + (long) Integer.BYTES * (parents.length + lanes.length);
  }

  /**
   * Makes room for a fingerprint whose buckets are full and stores it; returns false if there is no
   * room.
   */
  boolean insert(long one, long two, long fingerprint) {
    size = 0;
    epoch += 1L << 32;
    push(one, -1, 0);
    push(two, -1, 0);
    for (int at = 0; at < size; at++) {
      long bucket = buckets[at];
      for (int lane = 0; lane < CuckooProbes.LANES; lane++) {
        long next = probes.other(bucket, probes.get(bucket, lane, table));
        int free = probes.find(next, 0, table);
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
    if (size == limit || seen[slot(bucket)] == (epoch | bucket)) {
      return;
    }
    if (size == buckets.length) {
      resize(Math.min(limit, 2 * size));
    }
    seen[slot(bucket)] = epoch | bucket;
    buckets[size] = bucket;
    parents[size] = parent;
    lanes[size] = lane;
    size++;
  }

  /** Where a bucket is in the table of this search, or where it belongs. */
  private int slot(long bucket) {
    int at = (int) bucket & seen.length - 1;
    while (seen[at] >>> 32 == epoch >>> 32 && seen[at] != (epoch | bucket)) {
      at = at + 1 & seen.length - 1;
    }
    return at;
  }

  /** Moves every fingerprint of the chain on by one, the last one first. */
  private void move(int end, int lastLane, long freeBucket, int freeLane, long fingerprint) {
    long bucket = freeBucket;
    int target = freeLane;
    int lane = lastLane;
    for (int at = end; at >= 0; at = parents[at]) {
      probes.set(bucket, target, probes.get(buckets[at], lane, table), table);
      bucket = buckets[at];
      target = lane;
      lane = lanes[at];
    }
    probes.set(bucket, target, fingerprint, table);
  }
}
