package io.bloomery.membership;

import io.bloomery.QueryCost;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.FewestWords;
import io.bloomery.internal.numeric.FilterCost;
import io.bloomery.internal.numeric.LaneCover;
import io.bloomery.internal.numeric.Remembered;
import io.bloomery.internal.numeric.SectorCover;
import io.bloomery.internal.numeric.SectorRates;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Patterns;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Planner;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.HashBits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The shape of the blocked Bloom filter: all bits of a key lie in a few words of one block.
 *
 * <p>A block of {@code blockBits / 64} words is divided into {@code wordsPerKey} sectors of equal
 * size. A key picks one word of every sector and sets the same number of distinct bits in each, 1 …
 * 16. They are rotations of one of 1024 random patterns, so that a word's bits come from 2^16
 * masks; the rate accounts for keys that share masks. Deviation from Putze et al., "Cache-, Hash-
 * and Space-Efficient Bloom Filters": distinct bits in few words, which are faster to test than
 * bits drawn with replacement from the whole block.
 *
 * <p>Few words are faster, wide blocks smaller: 1 % costs 11.9, 10.8, 10.4 and 10.2 bits per key
 * with blocks of 64, 128, 256 and 512 bits (1, 2, 2 and 2 words per key), and 0.1 % costs 23.3,
 * 18.9, 16.8 and 15.8 (1, 2, 4 and 4 words per key).
 *
 * @param blocks number of blocks, at least 1; {@code blocks · blockBits} at most {@link
 *     Shape#MAX_BITS}
 * @param blockBits width of a block in bits: 64, 128, 256 or 512
 * @param wordsPerKey words that one key touches: 1 in blocks of 64 bits; 2, 4 or 8, at most those
 *     of a block, in others
 * @param hashesPerKey bits that one key sets, a multiple of {@code wordsPerKey}, 1 … 16 for each
 *     word
 */
public record BlockShape(
    @FieldName("blocks") long blocks,
    @FieldName("block bits") int blockBits,
    @FieldName("words per key") int wordsPerKey,
    @FieldName("probes") int hashesPerKey)
    implements Shape, QueryCost {

  private static final double MEMORY_WEIGHT = Needs.Preference.BALANCED.memoryWeight();

  private static final int[] WIDTHS = {64, 128, 256, 512};

  /** Solving takes up to 20 µs, and programs make many filters of few sizes. */
  private static final Remembered<Target, BlockShape> SOLVED = new Remembered<>(1 << 12);

  private static final Guesses GUESSES = new Guesses();

  public BlockShape {
    SectorCover.requireLanes(blockBits, wordsPerKey, hashesPerKey);
    Arguments.inRange("blocks", blocks, 1, MAX_BITS / blockBits);
  }

  /**
   * The library's default: the width with the lowest cost, as the {@linkplain Planner planner}
   * weighs time and memory.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size of every width
   *     is above {@link Shape#MAX_BITS}
   */
  public static BlockShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    return SOLVED.get(
        new Target(expectedKeys, falsePositiveRate),
        target -> solve(target.keys, target.falsePositiveRate));
  }

  /** What a shape is sized for. */
  private record Target(long keys, double falsePositiveRate) {}

  private static BlockShape solve(long expectedKeys, double falsePositiveRate) {
    FilterCost cost =
        new FilterCost(expectedKeys, OptionalDouble.of(falsePositiveRate), MEMORY_WEIGHT);
    BlockShape best = null;
    double lowest = 0;
    for (int width : WIDTHS) {
      Sized sized = fewestWords(expectedKeys, falsePositiveRate, width);
      if (sized != null) {
        double costs = sized.shape.cost(cost, sized.rate);
        if (best == null || costs < lowest) {
          best = sized.shape;
          lowest = costs;
        }
      }
    }
    if (best == null) {
      throw Sizing.tooLarge("a blocked Bloom filter", expectedKeys, falsePositiveRate);
    }
    return best;
  }

  /**
   * A filter of a given width whose exact rate at {@code expectedKeys} keys is at most {@code
   * falsePositiveRate}: the fewest words per key whose smallest size is within 4 % of the smallest
   * of that width, because every word costs time.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param blockBits width of a block in bits: 64, 128, 256 or 512
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static BlockShape forKeys(long expectedKeys, double falsePositiveRate, int blockBits) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    SectorCover.requireWidth(blockBits);
    Sized sized = fewestWords(expectedKeys, falsePositiveRate, blockBits);
    if (sized == null) {
      throw Sizing.tooLarge(
          "a blocked Bloom filter of " + blockBits + "-bit blocks",
          expectedKeys,
          falsePositiveRate);
    }
    return sized.shape;
  }

  /**
   * The smallest filter of a given width and number of words per key whose exact rate at {@code
   * expectedKeys} keys is at most {@code falsePositiveRate}.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param blockBits width of a block in bits: 64, 128, 256 or 512
   * @param wordsPerKey words that one key touches: 1 in blocks of 64 bits; 2, 4 or 8, at most those
   *     of a block, in others
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static BlockShape forKeys(
      long expectedKeys, double falsePositiveRate, int blockBits, int wordsPerKey) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    SectorCover.requireLanes(blockBits, wordsPerKey, wordsPerKey);
    Sized sized = search(expectedKeys, falsePositiveRate, blockBits, wordsPerKey);
    if (sized == null) {
      throw Sizing.tooLarge(
          "a blocked Bloom filter of " + blockBits + "-bit blocks",
          expectedKeys,
          falsePositiveRate);
    }
    return sized.shape;
  }

  /**
   * The best filter of a given width for a number of keys within a memory budget.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, {@code blockBits} … {@link Shape#MAX_BITS}; rounded down to whole
   *     blocks
   * @param blockBits width of a block in bits: 64, 128, 256 or 512
   * @return the shape with the lowest exact rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BlockShape forBudget(long expectedKeys, long bits, int blockBits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    SectorCover.requireWidth(blockBits);
    return Collections.min(
        forBlocks(expectedKeys, Sizing.requireBudget(bits, blockBits) / blockBits, blockBits),
        Comparator.comparingDouble(shape -> shape.falsePositiveRate(expectedKeys)));
  }

  /** The filter of a given width and memory with the lowest cost: fewer words for a higher rate. */
  static BlockShape cheapest(long expectedKeys, long bits, int blockBits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    FilterCost cost = new FilterCost(expectedKeys, OptionalDouble.empty(), MEMORY_WEIGHT);
    return Collections.min(
        forBlocks(expectedKeys, Sizing.requireBudget(bits, blockBits) / blockBits, blockBits),
        Comparator.comparingDouble(
            shape -> shape.cost(cost, shape.falsePositiveRate(expectedKeys))));
  }

  /** The best bits per key for each number of words per key. */
  private static List<BlockShape> forBlocks(long keys, long blocks, int blockBits) {
    List<BlockShape> shapes = new ArrayList<>();
    for (int words = SectorCover.fewestWords(blockBits);
        words <= blockBits / LaneCover.LANE_BITS;
        words *= 2) {
      int wordsPerKey = words;
      int sectorWords = sectorWords(blockBits, words);
      int start = BloomMath.optimalProbes(blocks * blockBits, keys) / words;
      int each =
          bitsPerWord(start, LaneCover.MAX_LANE_PROBES)
              .best(k -> SectorRates.exact(keys, blocks, wordsPerKey, sectorWords, k));
      shapes.add(new BlockShape(blocks, blockBits, words, each * words));
    }
    return shapes;
  }

  private double cost(FilterCost cost, double rate) {
    double present = Planner.Machine.BUILT_IN.queryNanos(sizeInBits(), 1, work(true));
    double absent = Planner.Machine.BUILT_IN.queryNanos(sizeInBits(), 1, work(false));
    return cost.of(sizeInBits(), rate, (present + absent) / 2, 2 * present);
  }

  /** The words of a query that cost time: the first two show most absent keys. */
  double work(boolean present) {
    if (wordsPerKey <= 2) {
      return wordsPerKey;
    }
    return present ? 2.8 + 0.175 * wordsPerKey : 1.75;
  }

  /**
   * One word in one-word blocks, two or more in others, where a single word would amount to a
   * 64-bit block.
   */
  private static @Nullable Sized fewestWords(long keys, double rate, int blockBits) {
    int words = keys >= Guesses.KEYS && rate <= 0.5 ? GUESSES.fewestWords(rate, blockBits) : 0;
    if (words > 0) {
      Sized sized = search(keys, rate, blockBits, words);
      if (sized != null) {
        return sized;
      }
    }
    return FewestWords.choose(
        smallest(keys, rate, blockBits),
        sized -> sized.shape.sizeInBits(),
        sized -> sized.shape.wordsPerKey);
  }

  /** A shape that was searched for, and its rate to within a share of 1e-12. */
  private record Sized(BlockShape shape, double rate) {}

  /** The smallest shape of a width for each number of words per key that it can have. */
  private static List<Sized> smallest(long keys, double rate, int blockBits) {
    List<Sized> shapes = new ArrayList<>();
    int most = blockBits / LaneCover.LANE_BITS;
    for (int words = SectorCover.fewestWords(blockBits); words <= most; words *= 2) {
      Sized sized = search(keys, rate, blockBits, words);
      if (sized != null) {
        shapes.add(sized);
      }
    }
    return shapes;
  }

  private static @Nullable Sized search(long keys, double rate, int blockBits, int words) {
    double bitsPerKey = GUESSES.bitsPerKey(rate, blockBits, words);
    return search(keys, rate, blockBits, words, (long) (keys * bitsPerKey / blockBits) + 1);
  }

  private static @Nullable Sized search(
      long keys, double rate, int blockBits, int words, long guess) {
    int most = Math.min(LaneCover.MAX_LANE_PROBES, (Sizing.mostProbes(rate, 1) - 1) / words + 1);
    int start = (int) Math.round(BloomMath.informationBound(rate) / words);
    Sizing.Probes probes = bitsPerWord(start, most);
    long max = MAX_BITS / blockBits;
    int sectorWords = sectorWords(blockBits, words);
    SectorRates rates = new SectorRates(keys, words, sectorWords, rate);
    Sizing.Choice choice = Sizing.smallest(rates::at, rate, guess, max, probes);
    if (choice != null && rates.isTied(choice.size(), choice.hashesPerKey())) {
      choice =
          Sizing.smallest(
              (blocks, k) -> SectorRates.exact(keys, blocks, words, sectorWords, k),
              rate,
              choice.size(),
              max,
              probes);
    }
    return choice == null
        ? null
        : new Sized(
            new BlockShape(choice.size(), blockBits, words, choice.hashesPerKey() * words),
            rates.at(choice.size(), choice.hashesPerKey()));
  }

  /**
   * Bits per key of large filters at quarter powers of 2, from which those in between are guessed
   * to within about a thousandth. Each is searched for when it is first needed.
   */
  private static final class Guesses {

    private static final long KEYS = 1 << 20;
    private static final int STEPS = 4; // from one power of 2 to the next
    private static final int MOST_STEPS = 64 * STEPS; // requireTarget rejects rates below 2^-57
    private static final int WORDS = 4; // 1, 2, 4, 8

    /** More than a guess is wrong by, as a share. */
    private static final double CLOSE = 0.01;

    private final AtomicReferenceArray<Double> known =
        new AtomicReferenceArray<>(WIDTHS.length * WORDS * MOST_STEPS);

    /**
     * The number of words per key that {@link FewestWords} would choose for a large filter with a
     * rate of at most 1/2, or 0 if guesses are not close enough to tell.
     */
    int fewestWords(double rate, int blockBits) {
      int fewest = SectorCover.fewestWords(blockBits);
      int most = blockBits / LaneCover.LANE_BITS;
      double smallest = Double.POSITIVE_INFINITY;
      for (int words = fewest; words <= most; words *= 2) {
        smallest = Math.min(smallest, bitsPerKey(rate, blockBits, words));
      }
      for (int words = fewest; words <= most; words *= 2) {
        double share = bitsPerKey(rate, blockBits, words) / (FewestWords.TOLERANCE * smallest);
        if (share < 1 + CLOSE) {
          return share < 1 - CLOSE ? words : 0;
        }
      }
      return 0;
    }

    double bitsPerKey(double rate, int blockBits, int words) {
      double steps = STEPS * BloomMath.informationBound(rate);
      int fewer = (int) steps;
      double least = at(fewer, blockBits, words);
      return least + (steps - fewer) * (at(fewer + 1, blockBits, words) - least);
    }

    private double at(int steps, int blockBits, int words) {
      if (steps == 0) {
        return 0;
      }
      int width = Integer.numberOfTrailingZeros(blockBits / LaneCover.LANE_BITS);
      int shape = width * WORDS + Integer.numberOfTrailingZeros(words);
      int slot = shape * MOST_STEPS + steps;
      Double found = known.get(slot);
      if (found == null) {
        double rate = Math.pow(2, -(double) steps / STEPS);
        double rough = 1.1 * BloomMath.bitsPerKey(rate);
        Sized solved = search(KEYS, rate, blockBits, words, (long) (KEYS * rough / blockBits));
        found = solved == null ? rough : (double) solved.shape.sizeInBits() / KEYS;
        known.set(slot, found);
      }
      return found;
    }
  }

  private static int sectorWords(int blockBits, int words) {
    return blockBits / LaneCover.LANE_BITS / words;
  }

  private static Sizing.Probes bitsPerWord(int start, int most) {
    return new Sizing.Probes(start, 1, most, 2);
  }

  /**
   * The number of distinct bits that a key sets in each of its words.
   *
   * @return 1 … 16
   */
  public int bitsPerWord() {
    return hashesPerKey / wordsPerKey;
  }

  @Override
  public long sizeInBits() {
    return blocks * blockBits;
  }

  @Override
  public double falsePositiveRate(long keys) {
    return SectorRates.exact(
        Sizing.requireLoad(keys),
        blocks,
        wordsPerKey,
        sectorWords(blockBits, wordsPerKey),
        bitsPerWord());
  }

  /**
   * {@inheritDoc} Here: log2 of the number of 64-bit words, log2 of the blocks' other words for
   * each further word of a key, 10 for the pattern and 6 to rotate it in each word.
   */
  @Override
  public int hashBits() {
    return HashBits.choice(sizeInBits() / Long.SIZE)
        + (wordsPerKey - 1) * HashBits.choice(blockBits / Long.SIZE / wordsPerKey)
        + HashBits.choice(Patterns.COUNT)
        + wordsPerKey * HashBits.choice(Long.SIZE);
  }

  /** {@inheritDoc} Here: 1, 2, 4 or 8 words of 64 bits, all in one cache line. */
  @Override
  public int memoryAccesses() {
    return wordsPerKey;
  }
}
