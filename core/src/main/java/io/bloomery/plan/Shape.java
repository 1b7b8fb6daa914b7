package io.bloomery.plan;

import io.bloomery.error.ImpossibleSizeException;
import io.bloomery.internal.check.Limits;
import java.util.Optional;

/**
 * The fixed parameters of one kind of filter: an immutable value, compared by its fields, that
 * knows its size and its own exact false-positive rate.
 *
 * <p>Every {@code forKeys(keys, rate, …)} factory of an implementation gives a shape whose expected
 * rate at {@code keys} keys is at most {@code rate} and whose size is within 0.5 % (or one block)
 * of the smallest of its kind that achieves it. They accept 1 … {@link #MAX_KEYS} keys and refuse a
 * rate below {@code keys · 2^-57}, which a 64-bit hash cannot promise.
 */
public interface Shape {

  /** The largest size in bits: one {@code long[]} of the largest portable length. */
  long MAX_BITS = Limits.MAX_BITS;

  /** The largest number of keys a shape can be sized for, 2^36. */
  long MAX_KEYS = Limits.MAX_KEYS;

  /** The largest number of keys a rate can be computed for, 2^53 (a filter may be overfilled). */
  long MAX_LOAD = Limits.MAX_LOAD;

  /** The largest number of bits that one key may set. */
  int MAX_HASHES_PER_KEY = Limits.MAX_HASHES_PER_KEY;

  /**
   * The memory of the filter's cells.
   *
   * @return the size in bits
   */
  long sizeInBits();

  /**
   * The expected false-positive rate after distinct keys were added, by the kind's own formula
   * under uniform, independent hashes.
   *
   * @param keys number of distinct keys added, 0 … {@link #MAX_LOAD}
   * @return the probability, 0 … 1, that a key that was not added is reported present
   * @throws IllegalArgumentException if {@code keys} is outside its range
   */
  double falsePositiveRate(long keys);

  /**
   * How many keys a filter of this shape holds before it rejects more.
   *
   * @return a number of keys; {@link #MAX_LOAD} if it rejects none, as for most kinds
   */
  default long maxKeys() {
    return MAX_LOAD;
  }

  /**
   * The shape that a filter of this shape has after it grew to hold a number of keys.
   *
   * @param keys distinct keys added, 1 or more
   * @return this shape, unless the kind grows
   * @throws IllegalArgumentException if it cannot grow that far
   */
  default Shape grownTo(long keys) {
    return this;
  }

  /**
   * The result of sizing: the shape that fits the needs, or the reason why the variant has none,
   * such as a budget below its smallest size. Immutable.
   */
  public static final class Fit {

    private final Optional<Shape> shape;
    private final Optional<ImpossibleSizeException> problem;

    private Fit(Optional<Shape> shape, Optional<ImpossibleSizeException> problem) {
      this.shape = shape;
      this.problem = problem;
    }

    /**
     * A shape that fits.
     *
     * @param shape the shape
     * @return the fit
     */
    public static Fit of(Shape shape) {
      return new Fit(Optional.of(shape), Optional.empty());
    }

    /**
     * No shape fits.
     *
     * @param problem why; names the needs and what they exceed
     * @return the fit
     */
    public static Fit none(ImpossibleSizeException problem) {
      return new Fit(Optional.empty(), Optional.of(problem));
    }

    /**
     * The shape.
     *
     * @return empty if none fits
     */
    public Optional<Shape> shape() {
      return shape;
    }

    /**
     * Why no shape fits.
     *
     * @return a sentence without its full stop; empty if one fits
     */
    public String reason() {
      return problem.map(ImpossibleSizeException::getMessage).orElse("");
    }

    /**
     * The shape, or an exception if there is none.
     *
     * @return the shape
     * @throws ImpossibleSizeException if none fits; the message is the reason
     */
    public Shape orElseThrow() {
      problem.ifPresent(
          none -> {
            throw none;
          });
      return shape.orElseThrow();
    }

    @Override
    public String toString() {
      return shape.map(Shape::toString).orElseGet(this::reason);
    }
  }
}
