package io.bloomery.cli.bench;

import io.bloomery.FilterBuilder;
import io.bloomery.HashedFilter;
import io.bloomery.Variant;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Planner;
import io.bloomery.tools.measure.RandomHashes;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the figures from which the planner predicts times. A blocked filter tests one word of
 * one cache line, while the processor goes on with the queries after it. A partitioned filter in a
 * small table computes much more: the difference is the cost of words. Reads whose place depends on
 * the read before overlap with nothing: as many queries as fit into such a read are how far the
 * processor looks ahead.
 */
final class Calibration {

  /** Enough to read most of the lines of a table that is larger than the caches. */
  private static final int QUERIES = 1 << 20;

  /** Enough for a table that is in the cache. */
  private static final int FEW = 1 << 16;

  private static final int ROUNDS = 7;
  private static final int ROUNDS_BEYOND = 3;

  /** A Bloom filter of 10 bits per key has 7 hashes per key. */
  private static final int BITS_PER_KEY = 10;

  /** Odd: spreads a word over the upper half, which is the next place. */
  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

  private static final long SMALL_BYTES = 16L << 10;
  private static final long LARGER_BYTES = 16L << 20;
  private static final long[] TABLE_BYTES = {
    SMALL_BYTES, 256L << 10, 1L << 20, 4L << 20, LARGER_BYTES, 32L << 20, 64L << 20, 128L << 20
  };

  private final long[] few = new long[FEW];
  private final long[] many = new long[QUERIES];

  /** Prepares the queries. */
  Calibration() {
    new RandomHashes(RandomHashes.OTHERS).next(few, FEW);
    new RandomHashes(RandomHashes.OTHERS).next(many, QUERIES);
  }

  /** Measures this machine. */
  Planner.Machine machine() {
    long most = Runtime.getRuntime().maxMemory() / 4;
    List<Double> times = new ArrayList<>();
    List<Long> sizes = new ArrayList<>();
    for (long bytes : TABLE_BYTES) {
      if (bytes <= most || bytes == SMALL_BYTES) {
        sizes.add(bytes);
        times.add(nanos("blocked-64", bytes));
      }
    }
    double small = times.get(0);
    double more = work("partitioned", SMALL_BYTES).words() - 1;
    double word = Math.max(0.05, (nanos("partitioned", SMALL_BYTES) - small) / more);
    double call = Math.max(0.05, small - word);
    List<Planner.Machine.Table> tables = new ArrayList<>();
    double line = 0;
    for (int i = 0; i < sizes.size(); i++) {
      line = Math.max(line, times.get(i) - call - word);
      tables.add(new Planner.Machine.Table(sizes.get(i), line));
    }
    Planner.Machine machine =
        new Planner.Machine(call, word, Planner.Machine.BUILT_IN.overlap(), tables);
    long bytes = Math.min(LARGER_BYTES, most);
    double first = machine.lineNanos(bytes * Byte.SIZE);
    if (first <= word) {
      return machine;
    }
    double alone = dependentReadNanos(bytes) - dependentReadNanos(SMALL_BYTES);
    double window = Math.max(small, alone / first * (call + word));
    // What a Bloom filter takes longer than by its work is the cost of its further lines.
    Planner.Machine together = new Planner.Machine(call, word, 0, window, tables);
    Variant.Work work = work("bloom", bytes);
    double further = nanos("bloom", bytes) - together.queryNanos(bytes * Byte.SIZE, work);
    double overlap = Math.max(0, Math.min(1, further / first / (work.cacheLines() - 1)));
    return new Planner.Machine(call, word, overlap, window, tables);
  }

  /** The least over rounds, in nanoseconds per read of a word whose place the word before says. */
  private static double dependentReadNanos(long bytes) {
    long[] table = new long[(int) (bytes / Long.BYTES)];
    new RandomHashes(RandomHashes.MEMBERS).next(table, table.length);
    int reads = bytes > 1L << 20 ? QUERIES : FEW;
    long at = 0;
    double least = Double.MAX_VALUE;
    for (int round = -ROUNDS_BEYOND; round < ROUNDS_BEYOND; round++) {
      long start = Queries.now();
      for (int i = 0; i < reads; i++) {
        at = (at + table[(int) (((at >>> Integer.SIZE) * table.length) >>> Integer.SIZE)]) * SPREAD;
      }
      double nanos = (double) (Queries.now() - start) / reads;
      least = round < 0 ? least : Math.min(least, nanos);
    }
    if (at == 0) {
      throw new AssertionError("random words led to 0");
    }
    return least;
  }

  private static FilterChoice choice(String kind, long bytes) {
    long bits = bytes * Byte.SIZE;
    return FilterChoice.named(kind, Needs.forBudget(bits / BITS_PER_KEY, bits));
  }

  private static Variant.Work work(String kind, long bytes) {
    FilterChoice choice = choice(kind, bytes);
    return choice.plan().variant().work(choice.shape(), true);
  }

  /** The least over rounds, in nanoseconds per query of a present key, after as many rounds. */
  private double nanos(String kind, long bytes) {
    boolean beyond = bytes > 1L << 20;
    long[] hashes = beyond ? many : few;
    int rounds = beyond ? ROUNDS_BEYOND : ROUNDS;
    FilterChoice choice = choice(kind, bytes);
    FilterBuilder builder = choice.builder(choice.shape());
    builder.addHashes(hashes, 0, hashes.length);
    HashedFilter filter = FilterChoice.build(builder);
    double least = Double.MAX_VALUE;
    for (int round = -rounds; round < rounds; round++) {
      long start = Queries.now();
      int hits = Queries.hits(filter, hashes);
      double nanos = (double) (Queries.now() - start) / hashes.length;
      if (hits != hashes.length) {
        throw new AssertionError(kind + " found " + hits);
      }
      least = round < 0 ? least : Math.min(least, nanos);
    }
    return least;
  }
}
