package io.bloomery.internal.solve;

import io.bloomery.internal.bits.Words;
import io.bloomery.internal.numeric.RibbonLayout;
import io.bloomery.internal.probe.Mix;

/**
 * Builds a {@link Ribbon}: layer by layer, and the chunks of a layer on several threads. The keys
 * are mixed and sorted in place; mixing is reversible, so another round needs no copy. Beside the
 * keys and the words that result, it takes about 2 MB per thread.
 */
final class RibbonBuild {

  private final KeyPieces keys;
  private final long seed;
  private final int threads;
  private final SolveProgress progress;

  RibbonBuild(KeyPieces keys, long seed, int threads, SolveProgress progress) {
    this.keys = keys;
    this.seed = seed;
    this.threads = threads;
    this.progress = progress;
  }

  Ribbon build(int columns, int narrowShare) {
    int distinct = keys.size();
    for (int round = 0; round < Ribbon.ROUNDS; round++) {
      progress.report(SolveProgress.Phase.ORDER, 0, keys.size());
      distinct = order(distinct, round, 0);
      progress.report(SolveProgress.Phase.ORDER, keys.size(), keys.size());
      RibbonLayout layout = new RibbonLayout(distinct, columns, narrowShare);
      Words words = Words.allocate(layout.words(), false);
      int trial = solve(layout, round, words);
      if (trial >= 0) {
        progress.report(SolveProgress.Phase.SOLVE, distinct, distinct);
        return new Ribbon(layout, seed, trial, words);
      }
    }
    throw Trials.failed(
        "a ribbon of %d keys".formatted(distinct), Ribbon.ROUNDS * Ribbon.TRIALS, seed, "");
  }

  /** Mixes the first keys for a layer and sorts them; returns the number of distinct ones. */
  private int order(int count, int round, int layer) {
    return KeySort.sort(keys, count, Ribbon.salt(seed, round, layer));
  }

  /** Solves all layers; returns the trial, or -1 with the hashes as they were before the round. */
  private int solve(RibbonLayout layout, int round, Words words) {
    RibbonLayout.Layer[] layers = layout.layers();
    int[] counts = new int[Math.max(1, layers.length)];
    counts[0] = (int) layout.keys();
    for (int i = 0; i < layers.length - 1; i++) {
      counts[i + 1] =
          new RibbonLayer(layers[i], layout.columns(), keys, counts[i]).solve(words, threads);
      progress.report(SolveProgress.Phase.SOLVE, counts[0] - counts[i + 1], counts[0]);
      order(counts[i + 1], round, i + 1);
    }
    for (int trial = round * Ribbon.TRIALS; trial < (round + 1) * Ribbon.TRIALS; trial++) {
      if (solveLast(layout, counts[counts.length - 1], trial, words)) {
        return trial;
      }
    }
    for (int i = counts.length - 1; i >= 0; i--) {
      keys.unmix(counts[i], Ribbon.salt(seed, round, i));
    }
    return -1;
  }

  /** The last layer takes all keys or none. */
  private boolean solveLast(RibbonLayout layout, int count, int trial, Words words) {
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
    for (int i = 0; i < count; i++) {
      long key = Mix.mix(keys.key(i) ^ salt);
      int value = keys.hasValues() ? keys.value(i) : Ribbon.fingerprint(key);
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
