package io.bloomery.internal.solve;

import io.bloomery.internal.bits.Words;
import io.bloomery.internal.numeric.RibbonLayout;
import io.bloomery.internal.probe.Mix;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Solves one layer of a {@link Ribbon} whose keys may be bumped. The buckets of a chunk come from
 * left to right, the keys of a bucket from right to left: keys that find no room are then at the
 * left end of their bucket, where the previous bucket has spilled over, and one threshold separates
 * those that stay (Dillinger, Hübschle-Schneider, Sanders and Walzer 2022, sec. 3).
 */
final class RibbonLayer {

  private final RibbonLayout.Layer layer;
  private final int columns;
  private final KeyPieces keys;
  private final boolean valued;
  private final int[] ends;
  private final int[] bumped;
  private final byte[] codes;
  private final AtomicInteger next = new AtomicInteger();

  /** A layer for the first {@code count} keys, which are sorted. */
  RibbonLayer(RibbonLayout.Layer layer, int columns, KeyPieces keys, int count) {
    this.columns = columns;
    this.layer = layer;
    this.keys = keys;
    this.valued = keys.hasValues();
    this.ends = new int[layer.chunks()];
    this.bumped = new int[layer.chunks()];
    this.codes = new byte[layer.segments() / 2];
    int start = 0;
    for (int chunk = 0; chunk < ends.length; chunk++) {
      start = firstBehind(chunk, start, count);
      ends[chunk] = start;
    }
  }

  /** The first key from {@code low} on that belongs to a later chunk. */
  private int firstBehind(int chunk, int low, int end) {
    int first = low;
    int high = end;
    while (first < high) {
      int middle = (first + high) >>> 1;
      if (Mix.reduce(keys.key(middle), layer.chunks()) > chunk) {
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
    int to = 0;
    int start = 0;
    for (int chunk = 0; chunk < ends.length; chunk++) {
      for (int i = 0; i < bumped[chunk]; i++) {
        keys.swap(to++, start + i);
      }
      start = ends[chunk];
    }
    return to;
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
    private long[] own = {};
    private int[] values = {};
    private int[] starts = {};
    private int[] taken = new int[2 * RibbonLayout.BUCKET];

    void solve(int chunk, Words words) {
      int first = chunk == 0 ? 0 : ends[chunk - 1];
      int size = ends[chunk] - first;
      banding.clear(layer.chunkSlots());
      read(first, size);
      int buckets = layer.chunkSlots() / RibbonLayout.BUCKET;
      int low = 0;
      int to = 0;
      for (int bucket = 0; bucket < buckets; bucket++) {
        int high = low;
        while (high < size && starts[high] < (bucket + 1) * RibbonLayout.BUCKET) {
          high++;
        }
        int code = addBucket(low, high, bucket * RibbonLayout.BUCKET);
        codes[chunk * buckets + bucket] = (byte) code;
        int stay = bucket * RibbonLayout.BUCKET + Ribbon.threshold(code);
        for (; low < high && starts[low] < stay; low++) {
          swap(to++, low);
        }
        low = high;
      }
      bumped[chunk] = to;
      keys.write(first, size, own, values);
      int segment = chunk * layer.chunkSegments();
      int at = layer.firstWord() + layer.wordsBefore(segment, columns);
      int split = Math.max(0, layer.narrow() - segment);
      banding.solve(words.writable(), Words.BASE + at, columns, split);
    }

    /** Copies the keys of a chunk and finds where their equations start. */
    private void read(int first, int size) {
      if (own.length < size) {
        int room = size + size / 16;
        own = new long[room];
        values = new int[valued ? room : 0];
        starts = new int[room];
      }
      keys.read(first, size, own, values);
      for (int i = 0; i < size; i++) {
        starts[i] = Ribbon.start(own[i], layer.chunks(), layer.starts());
      }
    }

    private void swap(int i, int j) {
      long key = own[i];
      own[i] = own[j];
      own[j] = key;
      if (valued) {
        int value = values[i];
        values[i] = values[j];
        values[j] = value;
      }
    }

    /** Adds as many keys of a bucket as possible; returns the code of its threshold. */
    private int addBucket(int low, int high, int slot) {
      if (taken.length < high - low) {
        taken = new int[high - low];
      }
      int i = high;
      for (int code = Ribbon.CODES - 1; code > 0; code--) {
        int least = slot + Ribbon.threshold(code - 1);
        int added = 0;
        for (; i > low && starts[i - 1] >= least; i--) {
          long key = own[i - 1];
          int value = valued ? values[i - 1] : Ribbon.fingerprint(key);
          int at = banding.add(starts[i - 1], Ribbon.coefficients(key), value);
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
