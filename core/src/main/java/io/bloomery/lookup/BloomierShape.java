package io.bloomery.lookup;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.RibbonLayout;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.plan.SolvedCells;
import java.util.Objects;

/**
 * The shape of a Bloomier map: solved cells of q bits, which give each key one of |R| values, and
 * any other key an arbitrary number of q bits.
 *
 * @param cells how many cells there are, and which of them a key has
 * @param cellBits q, bits per cell, 1…64; at most 32 with {@link SolvedCells.Ribbon}
 * @param values |R|, number of values, 1 … 2^32 and at most 2^q
 */
public record BloomierShape(SolvedCells cells, int cellBits, long values) implements Shape {

  /** The most values, 2^32. */
  public static final long MAX_VALUES = 1L << 32;

  /** Number of values that a plan assumes, since needs do not include it. */
  public static final int PLANNED_VALUES = 256;

  public BloomierShape {
    Objects.requireNonNull(cells, "cells");
    boolean ribbon = cells instanceof SolvedCells.Ribbon;
    Arguments.inRange("cellBits", cellBits, 1, ribbon ? RibbonLayout.MAX_COLUMNS : Long.SIZE);
    Arguments.inRange("values", values, 1, mostValues(cellBits));
    Arguments.inRange("sizeInBits", cells.sizeInBits(cellBits), 1, MAX_BITS);
  }

  private static long mostValues(int cellBits) {
    return cellBits < 32 ? 1L << cellBits : MAX_VALUES;
  }

  /**
   * The smallest map with three cells per key for a number of keys and a rate.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param falsePositiveRate the probability that any other key gets a value, in (0, 1) and at
   *     least {@code expectedKeys · 2^-57}
   * @param values number of values, 1 … 2^32
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomierShape forKeys(long expectedKeys, double falsePositiveRate, long values) {
    SolvedCells.Peeled cells =
        SolvedCells.Peeled.forKeys(expectedKeys, SolvedCells.Peeled.DEFAULT_PER_KEY);
    return forKeys(expectedKeys, falsePositiveRate, values, cells);
  }

  /**
   * Given cells of as few bits as a rate allows: q = ⌈log2(|R|/rate)⌉.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param falsePositiveRate the probability that any other key gets a value, in (0, 1), at least
   *     {@code expectedKeys · 2^-57} and at least {@code values · 2^-64}
   * @param values number of values, 1 … 2^32
   * @param cells the cells
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomierShape forKeys(
      long expectedKeys, double falsePositiveRate, long values, SolvedCells cells) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Arguments.inRange("values", values, 1, MAX_VALUES);
    double lowest = Math.scalb((double) values, -Long.SIZE);
    Sizing.requireRate(falsePositiveRate, lowest);
    int bits = 1;
    while (Math.scalb((double) values, -bits) > falsePositiveRate) {
      bits++;
    }
    return new BloomierShape(cells, bits, values);
  }

  /**
   * The widest cells that fit a given memory, with three cells per key.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param bits the budget, at most {@link Shape#MAX_BITS}
   * @param values number of values, 1 … 2^32
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the budget too small
   */
  public static BloomierShape forBudget(long expectedKeys, long bits, long values) {
    SolvedCells.Peeled cells =
        SolvedCells.Peeled.forKeys(expectedKeys, SolvedCells.Peeled.DEFAULT_PER_KEY);
    Sizing.requireBudget(bits, cells.sizeInBits(1));
    int width = (int) Math.min(Long.SIZE, bits / cells.count());
    Sizing.requireAtMost("values", values, 1, mostValues(width));
    return new BloomierShape(cells, width, values);
  }

  @Override
  public long sizeInBits() {
    return cells.sizeInBits(cellBits);
  }

  /** {@inheritDoc} Here: that a key that was not put gets a value, |R|/2^q, or 0 without keys. */
  @Override
  public double falsePositiveRate(long keys) {
    return Sizing.requireLoad(keys) == 0 ? 0 : Math.scalb((double) values, -cellBits);
  }
}
