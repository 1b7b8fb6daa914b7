package io.bloomery.internal.check;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Argument checks whose messages name the argument, its value and the allowed range. */
public final class Arguments {

  private Arguments() {}

  /**
   * Returns {@code value} if it lies in {@code min … max}.
   *
   * @param name the argument's name, for the message
   * @param value the value to check
   * @param min the smallest allowed value
   * @param max the largest allowed value
   * @return {@code value}
   * @throws IllegalArgumentException if {@code value} is outside the range
   */
  public static long inRange(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " = " + value + " is outside the allowed range " + min + " … " + max);
    }
    return value;
  }

  /**
   * Returns {@code value} if it lies in {@code min … max}.
   *
   * @param name the argument's name, for the message
   * @param value the value to check
   * @param min the smallest allowed value
   * @param max the largest allowed value
   * @return {@code value}
   * @throws IllegalArgumentException if {@code value} is outside the range
   */
  public static int inRange(String name, int value, int min, int max) {
    return (int) inRange(name, (long) value, min, max);
  }

  /**
   * Returns {@code value} if it lies in the closed interval {@code [min, max]}; NaN never does.
   *
   * @param name the argument's name, for the message
   * @param value the value to check
   * @param min the smallest allowed value
   * @param max the largest allowed value
   * @return {@code value}
   * @throws IllegalArgumentException if {@code value} is outside the interval
   */
  public static double inRange(String name, double value, double min, double max) {
    if (!(value >= min && value <= max)) {
      throw new IllegalArgumentException(
          name + " = " + value + " is outside the allowed range [" + min + ", " + max + "]");
    }
    return value;
  }

  /**
   * Returns {@code value} if it lies in the open interval {@code (0, 1)}; NaN never does.
   *
   * @param name the argument's name, for the message
   * @param value the rate to check
   * @return {@code value}
   * @throws IllegalArgumentException if {@code value} is outside the interval
   */
  public static double rate(String name, double value) {
    if (!(value > 0 && value < 1)) {
      throw new IllegalArgumentException(
          name + " = " + value + " is outside the allowed range (0, 1)");
    }
    return value;
  }

  /**
   * Returns {@code value} if it is positive and finite.
   *
   * @param name the argument's name, for the message
   * @param value the value to check
   * @return {@code value}
   * @throws IllegalArgumentException if {@code value} is zero, negative, infinite or NaN
   */
  public static double positive(String name, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          name + " = " + value + " is outside the allowed range (0, ∞)");
    }
    return value;
  }

  /**
   * Returns {@code value} if it is one of some allowed values.
   *
   * @param name the argument's name, for the message
   * @param value the value to check
   * @param allowed the allowed values
   * @return {@code value}
   * @throws IllegalArgumentException if {@code value} is none of them
   */
  public static int oneOf(String name, int value, int... allowed) {
    for (int each : allowed) {
      if (value == each) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        name
            + " = "
            + value
            + " is not one of "
            + Arrays.stream(allowed).mapToObj(String::valueOf).collect(Collectors.joining(", ")));
  }
}
