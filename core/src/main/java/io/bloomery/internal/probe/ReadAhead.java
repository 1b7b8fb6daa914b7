package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Words;

/**
 * Batches of scattered bits in an array that is larger than the cache: the positions of many hashes
 * are computed first, then all their words are read. A loop that only reads overlaps some fifty
 * reads; if each waits for its multiplications, the processor overlaps only a third of them.
 *
 * <p>First come three positions of all hashes, then four at a time of the remaining hashes. See
 * decision 025 for measurements. The scratch of at most 9 KB belongs to one call.
 */
final class ReadAhead {

  private static final int HASHES = 256;
  private static final int FIRST = 3;
  private static final int NEXT = 4;

  private final long[] heap;
  private final long bits;
  private final int count;

  /** The remaining hashes of a group, by their index in the batch. */
  private final int[] left;

  /** Positions, then their words with the bit lowest. */
  private final long[] places;

  /**
   * For {@code count} positions of {@link Powers} in an array laid out as {@code Words.heap}, and a
   * call with this many hashes.
   */
  ReadAhead(long[] heap, long bits, int count, int hashes) {
    this.heap = heap;
    this.bits = bits;
    this.count = count;
    int room = Math.min(HASHES, hashes);
    this.left = new int[room];
    this.places = new long[room * NEXT];
  }

  /** As {@code HashedFilter.mightContainHashes}; {@code hits} is zeroed. */
  int allSet(long[] hashes, int from, int to, long[] hits) {
    int total = 0;
    for (int start = from; start < to; start += HASHES) {
      int size = Math.min(HASHES, to - start);
      for (int i = 0; i < size; i++) {
        left[i] = start + i;
      }
      int step = Math.min(FIRST, count);
      for (int done = 0; done < count; done += step, step = Math.min(NEXT, count - done)) {
        locate(hashes, size, done, step);
        read(size * step);
        size = keep(size, step);
      }
      for (int i = 0; i < size; i++) {
        int hit = left[i] - from;
        hits[hit >>> 6] |= 1L << hit;
      }
      total += size;
    }
    return total;
  }

  /** Sets the positions of hashes, atomically if the words are shared; true if one was 0. */
  boolean setAll(long[] hashes, int from, int to, Words store) {
    boolean shared = store.isShared();
    boolean changed = false;
    for (int start = from; start < to; start += HASHES) {
      int size = Math.min(HASHES, to - start);
      for (int i = 0; i < size; i++) {
        left[i] = start + i;
      }
      int step;
      for (int done = 0; done < count; done += step) {
        step = Math.min(NEXT, count - done);
        locate(hashes, size, done, step);
        changed |= shared ? setShared(missing(size * step), store) : set(size * step);
      }
    }
    return changed;
  }

  private boolean set(int size) {
    long[] words = heap;
    long zeros = 0;
    for (int i = 0; i < size; i++) {
      long bit = places[i];
      int at = Powers.word(bit);
      long old = words[at];
      words[at] = old | 1L << bit;
      zeros |= ~old >>> bit;
    }
    return (zeros & 1) != 0;
  }

  /** Keeps those positions that are 0; returns their number. */
  private int missing(int size) {
    long[] words = heap;
    int kept = 0;
    for (int i = 0; i < size; i++) {
      long bit = places[i];
      places[kept] = bit;
      kept += (int) (~words[Powers.word(bit)] >>> bit & 1);
    }
    return kept;
  }

  private boolean setShared(int size, Words store) {
    boolean changed = false;
    for (int i = 0; i < size; i++) {
      changed |= store.setBit(places[i]);
    }
    return changed;
  }

  /** Computes {@code step} positions, after the first {@code done}, of the remaining hashes. */
  private void locate(long[] hashes, int size, int done, int step) {
    long power = done == 0 ? 1 : Powers.powerOf(done - 1);
    long n = bits;
    int at = 0;
    if (step == FIRST) {
      for (int i = 0; i < size; i++, at += FIRST) {
        long a = hashes[left[i]] * power;
        places[at] = Powers.high(a * Powers.C1, n);
        places[at + 1] = Powers.high(a * Powers.C2, n);
        places[at + 2] = Powers.high(a * Powers.C3, n);
      }
    } else if (step == NEXT) {
      for (int i = 0; i < size; i++, at += NEXT) {
        long a = hashes[left[i]] * power;
        places[at] = Powers.high(a * Powers.C1, n);
        places[at + 1] = Powers.high(a * Powers.C2, n);
        places[at + 2] = Powers.high(a * Powers.C3, n);
        places[at + 3] = Powers.high(a * Powers.C4, n);
      }
    } else {
      for (int i = 0; i < size; i++) {
        long a = hashes[left[i]] * power;
        for (int j = 0; j < step; j++) {
          a *= Powers.C1;
          places[at++] = Powers.high(a, n);
        }
      }
    }
  }

  private void read(int size) {
    long[] words = heap;
    for (int i = 0; i < size; i++) {
      long bit = places[i];
      places[i] = words[Powers.word(bit)] >>> bit;
    }
  }

  /** Keeps those hashes whose {@code step} positions are set; returns their number. */
  private int keep(int size, int step) {
    int kept = 0;
    int at = 0;
    for (int i = 0; i < size; i++) {
      long all = places[at];
      for (int j = 1; j < step; j++) {
        all &= places[at + j];
      }
      at += step;
      left[kept] = left[i];
      kept += (int) (all & 1);
    }
    return kept;
  }
}
