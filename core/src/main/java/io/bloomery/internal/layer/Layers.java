package io.bloomery.internal.layer;

import io.bloomery.internal.probe.BlockProbes;
import io.bloomery.internal.probe.PairProbes;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A list of layers, the newest last, that is queried as one filter: a hash is in it if it is in any
 * layer. Owners decide when to add, replace or drop a layer, and to which one they add keys.
 *
 * <p>Design. The list is an array that is never modified, only replaced, so a query reads it once
 * and needs no lock. A query goes from the newest layer, which in a filter that grows is the
 * largest and holds the most keys, to the oldest. Where all layers have blocks of one kind, it
 * computes the masks of a hash once for all of them. A batch goes layer by layer and drops hashes
 * already found, so that each layer's kernel can overlap its cache misses.
 *
 * <p>Threads: any number may query at any time, and see either the list before a change or the one
 * after it. Changes are mutually exclusive. A key that a thread puts into a layer while another
 * thread appends a new one stays where it is found, because the list only grows; in an owner that
 * drops layers, such a key may be lost with the layer.
 */
public final class Layers {

  /** Hashes of a batch that go through all layers together. */
  private static final int BATCH = 1024;

  private volatile State state;

  /** The list, and if all its layers have blocks of one kind, their kernels and their arrays. */
  private static final class State {
    private final Layer[] list;
    private final @Nullable BlockProbes blocks;
    private final long @Nullable [][] heaps;
    private final @Nullable PairProbes pairs;

    State(Layer[] list) {
      this.list = list;
      boolean alike = true;
      for (Layer layer : list) {
        alike &= layer.hasBlocksLike(list[0]);
      }
      blocks = list[0].blocks();
      heaps = alike ? heaps(list) : null;
      pairs = heaps == null ? null : list[0].pairs(heaps);
    }
  }

  private static long[][] heaps(Layer[] list) {
    long[][] heaps = new long[list.length][];
    for (int i = 0; i < list.length; i++) {
      heaps[i] = list[i].words().writable();
    }
    return heaps;
  }

  /** The layers, one or more, oldest first. */
  public Layers(Layer... layers) {
    state = new State(layers.clone());
  }

  /** The layers as they are, oldest first; not to be changed. */
  public Layer[] list() {
    return state.list;
  }

  /** The last layer of the list. */
  public Layer newest() {
    Layer[] layers = list();
    return layers[layers.length - 1];
  }

  /**
   * Appends the result of {@code next} for the newest layer, unless another thread has already
   * replaced {@code newest}; returns the newest layer.
   */
  public synchronized Layer append(Layer newest, UnaryOperator<Layer> next) {
    if (newest() == newest) {
      Layer[] longer = Arrays.copyOf(list(), list().length + 1);
      longer[longer.length - 1] = next.apply(newest);
      state = new State(longer);
    }
    return newest();
  }

  /**
   * Replaces the whole list by the result of {@code change}; leaves it unchanged if that throws.
   */
  public synchronized void change(UnaryOperator<Layer[]> change) {
    state = new State(change.apply(list().clone()));
  }

  /** Whether all bits of a hash are set in one of the layers. */
  @SuppressWarnings("NullAway") // layers with heaps have blocks
  public boolean anySet(long hash) {
    State now = state;
    if (now.pairs != null) {
      return now.pairs.anySet(hash);
    }
    return now.heaps != null ? now.blocks.anySet(hash, now.heaps) : anySet(hash, now.list);
  }

  private static boolean anySet(long hash, Layer[] layers) {
    for (int i = layers.length - 1; i >= 0; i--) {
      if (layers[i].allSet(hash)) {
        return true;
      }
    }
    return false;
  }

  /** The batch form of {@link #anySet(long)}, as in {@code HashedFilter}. */
  @SuppressWarnings("NullAway") // layers with heaps have blocks
  public int anySet(long[] hashes, int from, int to, long[] hits) {
    State now = state;
    Layer[] layers = now.list;
    if (layers.length == 1) {
      return layers[0].allSet(hashes, from, to, hits);
    }
    if (now.heaps != null) {
      return now.blocks.anySet(hashes, from, to, hits, now.heaps);
    }
    Arrays.fill(hits, 0, (to - from + Long.SIZE - 1) / Long.SIZE, 0);
    Rest rest = new Rest(Math.min(BATCH, to - from));
    int total = 0;
    for (int start = from; start < to; start += BATCH) {
      int count = Math.min(BATCH, to - start);
      rest.take(hashes, start, count);
      for (int i = layers.length - 1; i >= 0 && rest.left > 0; i--) {
        if (layers[i].allSet(rest.hashes, 0, rest.left, rest.found) > 0) {
          rest.drop(start - from, hits);
        }
      }
      total += count - rest.left;
    }
    return total;
  }

  /** The hashes of a batch not found in any layer so far, and where their answers go. */
  private static final class Rest {
    private final long[] hashes;
    private final int[] places;
    private final long[] found;
    private int left;

    Rest(int size) {
      hashes = new long[size];
      places = new int[size];
      found = new long[size / Long.SIZE + 1];
    }

    void take(long[] source, int from, int count) {
      System.arraycopy(source, from, hashes, 0, count);
      for (int i = 0; i < count; i++) {
        places[i] = i;
      }
      left = count;
    }

    /** Records the hashes that were found and keeps the others. */
    void drop(int offset, long[] hits) {
      int kept = 0;
      for (int i = 0; i < left; i++) {
        if ((found[i >>> 6] >>> i & 1) != 0) {
          int place = offset + places[i];
          hits[place >>> 6] |= 1L << place;
        } else {
          hashes[kept] = hashes[i];
          places[kept++] = places[i];
        }
      }
      left = kept;
    }
  }

  /** The probability that a uniform hash is found: 1 - ∏(1 - rate of a layer). */
  public double rate() {
    double none = 0;
    for (Layer layer : list()) {
      none += Math.log1p(-layer.rate());
    }
    return 0 - Math.expm1(none); // never -0
  }

  /** The share of bits that are set, or of counters above 0. Reads all layers. */
  public double fill() {
    long used = 0;
    for (Layer layer : list()) {
      used += layer.used();
    }
    return (double) used / sizeInBits();
  }

  /** How many bits, or counters, all layers have. */
  public long sizeInBits() {
    long bits = 0;
    for (Layer layer : list()) {
      bits += layer.shape().sizeInBits();
    }
    return bits;
  }
}
