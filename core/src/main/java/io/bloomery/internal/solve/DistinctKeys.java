package io.bloomery.internal.solve;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.probe.Mix;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * The keys of one construction, each once, with a number for each if they have values, and the
 * trials with different seeds. Keys are in the order of their {@linkplain CellLayout#remix remixed}
 * hashes of the first trial, so that a construction depends neither on the order of the keys nor on
 * duplicates.
 *
 * <p>Memory besides the given arrays: 8 bytes per key, none {@linkplain #inPlace in place}; with
 * values 16 while they are matched and 12 later.
 */
public final class DistinctKeys {

  /** How many seeds are tried. */
  public static final int MAX_TRIALS = 100;

  private final long[] mixed;
  private final int count;
  private final long seed;
  private int[] values = {}; // of keys that have them
  private long trialSeed;

  private DistinctKeys(long[] mixed, int count, long seed) {
    this.mixed = mixed;
    this.count = count;
    this.seed = seed;
    this.trialSeed = seedOf(seed, 0);
  }

  /** The seed of a trial. */
  private static long seedOf(long seed, int trial) {
    return Mix.stream(seed, trial + 1);
  }

  /**
   * Takes the first {@code count} hashes, in any order.
   *
   * @param hashes not changed
   * @param seed the seed from which those of all trials are derived
   */
  public static DistinctKeys of(long[] hashes, int count, long seed) {
    return inPlace(Arrays.copyOf(hashes, count), seed);
  }

  /**
   * Takes an array over, so that the hashes are not held twice.
   *
   * @param hashes in any order; modified, and not to be used again by the caller
   * @param seed the seed from which those of all trials are derived
   */
  public static DistinctKeys inPlace(long[] hashes, long seed) {
    int count = hashes.length;
    Arguments.inRange("keys", count, 0, Peeling.MAX_KEYS);
    long first = seedOf(seed, 0);
    // Unsigned order is signed order with the top bit flipped.
    for (int i = 0; i < count; i++) {
      hashes[i] = CellLayout.remix(hashes[i], first) ^ Long.MIN_VALUE;
    }
    Arrays.sort(hashes);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      long key = hashes[i] ^ Long.MIN_VALUE;
      if (distinct == 0 || hashes[distinct - 1] != key) {
        hashes[distinct++] = key;
      }
    }
    return new DistinctKeys(hashes, distinct, seed);
  }

  /**
   * The same with a number for each hash.
   *
   * @param values the numbers, not changed
   * @param names the word for a number in messages
   * @throws IllegalArgumentException if equal hashes have different numbers
   */
  public static DistinctKeys of(
      long[] hashes, int[] values, int count, long seed, IntFunction<?> names) {
    DistinctKeys keys = of(hashes, count, seed);
    keys.match(hashes, values, count, names);
    return keys;
  }

  private void match(long[] hashes, int[] given, int all, IntFunction<?> names) {
    int bits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(count));
    int[] starts = new int[(1 << bits) + 1];
    for (int i = 0; i < count; i++) {
      starts[(int) (mixed[i] >>> -bits) + 1]++;
    }
    Arrays.parallelPrefix(starts, Integer::sum);
    values = new int[count];
    boolean[] known = all == count ? null : new boolean[count];
    for (int i = 0; i < all; i++) {
      long key = CellLayout.remix(hashes[i], trialSeed);
      int bucket = (int) (key >>> -bits);
      int at = find(key, starts[bucket], starts[bucket + 1]);
      if (known != null && known[at] && values[at] != given[i]) {
        throw new IllegalArgumentException(
            "a key has two values, %s and %s (its hash is %016x)"
                .formatted(names.apply(values[at]), names.apply(given[i]), hashes[i]));
      }
      values[at] = given[i];
      if (known != null) {
        known[at] = true;
      }
    }
  }

  /** The index of a key among {@code low…high-1}, which must contain it. */
  private int find(long key, int low, int high) {
    int from = low;
    int to = high - 1;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (Long.compareUnsigned(mixed[middle], key) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** How many different keys there are. */
  public int count() {
    return count;
  }

  /** The seed of the latest trial. */
  public long trialSeed() {
    return trialSeed;
  }

  /** The hash of key {@code i}. */
  public long hash(int i) {
    return CellLayout.unmix(mixed[i], trialSeed);
  }

  /** The number of key {@code i}. */
  public int value(int i) {
    return values[i];
  }

  /**
   * Tries one seed after another until peeling succeeds.
   *
   * @param what which filter, for the message
   * @param inRounds whether to use {@link Peeling#peelInRounds}
   * @throws io.bloomery.ConstructionException if no seed works
   */
  public Peeling peel(String what, CellLayout layout, boolean inRounds) {
    for (int trial = 0; trial < MAX_TRIALS; trial++) {
      reseed(seedOf(seed, trial));
      Peeling peeling =
          inRounds
              ? Peeling.peelInRounds(layout, mixed, count)
              : Peeling.peel(layout, mixed, count);
      if (peeling != null) {
        return peeling;
      }
    }
    throw Trials.failed(
        "%s of %d keys in %d cells".formatted(what, count, layout.cells()),
        MAX_TRIALS,
        seed,
        ", or they need more cells");
  }

  private void reseed(long next) {
    if (next != trialSeed) {
      for (int i = 0; i < count; i++) {
        mixed[i] = CellLayout.remix(CellLayout.unmix(mixed[i], trialSeed), next);
      }
      trialSeed = next;
    }
  }
}
