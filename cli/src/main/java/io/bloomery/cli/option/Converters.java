package io.bloomery.cli.option;

import io.bloomery.plan.Shape;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parsers of option values. */
public final class Converters {

  private static final Pattern NUMBER =
      Pattern.compile("([0-9][0-9_,]*(?:\\.[0-9]+)?(?:e[0-9]{1,2})?)([a-z]*)");

  /** A decimal number; {@link Double#valueOf(String)} would also accept 1d, 0x1p3 and NaN. */
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?");

  private Converters() {}

  /** A decimal number, with or without a fraction. */
  public static final class Decimal implements ITypeConverter<Double> {
    public Decimal() {}

    @Override
    public Double convert(String text) {
      if (!DECIMAL.matcher(text).matches()) {
        throw new TypeConversionException("'" + text + "' is not a number such as 12 or 0.5");
      }
      return Double.valueOf(text);
    }
  }

  /** A rate: {@code 0.01} or {@code 1%}. */
  public static final class Rate implements ITypeConverter<Double> {
    Rate() {}

    @Override
    public Double convert(String text) {
      boolean percent = text.endsWith("%");
      String number = percent ? text.substring(0, text.length() - 1) : text;
      if (!DECIMAL.matcher(number).matches()) {
        throw new TypeConversionException("'" + text + "' is not a rate such as 0.01 or 1%");
      }
      double rate = Double.parseDouble(number);
      rate = percent ? rate / 100 : rate;
      if (!(rate > 0 && rate < 1)) {
        throw new TypeConversionException("a rate is above 0 and below 1 (100%), not " + text);
      }
      return rate;
    }
  }

  /**
   * A number of keys: {@code 2500000}, {@code 2,500,000}, {@code 2_500_000}, {@code 2.5M} or {@code
   * 2.5e6}.
   */
  public static final class Count implements ITypeConverter<Long> {
    Count() {}

    @Override
    public Long convert(String text) {
      return whole(text, "2500000 or 2.5M", " keys", 1, Shape.MAX_KEYS, Converters::thousands);
    }
  }

  /** A number of keys, as for {@link Count}, of a set that may be split into several filters. */
  public static final class ManyKeys implements ITypeConverter<Long> {
    private static final long MOST = 1_000_000_000_000_000L;

    ManyKeys() {}

    @Override
    public Long convert(String text) {
      return whole(text, "2500000 or 2.5M", " keys", 1, MOST, Converters::thousands);
    }
  }

  /** The length of a range of keys: {@code 100}, {@code 3.6M} or {@code 1e9}. */
  public static final class RangeLength implements ITypeConverter<Long> {
    RangeLength() {}

    @Override
    public Long convert(String text) {
      return whole(text, "100 or 3.6M", " keys", 1, 1L << 62, Converters::thousands);
    }
  }

  /** A duration: {@code 500ms}, {@code 30s}, {@code 10m}, {@code 1.5h} or {@code 7d}. */
  public static final class Time implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|s|m|h|d)");

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

  /** The number of possible keys, written as for {@link Count}, but up to 2^63-1. */
  public static final class Universe implements ITypeConverter<Long> {
    Universe() {}

    @Override
    public Long convert(String text) {
      return whole(text, "65536 or 4e9", " values", 1, Long.MAX_VALUE, Converters::thousands);
    }
  }

  /** A size in bytes: {@code 64M} and {@code 64MB} are 64 million, {@code 64MiB} is 64 · 2^20. */
  public static final class Bytes implements ITypeConverter<Long> {
    Bytes() {}

    @Override
    public Long convert(String text) {
      return whole(text, "2G, 500MB or 64MiB", " bytes", 8, Long.MAX_VALUE, Converters::units);
    }
  }

  /**
   * A whole number followed by a unit; {@code unit} maps the unit in lower case to its factor, or
   * to 0 if it is unknown.
   */
  private static long whole(
      String text, String form, String things, long min, long max, ToLongFunction<String> unit) {
    Matcher matcher = NUMBER.matcher(text.toLowerCase(Locale.ROOT));
    long factor = matcher.matches() ? unit.applyAsLong(matcher.group(2)) : 0;
    if (factor == 0) {
      throw new TypeConversionException("'" + text + "' is not a number such as " + form);
    }
    BigDecimal value =
        new BigDecimal(matcher.group(1).replaceAll("[_,]", ""))
            .multiply(BigDecimal.valueOf(factor))
            .stripTrailingZeros();
    boolean isWhole = value.scale() <= 0;
    if (!isWhole
        || value.compareTo(BigDecimal.valueOf(min)) < 0
        || value.compareTo(BigDecimal.valueOf(max)) > 0) {
      throw new TypeConversionException(
          text + things + ": a whole number from " + min + " to " + max + " is needed");
    }
    return value.longValueExact();
  }

  private static long thousands(String unit) {
    return switch (unit) {
      case "" -> 1;
      case "k" -> 1_000;
      case "m" -> 1_000_000;
      case "g" -> 1_000_000_000;
      default -> 0;
    };
  }

  private static long units(String unit) {
    return switch (unit) {
      case "b" -> 1;
      case "kb" -> 1_000;
      case "mb" -> 1_000_000;
      case "gb" -> 1_000_000_000;
      case "t", "tb" -> 1_000_000_000_000L;
      case "kib" -> 1L << 10;
      case "mib" -> 1L << 20;
      case "gib" -> 1L << 30;
      case "tib" -> 1L << 40;
      default -> thousands(unit);
    };
  }

  /** A seed: any 64-bit number, signed or unsigned, decimal or, after 0x, hexadecimal. */
  public static final class Seed implements ITypeConverter<Long> {
    private static final Pattern NUMBER =
        Pattern.compile("(?<sign>[+-]?)(?:0[xX](?<hex>[0-9a-fA-F]+)|(?<decimal>[0-9]+))");

    Seed() {}

    @Override
    public Long convert(String text) {
      Matcher number = NUMBER.matcher(text);
      if (number.matches()) {
        String hex = number.group("hex");
        BigInteger size =
            hex != null ? new BigInteger(hex, 16) : new BigInteger(number.group("decimal"));
        BigInteger seed = number.group("sign").equals("-") ? size.negate() : size;
        if (seed.bitLength() <= (seed.signum() < 0 ? Long.SIZE - 1 : Long.SIZE)) {
          return seed.longValue();
        }
      }
      throw new TypeConversionException(
          "'" + text + "' is not a 64-bit number: -2^63 … 2^64 - 1, decimal or 0x…");
    }
  }
}
