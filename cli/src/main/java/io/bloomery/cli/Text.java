package io.bloomery.cli;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers as people read them. */
final class Text {

  private Text() {}

  /** With commas between the thousands. */
  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** {@code 1 key}, {@code 2 keys}. */
  static String count(long number, String thing) {
    return count(number) + " " + thing + (number == 1 ? "" : "s");
  }

  /** A probability as a percentage of three digits, and as one in so many. */
  static String rate(double rate) {
    if (rate <= 0) {
      return "0 %";
    }
    String percent = percent(rate);
    return rate > 0.5 ? percent : percent + " (1 in " + count(Math.round(1 / rate)) + ")";
  }

  /** A share as a percentage of three digits. */
  static String percent(double share) {
    BigDecimal percent = new BigDecimal(share * 100).round(new MathContext(3)).stripTrailingZeros();
    return percent.toPlainString() + " %";
  }

  /** Bytes, and from 10,000 on also in a larger unit. */
  static String bytes(long bytes) {
    String exact = count(bytes, "byte");
    if (bytes < 10_000) {
      return exact;
    }
    String[] units = {"kB", "MB", "GB", "TB"};
    double value = bytes / 1000.0;
    int unit = 0;
    while (value >= 999.5 && unit < units.length - 1) {
      value /= 1000;
      unit++;
    }
    return exact
        + String.format(Locale.ROOT, value < 10 ? " (%.1f %s)" : " (%.0f %s)", value, units[unit]);
  }
}
