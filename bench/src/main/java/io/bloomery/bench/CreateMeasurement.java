package io.bloomery.bench;

import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.openjdk.jmh.infra.Blackhole;

/**
 * CPU time of an empty blocked filter for a number of keys and a rate that are new, since shapes
 * are remembered: for numbers of keys and rates around those of a table, which take turns. Filters
 * with all their words up to {@link #MOST_FILLED} keys, shapes above, where clearing the memory
 * takes longer.
 */
final class CreateMeasurement {

  private static final long[] KEYS = {1, 10, 1_000, 100_000, 10_000_000, 1_000_000_000};
  private static final double[] RATES = {0.5, 0.1, 0.01, 1e-3, 1e-4, 1e-6, 1e-9};
  private static final long MOST_FILLED = 1_100;
  private static final int FILTERS = 500;
  private static final int WARM_UPS = 10;

  private final SplittableRandom random = new SplittableRandom(1);
  private final Blackhole blackhole =
      new Blackhole(
          "Today's password is swordfish. I understand instantiating Blackholes directly is dangerous.");

  /** A table of microseconds: the medians of so many rounds. */
  String print(int rounds) {
    double[][][] micros = new double[KEYS.length][RATES.length][rounds];
    for (int round = -WARM_UPS; round < rounds; round++) {
      for (int i = 0; i < KEYS.length; i++) {
        for (int j = 0; j < RATES.length; j++) {
          double found = isPossible(KEYS[i], RATES[j]) ? micros(KEYS[i], RATES[j]) : Double.NaN;
          if (round >= 0) {
            micros[i][j][round] = found;
          }
        }
      }
    }
    StringBuilder table = new StringBuilder("| keys |");
    for (double rate : RATES) {
      table.append(String.format(Locale.ROOT, " %.0e |", rate));
    }
    table.append("\n|--:|").append("--:|".repeat(RATES.length)).append('\n');
    for (int i = 0; i < KEYS.length; i++) {
      table.append(String.format(Locale.ROOT, "| %,d |", KEYS[i]));
      for (double[] each : micros[i]) {
        double median = median(each);
        table.append(Double.isNaN(median) ? " |" : String.format(Locale.ROOT, " %.1f |", median));
      }
      table.append('\n');
    }
    return table.toString();
  }

  /** A hash of 64 bits promises no lower rate. */
  private static boolean isPossible(long keys, double rate) {
    return rate > 2 * keys * 0x1p-57;
  }

  /** The mean of some filters, of up to a tenth more keys than given and lower rates. */
  private double micros(long keys, double rate) {
    long start = ThreadClock.cpuNanos();
    for (int i = 0; i < FILTERS; i++) {
      long some = keys + random.nextLong(Math.max(1, keys / 10));
      double lower = rate * (1 - 0.1 * random.nextDouble());
      blackhole.consume(
          some <= MOST_FILLED
              ? BlockedBloomFilter.create(some, lower)
              : BlockShape.forKeys(some, lower));
    }
    return (ThreadClock.cpuNanos() - start) / 1e3 / FILTERS;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
