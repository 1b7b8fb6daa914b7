package io.bloomery.internal.numeric;

import io.bloomery.internal.check.Arguments;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * {@link LaneCover} for a sector of several words of which each key picks one: a fresh key's mask
 * is covered by those of the x earlier keys of the block that picked the same word, a binomial
 * number of them.
 */
public final class SectorCover {

  private static final int SECTOR_SIZES = 4; // 1, 2, 4, 8 words
  private static final int FIRST_LENGTH = 256;

  /** Tables by hashes per key and log2 of the sector's words; they grow on demand. */
  private static final AtomicReferenceArray<double[]> TABLES =
      new AtomicReferenceArray<>((LaneCover.MAX_LANE_PROBES + 1) * SECTOR_SIZES);

  /** Tables by log2 of a key's words and of the sector's words; they grow on demand. */
  private static final AtomicReferenceArray<double[]> SAME =
      new AtomicReferenceArray<>(SECTOR_SIZES * SECTOR_SIZES);

  /** Tables by the same and by hashes per key; they grow on demand. */
  private static final AtomicReferenceArray<double[]> HITS =
      new AtomicReferenceArray<>(SECTOR_SIZES * SECTOR_SIZES * (LaneCover.MAX_LANE_PROBES + 1));

  private static final double[] NONE = {};

  private SectorCover() {}

  /** Rejects a block width other than 64, 128, 256, 512. */
  public static void requireWidth(int blockBits) {
    Arguments.oneOf("blockBits", blockBits, 64, 128, 256, 512);
  }

  /** Rejects words and bits per key that do not fit a block of this width. */
  public static void requireLanes(int blockBits, int wordsPerKey, int hashesPerKey) {
    requireWidth(blockBits);
    int fewest = fewestWords(blockBits);
    int blockWords = blockBits / LaneCover.LANE_BITS;
    Arguments.powerOfTwo("wordsPerKey", wordsPerKey, fewest, blockWords);
    Arguments.inRange(
        "hashesPerKey", hashesPerKey, wordsPerKey, wordsPerKey * LaneCover.MAX_LANE_PROBES);
    Arguments.multipleOf("hashesPerKey", hashesPerKey, "wordsPerKey", wordsPerKey);
  }

  /** The fewest words per key in blocks of a width: 2, or 1 if there are no more. */
  public static int fewestWords(int blockBits) {
    return Math.min(2, blockBits / LaneCover.LANE_BITS);
  }

  /**
   * Keys in a block from which on every sector is covered with probability 1 to within 1e-17.
   *
   * @param sectorWords words of a sector: 1, 2, 4 or 8
   * @return the number of keys
   */
  public static int limit(int sectorWords) {
    return sectorWords == 1 ? LaneCover.limit() : 2 * sectorWords * LaneCover.limit();
  }

  /**
   * The probability that a fresh key's mask in the sector is covered.
   *
   * @param laneProbes bits that a key sets in its word, 1 … 16
   * @param sectorWords words of the sector: 1, 2, 4 or 8
   * @param keys earlier keys of the block, at least 0
   * @return the probability
   */
  public static double masked(int laneProbes, int sectorWords, long keys) {
    if (sectorWords == 1) {
      return LaneCover.masked(laneProbes, keys);
    }
    if (keys >= limit(sectorWords)) {
      return 1;
    }
    int slot = laneProbes * SECTOR_SIZES + Integer.numberOfTrailingZeros(sectorWords);
    double[] table = TABLES.get(slot);
    if (table == null || keys >= table.length) {
      int length = Math.max(FIRST_LENGTH, 2 * (int) keys);
      table = LaneCover.picked(laneProbes, 1.0 / sectorWords, length);
      TABLES.set(slot, table);
    }
    return table[(int) keys];
  }

  /**
   * The mixture over the keys of a block: some earlier key has the very same words and masks, or
   * all sectors are covered.
   */
  public static double mixture(Pmf load, int words, int sectorWords, int bitsPerWord) {
    int first = (int) load.first(); // at most the limit of sectorWords
    double[] hits = hits(words, sectorWords, bitsPerWord, first + load.size());
    double sum = load.above();
    for (int i = 0; i < load.size(); i++) {
      sum += load.weight(i) * hits[first + i];
    }
    return Math.min(1, sum);
  }

  /**
   * The rates of blocks by their keys: the probability that some earlier key has a fresh key's
   * words and masks, or that those in the block cover all of them.
   *
   * @param words words that a key touches, one of each sector: 1, 2, 4 or 8
   * @param sectorWords words of a sector: 1, 2, 4 or 8
   * @param bitsPerWord bits that a key sets in each of its words, 1 … 16
   * @param length for how many numbers of keys, from 0 on
   * @return the rates, at least {@code length} of them; not to be changed
   */
  static double[] hits(int words, int sectorWords, int bitsPerWord, int length) {
    int slot = slot(words, sectorWords) * (LaneCover.MAX_LANE_PROBES + 1) + bitsPerWord;
    double[] table = HITS.get(slot);
    if (table == null || table.length < length) {
      double[] same = words == 1 ? NONE : same(words, sectorWords, length);
      table = new double[words == 1 ? Math.max(FIRST_LENGTH, 2 * length) : same.length];
      for (int x = 0; x < table.length; x++) {
        double anySame = words == 1 ? 0 : same[x];
        double covered = power(masked(bitsPerWord, sectorWords, x), words);
        table[x] = anySame + (1 - anySame) * covered;
      }
      HITS.set(slot, table);
    }
    return table;
  }

  /** The probabilities that one of x keys has the words and masks of a fresh one, x = 0, 1, …. */
  private static double[] same(int words, int sectorWords, int length) {
    int slot = slot(words, sectorWords);
    double[] table = SAME.get(slot);
    if (table == null || table.length < length) {
      double one =
          1.0 / LaneCover.PATTERNS * Math.pow(1.0 / LaneCover.LANE_BITS / sectorWords, words);
      double logDiffer = Math.log1p(-one);
      table = new double[Math.max(FIRST_LENGTH, 2 * length)];
      Arrays.setAll(table, x -> -Math.expm1(x * logDiffer));
      SAME.set(slot, table);
    }
    return table;
  }

  private static int slot(int words, int sectorWords) {
    return Integer.numberOfTrailingZeros(words) * SECTOR_SIZES
        + Integer.numberOfTrailingZeros(sectorWords);
  }

  private static double power(double base, int exponent) {
    double result = 1;
    for (int i = 0; i < exponent; i++) {
      result *= base;
    }
    return result;
  }
}
