package io.bloomery.lookup;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.PeeledCells;
import io.bloomery.plan.Shape;
import io.bloomery.plan.SolvedCells;
import java.util.Objects;

/**
 * The shape of a Bloomier map: solved cells of q bits, which give each key one of |R| values, and
 * an outsider any number of q bits.
 *
 * @param cells how many cells there are, and which a key has
 * @param cellBits q, bits of a cell, 1…64
 * @param values |R|, how many values there are, 1 … 2^32 and at most 2^q
 */
public record BloomierShape(SolvedCells cells, int cellBits, long values) implements Shape {

  /** The most values, 2^32. */
  public static final long MAX_VALUES = 1L << 32;

  /**
   * Checks the fields.
   *
   * @param cells how many cells there are, and which a key has
   * @param cellBits bits of a cell
   * @param values how many values there are
   * @throws IllegalArgumentException if a field is outside its range
   */
  public BloomierShape {
    Objects.requireNonNull(cells, "cells");
    Arguments.inRange("cellBits", cellBits, 1, Long.SIZE);
    Arguments.inRange("values", values, 1, cellBits < 32 ? 1L << cellBits : MAX_VALUES);
    Arguments.inRange("sizeInBits", cells.sizeInBits(cellBits), 1, MAX_BITS);
  }

  /**
   * The smallest map with k = 3 whose rate is at most {@code rate}.
   *
   * @param keys different keys, 1 … 2^27
   * @param values how many values there are, 1 … 2^32
   * @param rate the chance that an outsider gets a value, in (0, 1) and at least {@code keys ·
   *     2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomierShape forKeys(long keys, long values, double rate) {
    return forKeys(keys, values, rate, PeeledCells.forKeys(keys, PeeledCells.DEFAULT_PER_KEY));
  }

  /**
   * Cells of as few bits as a rate allows: q = ⌈log2(|R|/rate)⌉.
   *
   * @param keys different keys, 1 … 2^27
   * @param values how many values there are, 1 … 2^32
   * @param rate the chance that an outsider gets a value, in (0, 1) and at least {@code keys ·
   *     2^-57}
   * @param cells the cells
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomierShape forKeys(long keys, long values, double rate, SolvedCells cells) {
    Sizing.requireTarget(keys, rate);
    Arguments.inRange("values", values, 1, MAX_VALUES);
    int bits = 1;
    while (Math.scalb((double) values, -bits) > rate) {
      bits++;
    }
    if (bits > Long.SIZE) {
      throw new IllegalArgumentException(
          "rate = "
              + rate
              + " with values = "
              + values
              + " needs cells of "
              + bits
              + " bits; 64 are possible");
    }
    return new BloomierShape(cells, bits, values);
  }

  /**
   * The widest cells that fit a given memory, with k = 3.
   *
   * @param keys different keys, 1 … 2^27
   * @param values how many values there are, 1 … 2^32
   * @param bits the budget, at most {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the budget too small
   */
  public static BloomierShape forBudget(long keys, long values, long bits) {
    PeeledCells cells = PeeledCells.forKeys(keys, PeeledCells.DEFAULT_PER_KEY);
    Sizing.requireBudget(bits, cells.sizeInBits(1));
    int width = (int) Math.min(Long.SIZE, bits / cells.count());
    return new BloomierShape(cells, width, values);
  }

  @Override
  public long sizeInBits() {
    return cells.sizeInBits(cellBits);
  }

  /**
   * The chance that an outsider gets a value.
   *
   * @param keys number of different keys
   * @return |R|/2^q, or 0 without keys
   */
  @Override
  public double falsePositiveRate(long keys) {
    return Sizing.requireLoad(keys) == 0 ? 0 : Math.scalb((double) values, -cellBits);
  }
}
