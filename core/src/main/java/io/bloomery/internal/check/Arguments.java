package io.bloomery.internal.check;

import io.bloomery.error.ArgumentException;
import io.bloomery.error.ImpossibleSizeException;
import java.io.Serializable;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;

/** Argument checks whose messages name the argument, its value and the allowed range. */
public final class Arguments {

  /** The text between a number and its range. */
  public static final String OUTSIDE = " is outside the allowed range ";

  private Arguments() {}

  /**
   * An argument of a message.
   *
   * @param name its name
   * @param value its value
   * @return an argument for {@link #refused}
   */
  public static Serializable named(String name, Serializable value) {
    return new ArgumentException.Argument(name, value);
  }

  /**
   * The exception for an argument that is refused.
   *
   * @param sentence arguments by {@link #named}, numbers, and the text between them
   * @return the exception
   */
  public static IllegalArgumentException refused(Serializable... sentence) {
    return new ArgumentException(sentence);
  }

  /**
   * The exception for valid arguments for which a kind has no size.
   *
   * @param sentence arguments by {@link #named}, numbers, and the text between them
   * @return the exception
   */
  public static ImpossibleSizeException impossible(Serializable... sentence) {
    return new ImpossibleSizeException(sentence);
  }

  /**
   * The exception for a size that a kind cannot have.
   *
   * @param name the argument's name
   * @param value its value
   * @param min the smallest possible value
   * @param max the largest possible value
   * @return the exception
   */
  public static ImpossibleSizeException impossible(String name, long value, long min, long max) {
    return impossible(named(name, value), OUTSIDE, min, " … ", max);
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
  public static long inRange(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw refused(named(name, value), OUTSIDE, min, " … ", max);
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
      throw refused(named(name, value), OUTSIDE + "[", min, ", ", max, "]");
    }
    return value;
  }

  /**
   * The message for an integer outside its range, for arguments and file fields alike.
   *
   * @param name the argument's name
   * @param value its value
   * @param min the smallest allowed value
   * @param max the largest allowed value
   * @return the message
   */
  public static String outside(String name, long value, long min, long max) {
    return Objects.requireNonNull(
        refused(named(name, value), OUTSIDE, min, " … ", max).getMessage());
  }

  /**
   * The message for a real number outside its range, for arguments and file fields alike.
   *
   * @param name the argument's name
   * @param value its value
   * @param min the smallest allowed value
   * @param max the largest allowed value
   * @return the message
   */
  public static String outside(String name, double value, double min, double max) {
    return Objects.requireNonNull(
        refused(named(name, value), OUTSIDE + "[", min, ", ", max, "]").getMessage());
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
      throw refused(named(name, value), OUTSIDE + "(0, 1)");
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
    return above(name, value, 0);
  }

  /**
   * Returns {@code value} if it is above a bound and finite.
   *
   * @param name the argument's name, for the message
   * @param value the value to check
   * @param bound the bound to exceed
   * @return {@code value}
   * @throws IllegalArgumentException if {@code value} is not above the bound, infinite or NaN
   */
  public static double above(String name, double value, int bound) {
    if (!(value > bound && value < Double.POSITIVE_INFINITY)) {
      throw refused(named(name, value), OUTSIDE + "(", bound, ", ∞)");
    }
    return value;
  }

  /**
   * Returns {@code value} if it lies in {@code min … max}.
   *
   * @param name the argument's name, for the message
   * @param value the time to check
   * @param min the shortest allowed time
   * @param max the longest allowed time
   * @return {@code value}
   * @throws IllegalArgumentException if {@code value} is outside the range
   */
  public static Duration inRange(String name, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw refused(named(name, value), OUTSIDE + min + " … " + max);
    }
    return value;
  }

  /**
   * Returns {@code value} if it is a power of two that lies in {@code min … max}.
   *
   * @param name the argument's name, for the message
   * @param value the value to check
   * @param min the smallest allowed value
   * @param max the largest allowed value
   * @return {@code value}
   * @throws IllegalArgumentException if {@code value} is outside the range or not a power of two
   */
  public static int powerOfTwo(String name, int value, int min, int max) {
    inRange(name, value, min, max);
    if (Integer.bitCount(value) != 1) {
      throw refused(named(name, value), " is not a power of two");
    }
    return value;
  }

  /**
   * Returns {@code value} if it is a multiple of another argument.
   *
   * @param name the argument's name, for the message
   * @param value the value to check
   * @param unitName the other argument's name
   * @param unit the other argument, above 0
   * @return {@code value}
   * @throws IllegalArgumentException if {@code value} is not a multiple of it
   */
  public static long multipleOf(String name, long value, String unitName, long unit) {
    if (value % unit != 0) {
      throw refused(named(name, value), " is not a multiple of ", named(unitName, unit));
    }
    return value;
  }

  /**
   * Returns {@code value} if it is a multiple of a fixed number.
   *
   * @param name the argument's name, for the message
   * @param value the value to check
   * @param unit the number, above 0
   * @return {@code value}
   * @throws IllegalArgumentException if {@code value} is not a multiple of it
   */
  public static long multipleOf(String name, long value, long unit) {
    if (value % unit != 0) {
      throw refused(named(name, value), " is not a multiple of ", unit);
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
    throw refused(
        named(name, value),
        " is not one of "
            + Arrays.stream(allowed).mapToObj(String::valueOf).collect(Collectors.joining(", ")));
  }
}
