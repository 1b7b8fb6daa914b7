package io.bloomery.deletable;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.PocketLoad;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.PocketBins;
import io.bloomery.plan.Shape;
import java.util.Objects;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a prefix filter: bins of 24 fingerprints in 256 bits or of 28 in 512, and a cuckoo
 * filter for those that overflow.
 *
 * <p>There are U fingerprints: 7,936 for each bin with remainders of 8 bits, 2,031,616 with 16. A
 * query errs if one of the n keys has its fingerprint, or if its bin cannot decide and the spare
 * filter errs: {@code c + (1 - c)·b·s}. Here {@code c = 1 - (1 - 1/U)^n}; b is the share of absent
 * fingerprints whose quotient is full or is the last of an overflowed bin, from the binomial
 * distribution of the keys over the bins; and s is the rate of the spare filter for its expected
 * number of fingerprints. At a load of 95 %, 6.4 % of the fingerprints are in the spare filter and
 * c is 0.29 %, or 0.0013 % with 16 bits; the smallest filters have loads of up to 105 % and a tenth
 * in the spare filter.
 *
 * @param bins number of bins, at least 1
 * @param remainderBits bits of a remainder: 8, for bins of 256 bits, or 16, for bins of 512
 * @param spare the filter for overflowing fingerprints
 */
public record PrefixShape(
    @FieldName("bins") long bins, @FieldName("remainder bits") int remainderBits, CuckooShape spare)
    implements Shape {

  /** The highest number of keys per slot of a bin. */
  public static final double MAX_LOAD_FACTOR = 1.05;

  private static final double PUBLISHED_LOAD_FACTOR = 0.95;

  /**
   * How many additional bins to try: more bins may take less memory, since their spare filter is
   * smaller.
   */
  private static final int FURTHER_BINS = 16;

  private static final int NARROW = 8;
  private static final int WIDE = 16;

  /** The headroom of the spare filter, in standard deviations above the expected overflow. */
  private static final int MARGIN = 6;

  /**
   * The number of consecutive widths of the spare filter that may yield larger filters before a
   * search ends.
   */
  private static final int PATIENCE = 3;

  public PrefixShape {
    Arguments.oneOf("remainderBits", remainderBits, NARROW, WIDE);
    Arguments.inRange("bins", bins, 1, mostBins(remainderBits));
    Objects.requireNonNull(spare, "spare");
  }

  private static long mostBins(int remainderBits) {
    // Two spare words, so that two words can be read from the start of any run.
    return (MAX_BITS - 2 * Long.SIZE) / binBits(remainderBits);
  }

  private static long binBits(int remainderBits) {
    return (long) PocketBins.binWords(remainderBits) * Long.SIZE;
  }

  /** Computed when first needed. */
  private static final class Tables {
    static final PocketLoad.Table EIGHT = table(NARROW);
    static final PocketLoad.Table SIXTEEN = table(WIDE);

    private static PocketLoad.Table table(int remainderBits) {
      return new PocketLoad.Table(
          PocketBins.slots(remainderBits),
          PocketBins.QUOTIENTS,
          PocketBins.MOST_OF_QUOTIENT,
          1L << remainderBits);
    }
  }

  private static PocketLoad load(long keys, long bins, int remainderBits) {
    return PocketLoad.of(keys, bins, remainderBits == NARROW ? Tables.EIGHT : Tables.SIXTEEN);
  }

  /**
   * The smallest filter for a number of keys and a rate, over both widths of remainders and all
   * widths of the spare filter's fingerprints. Rates just above 0.33 % and 0.0014 % take the least
   * memory for their accuracy; between them, bins of 16 bits have a lower rate than required, and
   * below them there are more, emptier bins.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static PrefixShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    PrefixShape best = null;
    for (int width = NARROW; width <= WIDE; width += NARROW) {
      int remainderBits = width;
      int spareBits =
          spareWidths(falsePositiveRate)
              .best(bits -> size(smallest(expectedKeys, falsePositiveRate, remainderBits, bits)));
      PrefixShape shape = smallest(expectedKeys, falsePositiveRate, width, spareBits);
      best = size(shape) < size(best) ? shape : best;
    }
    if (best == null) {
      throw Sizing.tooLarge("a prefix filter", expectedKeys, falsePositiveRate);
    }
    return best;
  }

  /**
   * The widths of the spare filter's fingerprints, starting with the one that adds a tenth to a
   * rate.
   */
  private static Sizing.Probes spareWidths(double rate) {
    return new Sizing.Probes((int) (Math.log(4 / rate) / Math.log(2)), 4, 32, PATIENCE);
  }

  private static double size(@Nullable PrefixShape shape) {
    return shape == null || shape.sizeInBits() > MAX_BITS
        ? Double.POSITIVE_INFINITY
        : (double) shape.sizeInBits();
  }

  /** The smallest shape with given widths, or null if there is none. */
  private static @Nullable PrefixShape smallest(
      long keys, double rate, int remainderBits, int spareBits) {
    long least = leastBins(keys, remainderBits);
    long most = mostBins(remainderBits);
    if (least > most) {
      return null;
    }
    long bins = least;
    if (rate(keys, least, remainderBits, spareBits) > rate) {
      double fingerprints = -1 / Math.expm1(Math.log1p(-rate) / keys);
      double guess = fingerprints / PocketBins.fingerprints(remainderBits) - least;
      bins =
          SizeSearch.smallest(
              more -> rate(keys, least + more, remainderBits, spareBits),
              rate,
              (long) Math.min(guess, (double) (most - least)),
              most - least);
      bins += bins < 0 ? 0 : least;
    }
    return bins < 0 ? null : withSpare(keys, bins, remainderBits, spareBits);
  }

  private static double rate(long keys, long bins, int remainderBits, int spareBits) {
    return withSpare(keys, bins, remainderBits, spareBits).falsePositiveRate(keys);
  }

  private static long leastBins(long keys, int remainderBits) {
    long bins = (long) Math.ceil(keys / (MAX_LOAD_FACTOR * PocketBins.slots(remainderBits)));
    return capacity(bins, remainderBits) < keys ? bins + 1 : bins;
  }

  private static PrefixShape withSpare(long keys, long bins, int remainderBits, int spareBits) {
    long spare = (long) most(load(keys, bins, remainderBits));
    return new PrefixShape(
        bins, remainderBits, CuckooShape.forFingerprints(Math.max(1, spare), spareBits));
  }

  /** An upper bound on the number of fingerprints that overflow. */
  private static double most(PocketLoad load) {
    return Math.ceil(load.overflow() + MARGIN * Math.sqrt(load.variance()) + MARGIN);
  }

  /**
   * The filter with the lowest rate that holds a number of keys within a memory budget.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 288 … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the keys do not fit
   */
  public static PrefixShape forBudget(long expectedKeys, long bits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Sizing.requireBudget(bits, binBits(NARROW) + Integer.SIZE);
    PrefixShape best = null;
    for (int width = NARROW; width <= WIDE; width += NARROW) {
      int remainderBits = width;
      int spareBits =
          new Sizing.Probes(width, 4, 32, 32)
              .best(each -> rate(largest(expectedKeys, bits, remainderBits, each), expectedKeys));
      PrefixShape shape = largest(expectedKeys, bits, width, spareBits);
      best = rate(shape, expectedKeys) < rate(best, expectedKeys) ? shape : best;
    }
    if (best == null) {
      throw Arguments.impossible(
          Arguments.named("bits", bits),
          " has no room for ",
          Arguments.named("expectedKeys", expectedKeys),
          " in bins");
    }
    return best;
  }

  private static double rate(@Nullable PrefixShape shape, long keys) {
    return shape == null ? 1 : shape.falsePositiveRate(keys);
  }

  /**
   * The shape of the most bins within a budget, or null if there is none. One more bin can save
   * buckets of the spare filter, so the size is not monotonic; a few further bins are tried.
   */
  private static @Nullable PrefixShape largest(
      long keys, long bits, int remainderBits, int spareBits) {
    LongPredicate fits =
        bins -> withSpare(keys, bins, remainderBits, spareBits).sizeInBits() <= bits;
    long most = Math.min(bits / binBits(remainderBits), mostBins(remainderBits));
    long low = leastBins(keys, remainderBits);
    long last = Math.min(most, low + FURTHER_BINS);
    while (low < last && !fits.test(low)) {
      low++;
    }
    if (low > most || !fits.test(low)) {
      return null;
    }
    long high = most + 1;
    while (high - low > 1) {
      long middle = low + (high - low) / 2;
      if (fits.test(middle)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    for (long bins = Math.min(most, low + FURTHER_BINS); bins > low; bins--) {
      low = fits.test(bins) ? bins : low;
    }
    return withSpare(keys, low, remainderBits, spareBits);
  }

  /**
   * The filter of a given number of bins with a spare filter for a load of 95 %, as papers specify
   * it.
   *
   * @param bins number of bins, at least 1
   * @param remainderBits bits of a remainder, 8 or 16
   * @param spareBits bits of a fingerprint in the spare filter, 4 … 32
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static PrefixShape of(long bins, int remainderBits, int spareBits) {
    Arguments.oneOf("remainderBits", remainderBits, NARROW, WIDE);
    Arguments.inRange("bins", bins, 1, mostBins(remainderBits));
    long keys = (long) (PUBLISHED_LOAD_FACTOR * PocketBins.slots(remainderBits) * bins);
    return withSpare(keys, bins, remainderBits, spareBits);
  }

  private static long capacity(long bins, int remainderBits) {
    return (long) (MAX_LOAD_FACTOR * PocketBins.slots(remainderBits) * bins);
  }

  /**
   * The number of distinct keys that the filter is designed for: as many as the spare filter
   * allows, at most {@link #MAX_LOAD_FACTOR} for each slot of a bin. More fit until the spare
   * filter is full.
   *
   * @return number of keys
   */
  public long capacity() {
    long low = 0;
    long high = capacity(bins, remainderBits) + 1;
    if (fits(high - 1)) {
      return high - 1;
    }
    while (high - low > 1) {
      long middle = low + (high - low) / 2;
      if (fits(middle)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean fits(long keys) {
    return most(load(keys, bins, remainderBits)) <= spare.capacity();
  }

  @Override
  public long maxKeys() {
    return capacity();
  }

  /**
   * How many fingerprints a bin holds.
   *
   * @return 24 or 28
   */
  public int binSlots() {
    return PocketBins.slots(remainderBits);
  }

  /**
   * How many different pairs of bin and fingerprint there are.
   *
   * @return {@code bins · 31 · 2^remainderBits}
   */
  public long fingerprints() {
    return bins * PocketBins.fingerprints(remainderBits);
  }

  /**
   * The expected number of fingerprints in the spare filter.
   *
   * @param keys number of distinct keys added, 0 … {@link Shape#MAX_LOAD}
   * @return the number
   */
  public double expectedSpare(long keys) {
    return load(Sizing.requireLoad(keys), bins, remainderBits).overflow();
  }

  @Override
  public long sizeInBits() {
    return bins * binBits(remainderBits) + spare.sizeInBits();
  }

  @Override
  public double falsePositiveRate(long keys) {
    PocketLoad load = load(Sizing.requireLoad(keys), bins, remainderBits);
    double equal = -Math.expm1(keys * Math.log1p(-1.0 / fingerprints()));
    // Interpolates between two whole numbers of fingerprints in the spare filter.
    long whole = Math.min((long) load.overflow(), MAX_LOAD - 1);
    double part = Math.min(1, load.overflow() - whole);
    double errs =
        (1 - part) * spare.falsePositiveRate(whole) + part * spare.falsePositiveRate(whole + 1);
    return equal + (1 - equal) * load.elsewhere() * errs;
  }
}
