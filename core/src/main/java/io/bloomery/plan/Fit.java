package io.bloomery.plan;

import io.bloomery.error.ImpossibleSizeException;
import java.util.Optional;

/**
 * What sizing gives: the shape that fits the needs, or the reason why the variant has none, such as
 * a budget below its smallest size. Immutable.
 */
public final class Fit {

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
   * The shape, for callers to whom its absence is an error.
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
