package io.bloomery.internal.solve;

import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.internal.probe.Mix;
import java.util.function.IntFunction;

/**
 * A table in which the xor of every key's cells is its fingerprint, found by trying seeds.
 *
 * <p>Peak memory besides the given hashes: 12 bytes per key and 4 per cell, less if the hashes can
 * be dropped. The same set of hashes and the same seed give the same table, regardless of order,
 * duplicates and number of threads.
 *
 * @param keys the number of distinct keys
 * @param seed the seed with which their hashes were remixed
 * @param table the fingerprints
 */
public record PeeledTable(int keys, long seed, FingerprintTable table) {

  /** How many seeds are tried. */
  public static final int TRIALS = 100;

  /**
   * Builds a table.
   *
   * @param hashes the keys' hashes, duplicates allowed; left empty
   * @param layouts the layout for a number of distinct keys
   * @param width bits per fingerprint, 1…32
   * @param seed determines which seeds are tried
   * @param threads 2 if two threads may work
   * @param progress receives every step
   * @throws io.bloomery.ConstructionException if no seed works, which is not expected with
   *     well-mixed hashes
   */
  public static PeeledTable build(
      KeyHashes hashes,
      IntFunction<CellLayout> layouts,
      int width,
      long seed,
      int threads,
      SolveProgress progress) {
    if (hashes.size() > Peeling.MAX_KEYS) {
      throw new IllegalArgumentException(
          hashes.size() + " keys; at most " + Peeling.MAX_KEYS + " fit, build shards instead");
    }
    return build(hashes, layouts, width, seed, threads, progress, false);
  }

  private static PeeledTable build(
      KeyHashes hashes,
      IntFunction<CellLayout> layouts,
      int width,
      long seed,
      int threads,
      SolveProgress progress,
      boolean distinct) {
    KeyHashes source = hashes;
    int count = (int) hashes.size();
    CellLayout layout = layouts.apply(count);
    for (int trial = 0; trial < TRIALS; trial++) {
      long tried = trialSeed(seed, trial);
      progress.report(SolveProgress.Phase.ORDER, 0, count);
      GroupedKeys grouped = GroupedKeys.of(source, tried, layout.groups(), threads);
      source.clear();
      progress.report(SolveProgress.Phase.SOLVE, 0, count);
      Peeling peeling = Peeling.peel(layout, grouped.keys, count, grouped.starts, threads);
      if (peeling != null) {
        progress.report(SolveProgress.Phase.FILL, 0, count);
        FingerprintTable table = FingerprintTable.allocate(layout.cells(), width);
        peeling.fill(table, threads);
        progress.report(SolveProgress.Phase.FILL, count, count);
        return new PeeledTable(count, tried, table);
      }
      long[] again = grouped.unmix(tried);
      if (trial == 0 && !distinct) {
        // Equal keys never peel, so check for them now.
        int left = KeyHashes.distinct(again, count);
        if (left < count) {
          KeyHashes fewer = KeyHashes.of(again, left);
          return build(fewer, layouts, width, seed, threads, progress, true);
        }
      }
      source = KeyHashes.of(again, count);
    }
    throw Trials.failed(count + " keys could not be placed", TRIALS, seed, "");
  }

  /** The seed of a trial. */
  public static long trialSeed(long seed, int trial) {
    return Mix.stream(seed, trial);
  }
}
