package io.bloomery.lookup;

import io.bloomery.QueryCost;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.MaskRates;
import io.bloomery.internal.numeric.Occupancy;
import io.bloomery.internal.numeric.SetCode;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.HashBits;
import java.util.Arrays;

/**
 * The shape of a bank of Bloom filters that share their hashes. Each set has a code that determines
 * which filters its keys are in: one filter per set, one per binary digit of a set's number, or a
 * constant number of ones among fewer filters than sets.
 *
 * @param sets number of sets, 1 … {@link #MAX_SETS}
 * @param weight filters per set: 1 for one filter per set, 2 … 31 for codes of constant weight, 0
 *     for binary codes, whose weights vary
 * @param rows m, bits of each filter, 2 or more
 * @param hashesPerKey k, hashes per key, 1 … 255 and at most the rows
 */
public record BankShape(
    @FieldName("sets") int sets,
    @FieldName("weight") int weight,
    @FieldName("rows") long rows,
    @FieldName("probes") int hashesPerKey)
    implements Shape, QueryCost {

  /** The most sets of a bank. */
  public static final int MAX_SETS = (1 << 20) - 1;

  /** The weight of a bank with one filter per set. */
  public static final int ONE_HOT = 1;

  /** The weight that denotes binary codes. */
  public static final int BINARY = 0;

  /** Number of sets that a plan assumes, since needs do not include it. */
  public static final int PLANNED_SETS = 64;

  /** Number of values that a plan with binary codes assumes, since needs do not include it. */
  public static final int PLANNED_VALUES = 255;

  private static final int MAX_WEIGHT = 31;

  public BankShape {
    requireCode(sets, weight);
    Arguments.inRange("rows", rows, 2, MAX_BITS / rowBits(sets, weight));
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, rows));
  }

  private static void requireCode(int sets, int weight) {
    Arguments.inRange("sets", sets, 1, MAX_SETS);
    Arguments.inRange("weight", weight, 0, MAX_WEIGHT);
    if (weight > ONE_HOT) {
      int most = (int) Math.min(MAX_SETS, SetCode.choose(SetCode.MAX_COLUMNS, weight));
      Arguments.inRange("sets", sets, 1, most);
    }
  }

  /** Rows of up to 64 columns are packed without gaps, wider ones are whole words. */
  private static long rowBits(int sets, int weight) {
    int columns = SetCode.columns(sets, weight);
    return columns <= Long.SIZE ? columns : (columns + Long.SIZE - 1L) / Long.SIZE * Long.SIZE;
  }

  /**
   * The smallest bank with one filter per set in which every filter has a given rate.
   *
   * @param sets number of sets, 1 … {@link #MAX_SETS}
   * @param keysPerSet keys of the largest set, 1 or more; all sets together have at most {@link
   *     Shape#MAX_KEYS}
   * @param falsePositiveRate the rate of each filter, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static BankShape forSets(int sets, long keysPerSet, double falsePositiveRate) {
    return forSets(sets, keysPerSet, falsePositiveRate, ONE_HOT);
  }

  /**
   * The smallest bank in which every filter has a given rate.
   *
   * @param sets number of sets, 1 … {@link #MAX_SETS}
   * @param keysPerSet keys of the largest set, 1 or more; all sets together have at most {@link
   *     Shape#MAX_KEYS}
   * @param falsePositiveRate the rate of each filter, in (0, 1)
   * @param weight filters per set, as in the shape
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static BankShape forSets(int sets, long keysPerSet, double falsePositiveRate, int weight) {
    requireCode(sets, weight);
    Arguments.inRange("keysPerSet", keysPerSet, 1, MAX_KEYS / sets);
    long most = 0;
    for (long load : loads(sets, weight, sets)) {
      most = Math.max(most, load * keysPerSet);
    }
    long keys = most;
    double rate = falsePositiveRate;
    Sizing.requireTarget(keys, rate);
    return sized(sets, weight, keys, rate, rate, (rows, k) -> BloomMath.exactRate(rows, keys, k));
  }

  /**
   * The smallest bank that reports keys of no set at most at a given rate.
   *
   * @param expectedKeys distinct keys of all sets together, evenly distributed, 1 … {@link
   *     Shape#MAX_KEYS}
   * @param falsePositiveRate how often a key of no set may have an answer, in (0, 1)
   * @param sets number of sets, 1 … {@link #MAX_SETS}
   * @param weight filters per set, as in the shape
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static BankShape forKeys(
      long expectedKeys, double falsePositiveRate, int sets, int weight) {
    double rate = falsePositiveRate;
    Sizing.requireTarget(expectedKeys, rate);
    requireCode(sets, weight);
    double each = Math.pow(rate / columns(sets, weight), 1.0 / Math.max(1, weight));
    Load load = new Load(sets, weight, expectedKeys);
    return sized(sets, weight, load.mostKeys(), each, rate, load::rate);
  }

  /**
   * The best bank for a number of keys in a given memory.
   *
   * @param expectedKeys distinct keys of all sets together, evenly distributed, 1 … {@link
   *     Shape#MAX_KEYS}
   * @param bits the budget, two rows or more
   * @param sets number of sets, 1 … {@link #MAX_SETS}
   * @param weight filters per set, as in the shape
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BankShape forBudget(long expectedKeys, long bits, int sets, int weight) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    requireCode(sets, weight);
    long rows = Sizing.requireBudget(bits, 2 * rowBits(sets, weight)) / rowBits(sets, weight);
    int most = (int) Math.min(MAX_HASHES_PER_KEY, rows);
    Load load = new Load(sets, weight, expectedKeys);
    int hashesPerKey =
        new Sizing.Probes(BloomMath.optimalProbes(rows, load.mostKeys()), 1, most, 2)
            .best(k -> load.rate(rows, k));
    return new BankShape(sets, weight, rows, hashesPerKey);
  }

  private static BankShape sized(
      int sets, int weight, long keys, double each, double rate, Sizing.RateOf rateOf) {
    double wanted = Math.min(each, 0.5);
    long guess = Math.max(2, (long) (keys * BloomMath.bitsPerKey(wanted)));
    int start = Math.max(1, (int) Math.round(BloomMath.informationBound(wanted)));
    long most = MAX_BITS / rowBits(sets, weight);
    Sizing.RateOf possible = (rows, k) -> rows < Math.max(2, k) ? 1 : rateOf.at(rows, k);
    Sizing.Choice choice =
        Sizing.smallest(
            possible,
            rate,
            guess,
            most,
            new Sizing.Probes(start, 1, Sizing.mostProbes(Math.min(each, rate), 1), 2));
    if (choice == null) {
      throw Sizing.tooLarge("a filter bank", keys, rate);
    }
    return new BankShape(sets, weight, choice.size(), choice.hashesPerKey());
  }

  private static int columns(int sets, int weight) {
    return SetCode.columns(sets, weight);
  }

  /** How many of the first {@code first} sets each filter holds. */
  private static long[] loads(int sets, int weight, int first) {
    SetCode code = SetCode.of(sets, weight);
    long[] loads = new long[code.columns()];
    for (int set = 0; set < first; set++) {
      if (weight == ONE_HOT) {
        loads[set]++;
      } else {
        for (long left = code.code(set); left != 0; left &= left - 1) {
          loads[Long.numberOfTrailingZeros(left)]++;
        }
      }
    }
    return loads;
  }

  /**
   * How many filters there are.
   *
   * @return the number of sets, or fewer if they have codes
   */
  public int filters() {
    return columns(sets, weight);
  }

  @Override
  public long sizeInBits() {
    return rows * rowBits(sets, weight);
  }

  /**
   * The most 64-bit words that a query reads.
   *
   * @return k rows of as many words as a row has, or two where a row may straddle words
   */
  public int wordsPerQuery() {
    int filters = filters();
    boolean straddles = filters < Long.SIZE && Long.SIZE % filters != 0;
    return hashesPerKey * (straddles ? 2 : (filters + Long.SIZE - 1) / Long.SIZE);
  }

  /**
   * {@inheritDoc} Here: the probability that a key of no set has an answer, when the keys are
   * distributed evenly over the sets.
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return new Load(sets, weight, keys).rate(rows, hashesPerKey);
  }

  /**
   * The probability that a key of a set is reported in others too, or with codes that its answer is
   * not its code: 1 - (1 - f)^z, where z is the number of filters that the key is not in.
   *
   * @param keys number of distinct keys of all sets together, evenly distributed, 0 … {@link
   *     Shape#MAX_LOAD}
   * @return the mean of that over all keys
   */
  public double wrongRate(long keys) {
    Sizing.requireLoad(keys);
    double[] rates = new Load(sets, weight, keys).filterRates(rows, hashesPerKey);
    double none = 0;
    for (double rate : rates) {
      none += Math.log1p(-Math.min(rate, 1 - 0x1p-53));
    }
    SetCode code = SetCode.of(sets, weight);
    double sum = 0;
    for (int set = 0; set < sets; set++) {
      double others = none;
      if (weight == ONE_HOT) {
        others -= Math.log1p(-Math.min(rates[set], 1 - 0x1p-53));
      } else {
        for (long left = code.code(set); left != 0; left &= left - 1) {
          double own = rates[Long.numberOfTrailingZeros(left)];
          others -= Math.log1p(-Math.min(own, 1 - 0x1p-53));
        }
      }
      sum -= Math.expm1(others);
    }
    return sum / sets;
  }

  /** Keys distributed evenly over the sets; the first sets take the remainder. */
  private static final class Load {
    private final SetCode code;
    private final long each;
    private final int oneMore;
    private final long[] filterKeys;

    Load(int sets, int weight, long keys) {
      this.code = SetCode.of(sets, weight);
      this.each = keys / sets;
      this.oneMore = (int) (keys % sets);
      this.filterKeys = loads(sets, weight, sets);
      long[] more = loads(sets, weight, oneMore);
      for (int j = 0; j < filterKeys.length; j++) {
        filterKeys[j] = filterKeys[j] * each + more[j];
      }
    }

    /** The keys of the fullest filter. */
    long mostKeys() {
      return Arrays.stream(filterKeys).max().orElseThrow();
    }

    double rate(long rows, int hashesPerKey) {
      if (code.weight() == ONE_HOT) {
        return oneHotRate(rows, hashesPerKey);
      }
      return code.columns() <= MaskRates.MAX_COLUMNS
          ? MaskRates.answered(atLeast(rows, hashesPerKey), code)
          : MaskRates.atLeast(filterRates(rows, hashesPerKey), Math.max(1, code.weight()));
    }

    /** Repeated rows of a key are the same in all filters, so their errors are correlated. */
    private double oneHotRate(long rows, int hashesPerKey) {
      double[] distinct = Occupancy.distinct(rows, hashesPerKey);
      double sum = 0;
      for (int d = distinct.length - 1; d > 0 && distinct[d] > 1e-18 * sum; d--) {
        double none = oneMore == 0 ? 0 : oneMore * absent(rows, (each + 1) * hashesPerKey, d);
        none += each == 0 ? 0 : (code.sets() - oneMore) * absent(rows, each * hashesPerKey, d);
        sum -= distinct[d] * Math.expm1(none);
      }
      return Math.min(1, sum);
    }

    /** The logarithm of the probability that a filter lacks one of some given rows. */
    private static double absent(long rows, long balls, int targets) {
      return Math.log1p(-Math.min(1 - 0x1p-53, Occupancy.covered(rows, balls, targets)));
    }

    double[] filterRates(long rows, int hashesPerKey) {
      double[] rates = new double[filterKeys.length];
      for (int j = 0; j < rates.length; j++) {
        boolean again = j > 0 && filterKeys[j] == filterKeys[j - 1];
        rates[j] = again ? rates[j - 1] : BloomMath.exactRate(rows, filterKeys[j], hashesPerKey);
      }
      return rates;
    }

    /**
     * The probability that a key of no set is found in all filters of each mask. It is exact for a
     * single filter. For several it is the k-th power of the share of rows that have all their
     * bits, with keys of common sets taken into account in the mean of that share but not in its
     * variance.
     */
    private double[] atLeast(long rows, int hashesPerKey) {
      double[] within = new double[1 << code.columns()];
      for (int set = 0; set < code.sets(); set++) {
        within[(int) code.code(set)] = each + (set < oneMore ? 1 : 0);
      }
      MaskRates.sumOfSubsets(within);
      int last = within.length - 1;
      double[] share = new double[within.length];
      for (int mask = 0; mask <= last; mask++) {
        double zero =
            Math.exp(hashesPerKey * (within[last] - within[last ^ mask]) * missed(rows, 1));
        share[mask] = (Integer.bitCount(mask) & 1) == 0 ? zero : -zero;
      }
      MaskRates.sumOfSubsets(share);
      double[] rates = filterRates(rows, hashesPerKey);
      share[0] = 1;
      for (int mask = 1; mask <= last; mask++) {
        if (Integer.bitCount(mask) == 1) {
          share[mask] = rates[Integer.numberOfTrailingZeros(mask)];
          continue;
        }
        share[mask] = power(Math.max(0, share[mask]), mask, rows, hashesPerKey);
        for (int left = mask; left != 0; left &= left - 1) {
          share[mask] = Math.min(share[mask], share[mask ^ Integer.lowestOneBit(left)]);
        }
      }
      return share;
    }

    private double power(double share, int mask, long rows, int hashesPerKey) {
      if (share == 0) {
        return 0;
      }
      double one = 1;
      double two = 1;
      for (int left = mask; left != 0; left &= left - 1) {
        double throwsAt = (double) filterKeys[Integer.numberOfTrailingZeros(left)] * hashesPerKey;
        double zero = Math.exp(throwsAt * missed(rows, 1));
        one *= 1 - zero;
        two *= 1 - 2 * zero + Math.exp(throwsAt * missed(rows, 2));
      }
      double relative = (1 / share - 1) / rows + (one == 0 ? 0 : two / (one * one) - 1);
      double factor = Math.exp(0.5 * hashesPerKey * (hashesPerKey - 1) * Math.max(0, relative));
      return Math.min(share, Math.pow(share, hashesPerKey) * factor);
    }

    /** The logarithm of the probability that a throw misses some rows. */
    private static double missed(long rows, int some) {
      return rows == some ? -1e300 : Math.log1p(-(double) some / rows);
    }
  }

  /** {@inheritDoc} Here: k·log2 of the rows. */
  @Override
  public int hashBits() {
    return HashBits.bloom(rows, hashesPerKey);
  }

  /** {@inheritDoc} Here: {@link #wordsPerQuery}. */
  @Override
  public int memoryAccesses() {
    return wordsPerQuery();
  }
}
