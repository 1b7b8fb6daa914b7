package io.bloomery.window;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Pmf;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a stable Bloom filter: each add first decrements a few cells, then sets one cell in
 * each of {@code hashesPerKey} slices to its maximum.
 *
 * <p>All formulas are exact for single cells. With q = k/m the probability that a key sets a given
 * cell and δ = P/m that it decrements it, a cell is zero in the limit of infinitely many adds with
 * probability z^Max, z = δ(1−q)/(δ(1−q)+q) = 1/(1 + 1/(P(1/k − 1/m))) (Deng and Rafiei 2006,
 * "Approximately Detecting Duplicates for Streaming Data using Stable Bloom Filters", theorem 2).
 * For finitely many adds the formulas contain the tail of a binomial distribution.
 *
 * @param cells m, a multiple of the hashes per key
 * @param cellBits width of a cell, 1 … 8; its maximum is Max = 2^cellBits − 1
 * @param hashesPerKey k, hashes per key, 1 … 255 and fewer than the cells
 * @param decrements P, cells that each add decrements, 1 … cells
 */
public record StableShape(
    @FieldName("cells") long cells,
    @FieldName("cell bits") int cellBits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("decrements") int decrements)
    implements Shape {

  private static final int MAX_CELL_BITS = 8;
  private static final double NEVER = 1e9;

  public StableShape {
    Arguments.inRange("cellBits", cellBits, 1, MAX_CELL_BITS);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, MAX_HASHES_PER_KEY);
    Arguments.inRange(
        "cells", cells, 2L * hashesPerKey, MAX_BITS / Long.SIZE * (Long.SIZE / cellBits));
    Arguments.inRange("decrements", decrements, 1, Math.min(cells, Integer.MAX_VALUE));
    Arguments.multipleOf("cells", cells, "hashesPerKey", hashesPerKey);
  }

  /**
   * The smallest shape for a window, with one rate for both errors: of false positives in the limit
   * of infinitely many adds, and of false negatives for a key at the end of the window.
   *
   * @param expectedKeys adds that make a window, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate both rates, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static StableShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forWindow(expectedKeys, falsePositiveRate, falsePositiveRate);
  }

  /**
   * The smallest shape for a window, with separate rates of false positives in the limit of
   * infinitely many adds and of false negatives.
   *
   * @param expectedKeys adds that make a window, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the false-positive rate, in (0, 1)
   * @param falseNegativeRate the false-negative rate of a key at the end of the window, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static StableShape forWindow(
      long expectedKeys, double falsePositiveRate, double falseNegativeRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Arguments.rate("falseNegativeRate", falseNegativeRate);
    return smallest(
        expectedKeys,
        falsePositiveRate,
        shape -> shape.falseNegativeRate(expectedKeys),
        falseNegativeRate);
  }

  /**
   * The smallest shape in which a cell that is not set again lives for a number of adds on average.
   *
   * @param adds the mean lifetime of a cell, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate in the limit of infinitely many adds, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static StableShape forLifetime(long adds, double falsePositiveRate) {
    Arguments.inRange("adds", adds, 1, MAX_KEYS);
    Sizing.requireTarget(adds, falsePositiveRate);
    return smallest(adds, falsePositiveRate, shape -> adds / shape.meanLifetime(), 1);
  }

  private static StableShape smallest(
      long keys, double rate, ToDoubleFunction<StableShape> loss, double most) {
    StableShape best = null;
    for (int width = 1; width <= MAX_CELL_BITS; width++) {
      for (int k = 1; k <= Sizing.mostProbes(rate, 1); k++) {
        StableShape shape = smallest(keys, rate, width, k, loss, most);
        if (shape != null && (best == null || shape.sizeInBits() < best.sizeInBits())) {
          best = shape;
        }
      }
    }
    if (best == null) {
      throw Sizing.tooLarge("a stable Bloom filter", keys, rate);
    }
    return best;
  }

  private static @Nullable StableShape smallest(
      long keys,
      double rate,
      int width,
      int hashesPerKey,
      ToDoubleFunction<StableShape> loss,
      double most) {
    int max = (1 << width) - 1;
    long slices = MAX_BITS / Long.SIZE * (Long.SIZE / width) / hashesPerKey;
    long guess =
        (long) (keys * decrements(Long.MAX_VALUE, hashesPerKey, max, rate) / max / hashesPerKey)
            + 2;
    long slice =
        SizeSearch.smallest(
            size -> {
              StableShape shape = sized((size + 1) * hashesPerKey, width, hashesPerKey, rate);
              return shape == null ? NEVER : loss.applyAsDouble(shape);
            },
            most,
            guess,
            slices - 1);
    return slice < 0 ? null : sized((slice + 1) * hashesPerKey, width, hashesPerKey, rate);
  }

  /**
   * The shape with this many cells and a given rate, or null if it needs more decrements than
   * allowed.
   */
  private static @Nullable StableShape sized(long cells, int width, int hashesPerKey, double rate) {
    double decrements = decrements(cells, hashesPerKey, (1 << width) - 1, rate);
    return decrements > Math.min(cells, Integer.MAX_VALUE)
        ? null
        : new StableShape(cells, width, hashesPerKey, (int) decrements);
  }

  /**
   * The shape of given cells whose rate in the limit of infinitely many adds is at most {@code
   * falsePositiveRate}: P = 1/((1/(1−f^(1/k))^(1/Max) − 1)(1/k − 1/m)), rounded up because rounding
   * down breaks the rate.
   *
   * @param cells the number of cells; rounded down to a multiple of the hashes per key
   * @param cellBits width of a cell, 1 … 8
   * @param hashesPerKey hashes per key
   * @param falsePositiveRate the rate in the limit of infinitely many adds, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range, or more cells would have
   *     to be decremented than there are
   */
  public static StableShape ofCells(
      long cells, int cellBits, int hashesPerKey, double falsePositiveRate) {
    double rate = Arguments.rate("falsePositiveRate", falsePositiveRate);
    StableShape checked =
        new StableShape(cells / hashesPerKey * hashesPerKey, cellBits, hashesPerKey, 1);
    double decrements = decrements(checked.cells, hashesPerKey, checked.max(), rate);
    if (decrements > checked.cells) {
      throw Arguments.refused(
          Arguments.named("falsePositiveRate", rate),
          " needs ",
          decrements,
          " decrements of only ",
          cells,
          " cells");
    }
    return new StableShape(checked.cells, cellBits, hashesPerKey, (int) decrements);
  }

  /**
   * The shape of a given memory with the longest mean lifetime at a rate.
   *
   * @param bits the memory, 64 or more
   * @param falsePositiveRate the rate in the limit of infinitely many adds, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the memory too small
   */
  public static StableShape ofBits(long bits, double falsePositiveRate) {
    long words = Sizing.requireBudget(bits, Long.SIZE) / Long.SIZE;
    double rate = Arguments.rate("falsePositiveRate", falsePositiveRate);
    StableShape best = null;
    for (int width = 1; width <= MAX_CELL_BITS; width++) {
      for (int k = 1; k <= Sizing.mostProbes(rate, 1); k++) {
        long cells = words * (Long.SIZE / width) / k * k;
        if (cells < 2L * k || decrements(cells, k, (1 << width) - 1, rate) > cells) {
          continue;
        }
        StableShape shape = ofCells(cells, width, k, rate);
        if (best == null || shape.meanLifetime() > best.meanLifetime()) {
          best = shape;
        }
      }
    }
    if (best == null) {
      throw Arguments.refused(
          Arguments.named("bits", bits),
          " is too few for ",
          Arguments.named("falsePositiveRate", rate));
    }
    return best;
  }

  private static double decrements(long cells, int hashesPerKey, int max, double rate) {
    double zero = Math.pow(-Math.expm1(Math.log(rate) / hashesPerKey), 1.0 / max);
    double exact = 1 / ((1 / zero - 1) * (1.0 / hashesPerKey - 1.0 / cells));
    return Math.max(1, Math.ceil(exact * (1 + 1e-12)));
  }

  /**
   * The highest value of a cell.
   *
   * @return Max, 2^cellBits − 1
   */
  public int max() {
    return (1 << cellBits) - 1;
  }

  /**
   * The mean number of adds that a cell lives for if it is not set again: Max·m/P. (Some texts
   * print its inverse.)
   *
   * @return the mean lifetime in adds
   */
  public double meanLifetime() {
    return (double) max() * cells / decrements;
  }

  /**
   * The share of cells that are zero in the limit of infinitely many adds.
   *
   * @return 0 … 1
   */
  public double stableZeroShare() {
    return Math.pow(survival(), max());
  }

  /**
   * The false-positive rate in the limit of infinitely many adds.
   *
   * @return (1 − zero share)^k
   */
  public double stableRate() {
    return Math.pow(1 - stableZeroShare(), hashesPerKey);
  }

  /**
   * The share of cells that are zero after distinct keys were added to an empty filter.
   *
   * @param keys number of keys, 0 … {@link Shape#MAX_LOAD}
   * @return 0 … 1
   */
  public double zeroShare(long keys) {
    Sizing.requireLoad(keys);
    if (keys == 0) {
      return 1;
    }
    double neverSet = Math.exp(keys * Math.log1p(-set()));
    double few = 1 - Pmf.binomial(keys - 1, taken(), max() - 1).above();
    return Math.min(1, neverSet * few + stableZeroShare() * reaches(keys - 1));
  }

  @Override
  public double falsePositiveRate(long keys) {
    return Math.pow(1 - zeroShare(keys), hashesPerKey);
  }

  /**
   * The probability that a key is reported absent after other keys were added.
   *
   * @param gap number of distinct keys added after it, 0 … {@link Shape#MAX_LOAD}
   * @return the false-negative rate
   */
  public double falseNegativeRate(long gap) {
    Sizing.requireLoad(gap);
    double zero = stableZeroShare() * reaches(gap);
    return -Math.expm1(hashesPerKey * Math.log1p(-zero));
  }

  @Override
  public long sizeInBits() {
    int perWord = Long.SIZE / cellBits;
    return (cells + perWord - 1) / perWord * Long.SIZE;
  }

  private double set() {
    return (double) hashesPerKey / cells;
  }

  private double taken() {
    return (double) decrements / cells;
  }

  private double survival() {
    double taken = taken() * (1 - set());
    return taken / (taken + set());
  }

  /** The probability of Max or more in n trials that are a decrement or a setting. */
  private double reaches(long n) {
    return Pmf.binomial(n, 1 - (1 - taken()) * (1 - set()), max() - 1).above();
  }
}
