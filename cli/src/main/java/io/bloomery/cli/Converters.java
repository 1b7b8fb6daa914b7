package io.bloomery.cli;

import io.bloomery.plan.Shape;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How option values are written. */
final class Converters {

  private Converters() {}

  /** A rate: {@code 0.01} or {@code 1%}. */
  static final class Rate implements ITypeConverter<Double> {
    /** For picocli. */
    Rate() {}

    @Override
    public Double convert(String text) {
      boolean percent = text.endsWith("%");
      double rate;
      try {
        rate = Double.parseDouble(percent ? text.substring(0, text.length() - 1) : text);
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'" + text + "' is not a rate such as 0.01 or 1%");
      }
      rate = percent ? rate / 100 : rate;
      if (!(rate > 0 && rate < 1)) {
        throw new TypeConversionException("a rate is above 0 and below 1 (100%), not " + text);
      }
      return rate;
    }
  }

  /** A number of keys: {@code 2500000}, {@code 2,500,000}, {@code 2_500_000} or {@code 2.5M}. */
  static final class Count implements ITypeConverter<Long> {
    private static final Pattern FORM = Pattern.compile("([0-9][0-9_,]*)(\\.[0-9]+)?([kmg]?)");

    /** For picocli. */
    Count() {}

    @Override
    public Long convert(String text) {
      Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
      if (!matcher.matches()) {
        throw new TypeConversionException("'" + text + "' is not a number such as 2500000 or 2.5M");
      }
      String fraction = matcher.group(2) == null ? "" : matcher.group(2);
      double factor =
          switch (matcher.group(3)) {
            case "k" -> 1e3;
            case "m" -> 1e6;
            case "g" -> 1e9;
            default -> 1;
          };
      double count =
          Double.parseDouble(matcher.group(1).replaceAll("[_,]", "") + fraction) * factor;
      if (count < 1 || count > Shape.MAX_KEYS || count != Math.rint(count)) {
        throw new TypeConversionException(
            text + " keys: a whole number from 1 to " + Shape.MAX_KEYS + " is needed");
      }
      return (long) count;
    }
  }

  /** A time: {@code 500ms}, {@code 30s}, {@code 10m}, {@code 1.5h} or {@code 7d}. */
  static final class Time implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|s|m|h|d)");

    /** For picocli. */
    Time() {}

    @Override
    public Duration convert(String text) {
      Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "'" + text + "' is not a time such as 500ms, 30s, 10m, 2h or 7d");
      }
      double unit =
          switch (matcher.group(2)) {
            case "ms" -> 1;
            case "s" -> 1e3;
            case "m" -> 60e3;
            case "h" -> 3600e3;
            default -> 86_400e3;
          };
      double millis = Double.parseDouble(matcher.group(1)) * unit;
      if (!(millis >= 1 && millis <= 50_000 * 86_400e3)) {
        throw new TypeConversionException(text + ": from 1ms to 50000d are possible");
      }
      return Duration.ofMillis((long) millis);
    }
  }

  /** A seed: decimal, or hexadecimal after {@code 0x}; all 64 bits. */
  static final class Seed implements ITypeConverter<Long> {
    /** For picocli. */
    Seed() {}

    @Override
    public Long convert(String text) {
      try {
        return text.startsWith("0x") || text.startsWith("0X")
            ? Long.parseUnsignedLong(text.substring(2), 16)
            : Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'" + text + "' is not a number of 64 bits");
      }
    }
  }
}
