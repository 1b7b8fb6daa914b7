package io.bloomery.internal.numeric;

import java.util.Arrays;

/**
 * The rates of blocked filters for a number of keys, by blocks and bits per word: those of {@link
 * #exact} to within a share of 1e-12, several times as fast, for searches. Close to the target and
 * close to 1 the rate is the exact one; whether the error could have decided between numbers of
 * bits per word is said by {@link #isTied}. Of one thread.
 *
 * <p>The binomial weights are relative to the largest, so that products suffice, and end where the
 * rest is negligible for a rate near the target. A search goes back and forth between neighbouring
 * numbers of blocks, so the weights and rates of two are kept.
 */
public final class SectorRates {

  /** Weights, relative to what they are compared with, from which on the rest is left out. */
  private static final double NEGLIGIBLE = 1e-14;

  /** Far more than the error. */
  private static final double NEAR = 1e-9;

  private final long keys;
  private final int words;
  private final int sectorWords;
  private final double target;
  private Load load = new Load();
  private Load other = new Load();

  /**
   * The rates at a number of keys.
   *
   * @param keys keys of the filter, at least 1
   * @param words words that a key touches, one of each sector
   * @param sectorWords words of a sector
   * @param target the rate with which others are compared
   */
  public SectorRates(long keys, int words, int sectorWords, double target) {
    this.keys = keys;
    this.words = words;
    this.sectorWords = sectorWords;
    this.target = target;
  }

  /** The exact rate of a filter. */
  public static double exact(long keys, long blocks, int words, int sectorWords, int bitsPerWord) {
    Pmf load = Pmf.binomial(keys, 1.0 / blocks, SectorCover.limit(sectorWords));
    return SectorCover.mixture(load, words, sectorWords, bitsPerWord);
  }

  /** The rate with a number of blocks. */
  public double at(long blocks, int bitsPerWord) {
    if (isFast(blocks)) {
      double rate = load(blocks).rate(bitsPerWord);
      if (rate < 1 - NEAR && Math.abs(rate - target) > NEAR * target) {
        return rate;
      }
    }
    return exact(keys, blocks, words, sectorWords, bitsPerWord);
  }

  /**
   * Whether another number of bits per word that was asked for has about the same rate: so where
   * most false positives are keys with equal masks.
   */
  public boolean isTied(long blocks, int bitsPerWord) {
    return isFast(blocks) && load(blocks).isTied(bitsPerWord);
  }

  private boolean isFast(long blocks) {
    return blocks > 1 && keys / blocks < SectorCover.limit(sectorWords);
  }

  private Load load(long blocks) {
    if (load.blocks != blocks) {
      Load before = load;
      load = other;
      other = before;
      if (load.blocks != blocks) {
        load.compute(blocks);
      }
    }
    return load;
  }

  /** The number of keys in a block. */
  private final class Load {

    private long blocks;
    private double[] weights = new double[64];
    private int first;
    private int last;
    private double total;
    private final double[] rates = new double[LaneCover.MAX_LANE_PROBES + 1];

    void compute(long count) {
      blocks = count;
      Arrays.fill(rates, 0);
      double odds = 1.0 / (count - 1);
      int mode = (int) ((keys + 1) / count);
      if (mode >= weights.length) {
        weights = new double[2 * mode];
      }
      weights[mode] = 1;
      total = 1;
      double n = keys;
      double weight = 1;
      first = mode;
      while (first > 0) {
        weight *= first / ((n - first + 1) * odds);
        first--;
        weights[first] = weight;
        total += weight;
        if (weight < NEGLIGIBLE) {
          break;
        }
      }
      double least = NEGLIGIBLE * target;
      weight = 1;
      last = mode;
      while (last < keys && weight >= least) {
        weight *= (n - last) * odds / (last + 1);
        last++;
        if (last == weights.length) {
          weights = Arrays.copyOf(weights, 2 * last);
        }
        weights[last] = weight;
        total += weight;
      }
    }

    double rate(int bitsPerWord) {
      double known = rates[bitsPerWord];
      if (known == 0) {
        known = sum(bitsPerWord) / total;
        rates[bitsPerWord] = known;
      }
      return known;
    }

    boolean isTied(int bitsPerWord) {
      double rate = rate(bitsPerWord);
      for (int other = 1; other < rates.length; other++) {
        if (other != bitsPerWord && Math.abs(rates[other] - rate) <= NEAR * rate) {
          return true;
        }
      }
      return false;
    }

    private double sum(int bitsPerWord) {
      double[] hits = SectorCover.hits(words, sectorWords, bitsPerWord, last + 1);
      double even = 0;
      double odd = 0; // two sums, since each addition waits for the one before
      int x = first;
      for (; x < last; x += 2) {
        even += weights[x] * hits[x];
        odd += weights[x + 1] * hits[x + 1];
      }
      return x == last ? even + odd + weights[x] * hits[x] : even + odd;
    }
  }
}
