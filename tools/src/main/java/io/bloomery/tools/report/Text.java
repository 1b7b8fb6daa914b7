package io.bloomery.tools.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Formats numbers for people. */
public final class Text {

  private Text() {}

  /** A number with commas between the thousands. */
  public static String count(long number) {
    StringBuilder digits = new StringBuilder(Long.toString(number)); // a Formatter loads slowly
    for (int i = digits.length() - 3; i > (number < 0 ? 1 : 0); i -= 3) {
      digits.insert(i, ',');
    }
    return digits.toString();
  }

  /** {@code 1 key}, {@code 2 keys}. */
  public static String count(long number, String thing) {
    return count(number) + " " + thing + (number == 1 ? "" : "s");
  }

  /** A probability as a percentage with three digits, and as one in N. */
  public static String rate(double rate) {
    if (rate <= 0) {
      return "0 %";
    }
    String percent = percent(rate);
    return rate > 0.5 ? percent : percent + " (1 in " + count(Math.round(1 / rate)) + ")";
  }

  /** A share as a percentage with three digits. */
  public static String percent(double share) {
    BigDecimal percent = new BigDecimal(share * 100).round(new MathContext(3)).stripTrailingZeros();
    return percent.toPlainString() + " %";
  }

  /** A size in bytes, from 10,000 on also in a larger unit. */
  public static String bytes(long bytes) {
    String exact = count(bytes, "byte");
    return bytes < 10_000 ? exact : exact + " (" + inUnit(bytes, 2) + ")";
  }

  /** A size in the unit that suits it, with three digits. */
  public static String size(long bytes) {
    return bytes < 1000 ? count(bytes, "byte") : inUnit(bytes, 3);
  }

  private static String inUnit(long bytes, int digits) {
    String[] units = {"kB", "MB", "GB", "TB"};
    double value = bytes / 1000.0;
    int unit = 0;
    while (value >= 999.5 && unit < units.length - 1) {
      value /= 1000;
      unit++;
    }
    int before = value < 9.995 ? 1 : value < 99.95 ? 2 : 3;
    int after = Math.max(0, digits - before);
    BigDecimal rounded = BigDecimal.valueOf(value).setScale(after, RoundingMode.HALF_UP);
    return rounded.toPlainString() + " " + units[unit]; // a Formatter loads slowly
  }

  /** The width of a text on a terminal, in columns. */
  static int columns(String text) {
    return text.codePointCount(0, text.length());
  }

  /** Wraps a text into lines of at most {@code width} columns, each after {@code indent}. */
  public static String wrap(String text, int width, String indent) {
    StringBuilder out = new StringBuilder();
    StringBuilder line = new StringBuilder(indent);
    for (String word : text.split(" ", -1)) {
      boolean first = line.length() == indent.length();
      if (!first && columns(line.toString()) + 1 + columns(word) > width) {
        out.append(line).append('\n');
        line = new StringBuilder(indent);
        first = true;
      }
      line.append(first ? "" : " ").append(word);
    }
    return out.append(line).append('\n').toString();
  }
}
