package io.bloomery.internal.solve;

import io.bloomery.internal.bits.Words;
import io.bloomery.internal.numeric.RibbonLayout;
import io.bloomery.internal.probe.Mix;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Solves one layer of a {@link Ribbon} whose keys may be bumped. The buckets of a chunk come from
 * left to right, the keys of a bucket from right to left: what finds no room then lies at the left
 * end of its bucket, where the bucket before has spilled over, and one threshold says what stays
 * (Dillinger, Hübschle-Schneider, Sanders and Walzer 2022, sec. 3).
 */
final class RibbonLayer {

  private final RibbonLayout.Layer layer;
  private final int columns;
  private final long[] keys;
  private final int[] values;
  private final int from;
  private final int[] ends;
  private final int[] bumped;
  private final byte[] codes;
  private final AtomicInteger next = new AtomicInteger();

  /** A layer for {@code count} sorted keys from {@code from} on; {@code values} may be null. */
  RibbonLayer(
      RibbonLayout.Layer layer, int columns, long[] keys, int[] values, int from, int count) {
    this.columns = columns;
    this.layer = layer;
    this.keys = keys;
    this.values = values;
    this.from = from;
    this.ends = new int[layer.chunks()];
    this.bumped = new int[layer.chunks()];
    this.codes = new byte[layer.segments() / 2];
    int start = from;
    for (int chunk = 0; chunk < ends.length; chunk++) {
      start = firstBehind(chunk, start, from + count);
      ends[chunk] = start;
    }
  }

  /** The first key from {@code low} on that belongs to a later chunk. */
  private int firstBehind(int chunk, int low, int end) {
    int first = low;
    int high = end;
    while (first < high) {
      int middle = (first + high) >>> 1;
      if (Mix.reduce(keys[middle], layer.chunks()) > chunk) {
        high = middle;
      } else {
        first = middle + 1;
      }
    }
    return first;
  }

  /** Writes the solution; returns how many keys were bumped, which now come first. */
  int solve(Words words, int threads) {
    CompletableFuture<?>[] helpers = new CompletableFuture<?>[Math.min(threads, ends.length) - 1];
    for (int i = 0; i < helpers.length; i++) {
      helpers[i] =
          CompletableFuture.runAsync(
              () -> solveChunks(words), task -> new Thread(task, "ribbon").start());
    }
    solveChunks(words);
    CompletableFuture.allOf(helpers).join();
    long[] heap = words.writable();
    for (int i = 0; i < codes.length; i++) {
      heap[Words.BASE + layer.thresholds() + (i >>> 5)] |= (long) codes[i] << (2 * i);
    }
    return collectBumped();
  }

  private int collectBumped() {
    int to = from;
    int start = from;
    for (int chunk = 0; chunk < ends.length; chunk++) {
      System.arraycopy(keys, start, keys, to, bumped[chunk]);
      if (values != null) {
        System.arraycopy(values, start, values, to, bumped[chunk]);
      }
      to += bumped[chunk];
      start = ends[chunk];
    }
    return to - from;
  }

  private void solveChunks(Words words) {
    Chunk chunk = new Chunk();
    int i;
    while ((i = next.getAndIncrement()) < ends.length) {
      chunk.solve(i, words);
    }
  }

  /** What one thread needs to solve chunks one by one. */
  private final class Chunk {

    private final Banding banding = new Banding(layer.chunkSlots(), Long.SIZE);
    private int[] starts = new int[layer.chunkSlots() + layer.chunkSlots() / 16];
    private int[] taken = new int[2 * RibbonLayout.BUCKET];

    void solve(int chunk, Words words) {
      int first = chunk == 0 ? from : ends[chunk - 1];
      int end = ends[chunk];
      banding.clear(layer.chunkSlots());
      findStarts(first, end);
      int buckets = layer.chunkSlots() / RibbonLayout.BUCKET;
      int low = first;
      int to = first;
      for (int bucket = 0; bucket < buckets; bucket++) {
        int high = low;
        while (high < end && starts[high - first] < (bucket + 1) * RibbonLayout.BUCKET) {
          high++;
        }
        int code = addBucket(first, low, high, bucket * RibbonLayout.BUCKET);
        codes[chunk * buckets + bucket] = (byte) code;
        int stay = bucket * RibbonLayout.BUCKET + Ribbon.threshold(code);
        for (; low < high && starts[low - first] < stay; low++) {
          keys[to] = keys[low];
          if (values != null) {
            values[to] = values[low];
          }
          to++;
        }
        low = high;
      }
      bumped[chunk] = to - first;
      int segment = chunk * layer.chunkSegments();
      int at = layer.firstWord() + layer.wordsBefore(segment, columns);
      int split = Math.max(0, layer.narrow() - segment);
      banding.solve(words.writable(), Words.BASE + at, columns, split);
    }

    private void findStarts(int first, int end) {
      if (starts.length < end - first) {
        starts = new int[end - first];
      }
      for (int i = first; i < end; i++) {
        starts[i - first] = Ribbon.start(keys[i], layer.chunks(), layer.starts());
      }
    }

    /** Adds as many keys of a bucket as possible; returns the code of its threshold. */
    private int addBucket(int first, int low, int high, int slot) {
      if (taken.length < high - low) {
        taken = new int[high - low];
      }
      int i = high;
      for (int code = Ribbon.CODES - 1; code > 0; code--) {
        int least = slot + Ribbon.threshold(code - 1);
        int added = 0;
        for (; i > low && starts[i - 1 - first] >= least; i--) {
          long key = keys[i - 1];
          int value = values == null ? Ribbon.fingerprint(key) : values[i - 1];
          int at = banding.add(starts[i - 1 - first], Ribbon.coefficients(key), value);
          if (at == Banding.CONTRADICTION) {
            while (added > 0) {
              banding.remove(taken[--added]);
            }
            return code;
          }
          if (at != Banding.REDUNDANT) {
            taken[added++] = at;
          }
        }
      }
      return 0;
    }
  }
}
