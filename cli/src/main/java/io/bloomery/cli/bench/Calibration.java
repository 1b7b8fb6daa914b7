package io.bloomery.cli.bench;

import io.bloomery.FilterBuilder;
import io.bloomery.HashedFilter;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Planner;
import io.bloomery.tools.measure.RandomHashes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures the figures from which the planner predicts times. A blocked filter reads one word of
 * one cache line, a Bloom filter 7 words of 7 lines. Their difference is the cost of words in a
 * small table, and the cost of cache lines fetched in parallel in a larger one.
 */
final class Calibration {

  private static final int QUERIES = 1 << 16;
  private static final int ROUNDS = 7;

  /** A Bloom filter of 10 bits per key has 7 hashes per key. */
  private static final int BITS_PER_KEY = 10;

  private static final int WORDS = 7;
  private static final long SMALL_BYTES = 16L << 10;
  private static final long LARGER_BYTES = 2L << 20;
  private static final long[] TABLE_BYTES = {
    SMALL_BYTES, 256L << 10, LARGER_BYTES, 16L << 20, 128L << 20
  };

  private final long[] hashes = new long[QUERIES];

  /** Prepares the queries. */
  Calibration() {
    new RandomHashes(RandomHashes.OTHERS).next(hashes, QUERIES);
  }

  /** Measures this machine. */
  Planner.Machine machine() {
    long most = Runtime.getRuntime().maxMemory() / 4;
    List<Double> times = new ArrayList<>();
    List<Long> sizes = new ArrayList<>();
    for (long bytes : TABLE_BYTES) {
      if (bytes <= most || bytes == SMALL_BYTES) {
        sizes.add(bytes);
        times.add(nanos(oneWord(bytes)));
      }
    }
    double small = times.get(0);
    double word = Math.max(0.05, (nanos(manyWords(SMALL_BYTES, hashes)) - small) / (WORDS - 1));
    double call = Math.max(0.05, small - word);
    List<Planner.Machine.Table> tables = new ArrayList<>();
    double line = 0;
    for (int i = 0; i < sizes.size(); i++) {
      line = Math.max(line, times.get(i) - call - word);
      tables.add(new Planner.Machine.Table(sizes.get(i), line));
    }
    Planner.Machine machine =
        new Planner.Machine(call, word, Planner.Machine.BUILT_IN.overlap(), tables);
    long bits = Math.min(LARGER_BYTES, most) * Byte.SIZE;
    double lines = nanos(manyWords(bits / Byte.SIZE, hashes)) - call - word * WORDS;
    double first = machine.lineNanos(bits);
    if (first <= word) {
      return machine;
    }
    double overlap = (lines / first - 1) / (WORDS - 1);
    return new Planner.Machine(call, word, Math.max(0, Math.min(1, overlap)), tables);
  }

  /** A filter that reads one word per query, whether it holds keys or not. */
  private static HashedFilter oneWord(long bytes) {
    return FilterChoice.build(choice("blocked-64", bytes));
  }

  /** A filter that holds all queried keys, so that each query reads all its words. */
  private static HashedFilter manyWords(long bytes, long[] keys) {
    FilterBuilder builder = choice("bloom", bytes);
    builder.addHashes(keys, 0, keys.length);
    return FilterChoice.build(builder);
  }

  private static FilterBuilder choice(String kind, long bytes) {
    long bits = bytes * Byte.SIZE;
    FilterChoice choice = FilterChoice.named(kind, Needs.forBudget(bits / BITS_PER_KEY, bits));
    return choice.builder(choice.shape());
  }

  /** The median over rounds, in nanoseconds per query, after as many warm-up rounds. */
  private double nanos(HashedFilter filter) {
    double[] times = new double[ROUNDS];
    for (int round = -ROUNDS; round < ROUNDS; round++) {
      int hits = 0;
      long start = System.nanoTime();
      for (long hash : hashes) {
        hits += filter.mightContainHash(hash) ? 1 : 0;
      }
      double nanos = (double) (System.nanoTime() - start) / QUERIES;
      if (hits > QUERIES) {
        throw new AssertionError(hits);
      }
      if (round >= 0) {
        times[round] = nanos;
      }
    }
    Arrays.sort(times);
    return times[ROUNDS / 2];
  }
}
