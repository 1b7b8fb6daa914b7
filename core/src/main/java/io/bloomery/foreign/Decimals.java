package io.bloomery.foreign;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.regex.Pattern;

/** Decimal numbers in the one form in which equal values are equal texts. */
final class Decimals {

  /** The longest text, so that a number takes no long time to parse. */
  static final int MOST_CHARACTERS = 1_000;

  /** The largest power of ten, either way. */
  static final int MOST_EXPONENT = 9_999;

  private static final Pattern FORM =
      Pattern.compile("[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?");

  /** Values with more places than this before or after the point may have an exponent. */
  private static final int MOST_PLAIN = 40;

  private static final int SURE_DIGITS = 15; // these survive a way to double and back
  private static final int ALL_DIGITS = 17;
  private static final int SURE_FLOAT_DIGITS = 6;
  private static final int ALL_FLOAT_DIGITS = 9;

  private Decimals() {}

  /** Whether a text is a decimal number: digits, a point, an exponent, a sign. */
  static boolean isDecimal(String text) {
    return text.length() <= MOST_CHARACTERS && FORM.matcher(text).matches();
  }

  /**
   * The form of an exact decimal: without sign of zero, leading zeros, zeros after the last digit
   * of a fraction, or a plus.
   *
   * @throws NumberFormatException if the text is not a decimal number of the allowed size
   */
  static String canonical(String text) {
    if (!isDecimal(text)) {
      throw new NumberFormatException(text);
    }
    return form(new BigDecimal(text));
  }

  /** The form of the shortest decimal that is rounded to this finite number. */
  static String of(double value) {
    for (int digits = SURE_DIGITS; digits < ALL_DIGITS; digits++) {
      BigDecimal rounded = rounded(value, digits);
      if (rounded.doubleValue() == value) {
        return form(rounded);
      }
    }
    return form(rounded(value, ALL_DIGITS));
  }

  /** The form of the shortest decimal that is rounded to this finite number. */
  static String of(float value) {
    for (int digits = SURE_FLOAT_DIGITS; digits < ALL_FLOAT_DIGITS; digits++) {
      BigDecimal rounded = rounded(value, digits);
      if (rounded.floatValue() == value) {
        return form(rounded);
      }
    }
    return form(rounded(value, ALL_FLOAT_DIGITS));
  }

  private static BigDecimal rounded(double value, int digits) {
    return new BigDecimal(value).round(new MathContext(digits, RoundingMode.HALF_EVEN));
  }

  private static String form(BigDecimal value) {
    if (value.signum() == 0) {
      return "0";
    }
    BigDecimal shortest = value.stripTrailingZeros();
    long exponent = (long) shortest.precision() - shortest.scale() - 1;
    if (Math.abs(exponent) > MOST_EXPONENT) {
      throw new NumberFormatException(value + " has too large an exponent");
    }
    boolean plain = exponent < MOST_PLAIN && shortest.scale() <= MOST_PLAIN;
    return plain ? shortest.toPlainString() : shortest.toString();
  }
}
