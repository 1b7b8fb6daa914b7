package io.bloomery.cli.dedup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.tools.problem.Problem;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;

/** Formats of times, each a parser to milliseconds since 1970. A time without an offset is UTC. */
enum RowTime implements ToLongFunction<byte[]> {
  /** Seconds since 1970, with or without a fraction. */
  SECONDS {
    @Override
    public long applyAsLong(byte[] value) {
      return number(value, 3);
    }
  },

  /** Milliseconds since 1970. */
  MILLIS {
    @Override
    public long applyAsLong(byte[] value) {
      return number(value, 0);
    }
  },

  /** A date, optionally followed by a T or a space and a time, with or without an offset. */
  ISO {
    @Override
    public long applyAsLong(byte[] value) {
      return parse(ISO_8601, value);
    }
  };

  private static final int LONGEST = 100;
  private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]{1,16}(?:\\.[0-9]{1,9})?");

  /**
   * The farthest time from 1970 in milliseconds, 285,000 years, which a double still holds exactly.
   */
  private static final long FARTHEST = 1L << 53;

  private static final DateTimeFormatter ISO_8601 =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendPattern("['T'][' ']")
          .appendOptional(DateTimeFormatter.ISO_LOCAL_TIME)
          .appendPattern("[XXX][XX][X]")
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  /** The parser that an option names: one of these by its name in lower case, or a pattern. */
  static ToLongFunction<byte[]> of(String format) {
    for (RowTime known : values()) {
      if (known.name().toLowerCase(Locale.ROOT).equals(format)) {
        return known;
      }
    }
    try {
      DateTimeFormatter formatter =
          new DateTimeFormatterBuilder()
              .appendPattern(format)
              .parseDefaulting(ChronoField.ERA, 1) // makes yyyy a year like uuuu
              .toFormatter(Locale.ENGLISH)
              .withResolverStyle(ResolverStyle.STRICT);
      ToLongFunction<byte[]> parser = value -> parse(formatter, value);
      ZonedDateTime sample = ZonedDateTime.of(2000, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);
      if (parser.applyAsLong(formatter.format(sample).getBytes(UTF_8)) < 0) {
        throw new DateTimeException("it cannot tell 2000 from a year before 1970");
      }
      return parser;
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new Problem(
          "--time-format is \"%s\": neither seconds, millis or iso nor a pattern of a date such as dd/MMM/yyyy:HH:mm:ss Z"
              .formatted(format));
    }
  }

  private static long number(byte[] value, int shift) {
    String text = text(value);
    if (!NUMBER.matcher(text).matches()) {
      throw new IllegalArgumentException("not a number of seconds or milliseconds");
    }
    return near(new BigDecimal(text).movePointRight(shift).setScale(0, RoundingMode.FLOOR));
  }

  private static long near(BigDecimal millis) {
    if (millis.abs().compareTo(BigDecimal.valueOf(FARTHEST)) > 0) {
      throw new IllegalArgumentException("too far from 1970");
    }
    return millis.longValueExact();
  }

  private static long parse(DateTimeFormatter formatter, byte[] value) {
    try {
      TemporalAccessor parsed =
          formatter.parseBest(
              text(value),
              ZonedDateTime::from,
              OffsetDateTime::from,
              LocalDateTime::from,
              LocalDate::from);
      return near(BigDecimal.valueOf(instant(parsed)));
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException("not in the format of --time-format", e);
    }
  }

  private static long instant(TemporalAccessor parsed) {
    if (parsed instanceof ZonedDateTime zoned) {
      return zoned.toInstant().toEpochMilli();
    }
    if (parsed instanceof OffsetDateTime offset) {
      return offset.toInstant().toEpochMilli();
    }
    if (parsed instanceof LocalDateTime local) {
      return local.toInstant(ZoneOffset.UTC).toEpochMilli();
    }
    return ((LocalDate) parsed).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  private static String text(byte[] value) {
    if (value.length == 0) {
      throw new IllegalArgumentException("it is empty");
    }
    if (value.length > LONGEST) {
      throw new IllegalArgumentException("it is too long");
    }
    return new String(value, UTF_8).strip();
  }
}
