package io.bloomery.internal.solve;

import io.bloomery.ConstructionException;
import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.numeric.RibbonLayout;
import io.bloomery.internal.probe.Mix;

/**
 * Builds a {@link Ribbon}: layer by layer, and the chunks of a layer on several threads. Beside the
 * hashes, which stay as they are, and the words that result, it takes 8 bytes per key (12 with
 * values) and per thread about 1.5 MB.
 */
final class RibbonBuild {

  private final KeyHashes hashes;
  private final int[] values;
  private final long seed;
  private final int threads;
  private final SolveProgress progress;

  // The mixed keys of the present layer and their values: from at on, count of them.
  private long[] keys;
  private int[] keyValues;
  private int at;
  private int count;

  RibbonBuild(KeyHashes hashes, int[] values, long seed, int threads, SolveProgress progress) {
    this.hashes = hashes;
    this.values = values;
    this.seed = seed;
    this.threads = threads;
    this.progress = progress;
    this.keys = new long[Math.toIntExact(hashes.size())];
    this.keyValues = values == null ? null : new int[keys.length];
  }

  Ribbon build(int columns, int narrowShare) {
    for (int round = 0; round < Ribbon.ROUNDS; round++) {
      long salt = Ribbon.salt(seed, round, 0);
      progress.report(SolveProgress.Phase.ORDER, 0, keys.length);
      count = KeySort.sort(hashes, values, salt, keys, keyValues);
      int distinct = count;
      progress.report(SolveProgress.Phase.ORDER, keys.length, keys.length);
      at = 0;
      RibbonLayout layout = new RibbonLayout(count, columns, narrowShare);
      Words words = Words.allocate(layout.words(), false);
      RibbonLayout.Layer[] layers = layout.layers();
      for (int i = 0; i < layers.length - 1; i++) {
        count =
            new RibbonLayer(layers[i], columns, keys, keyValues, at, count).solve(words, threads);
        progress.report(SolveProgress.Phase.SOLVE, distinct - count, distinct);
        toNextLayer(Ribbon.salt(seed, round, i + 1));
      }
      for (int trial = round * Ribbon.TRIALS; trial < (round + 1) * Ribbon.TRIALS; trial++) {
        if (solveLast(layout, trial, words)) {
          progress.report(SolveProgress.Phase.SOLVE, distinct, distinct);
          return new Ribbon(layout, seed, trial, words);
        }
      }
    }
    throw new ConstructionException(
        "a ribbon of %d keys with seed %d was not solved in %d trials; try another seed"
            .formatted(count, seed, Ribbon.ROUNDS * Ribbon.TRIALS));
  }

  /** Mixes and sorts the keys that were bumped to behind themselves. */
  private void toNextLayer(long salt) {
    long[] from = keys;
    int[] fromValues = keyValues;
    int start = at;
    at += count;
    if (at + (long) count > keys.length) {
      at = 0;
      keys = new long[count];
      keyValues = values == null ? null : new int[count];
    }
    KeySort.sort(from, fromValues, start, start + count, salt, keys, keyValues, at);
  }

  /** The last layer takes all keys or none. */
  private boolean solveLast(RibbonLayout layout, int trial, Words words) {
    RibbonLayout.Layer[] layers = layout.layers();
    if (layers.length == 0) {
      return true;
    }
    RibbonLayout.Layer layer = layers[layers.length - 1];
    if (count > layer.chunkSlots()) {
      return false;
    }
    Banding banding = new Banding(layer.chunkSlots(), Long.SIZE);
    long salt = Ribbon.lastSalt(seed, trial);
    for (int i = at; i < at + count; i++) {
      long key = Mix.mix(keys[i] ^ salt);
      int value = values == null ? Ribbon.fingerprint(key) : keyValues[i];
      int start = Ribbon.start(key, 1, layer.starts());
      if (banding.add(start, Ribbon.coefficients(key), value) == Banding.CONTRADICTION) {
        return false;
      }
    }
    int to = Words.BASE + layer.firstWord();
    banding.solve(words.writable(), to, layout.columns(), layer.narrow());
    return true;
  }
}
