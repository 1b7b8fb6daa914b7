package io.bloomery.foreign.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.foreign.KeyCoding;
import io.bloomery.foreign.TypedKeys;
import io.bloomery.foreign.parquet.ParquetFile.PhysicalType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.function.Function;

/**
 * The type of a Parquet column, which decides what is hashed for a value: its plain encoding.
 *
 * <p>Values are written as numbers, texts or hexadecimal digits, as the physical type has it.
 * Depending on the logical type, they can also be written as a date ({@code 2024-02-29}), a time
 * stamp ({@code 2024-02-29T12:00:00Z}), a UUID, or a decimal number, which is converted to the
 * column's scale; unsigned numbers have their whole range.
 *
 * @param physical how values are stored
 * @param length bytes of each value of a {@link PhysicalType#FIXED_LEN_BYTE_ARRAY}; 0 if unknown
 * @param logical what values mean
 * @param scale digits after the decimal point of a {@link Logical#DECIMAL}, otherwise 0
 */
record ParquetType(PhysicalType physical, int length, Logical logical, int scale)
    implements KeyCoding {

  /** The meaning of values, as far as it affects how they are written. */
  enum Logical {
    /** No more than the physical type. */
    NONE,
    /** Text. */
    STRING,
    /** A UUID. */
    UUID,
    /** A whole number divided by a power of ten. */
    DECIMAL,
    /** Days since 1970-01-01. */
    DATE,
    /** Milliseconds since 1970-01-01. */
    TIMESTAMP_MILLIS,
    /** Microseconds since 1970-01-01. */
    TIMESTAMP_MICROS,
    /** Nanoseconds since 1970-01-01. */
    TIMESTAMP_NANOS,
    /** A whole number that is not negative. */
    UNSIGNED
  }

  private static final int INT96_BYTES = 12;

  @Override
  public TypedKeys assumed() {
    return switch (physical) {
      case INT32, INT64 -> TypedKeys.of(toString(), this::integer);
      case FLOAT -> KeyCoding.Standard.LITTLE_ENDIAN.as(TypedKeys.Type.FLOAT);
      case DOUBLE -> KeyCoding.Standard.LITTLE_ENDIAN.as(TypedKeys.Type.DOUBLE);
      case INT96 -> sized(TypedKeys.Type.HEX, INT96_BYTES);
      case BYTE_ARRAY ->
          logical == Logical.DECIMAL
              ? TypedKeys.of(toString(), value -> decimal(value).toByteArray())
              : KeyCoding.Standard.BYTES.as(TypedKeys.Type.TEXT);
      case FIXED_LEN_BYTE_ARRAY ->
          logical == Logical.DECIMAL
              ? TypedKeys.of(toString(), this::fixedDecimal)
              : sized(logical == Logical.UUID ? TypedKeys.Type.UUID : TypedKeys.Type.HEX, length);
      case BOOLEAN -> throw new IllegalArgumentException("BOOLEAN columns have no filters");
    };
  }

  @Override
  public TypedKeys as(TypedKeys.Type type) {
    boolean fits =
        switch (physical) {
          case INT32 -> type == TypedKeys.Type.INT32;
          case INT64 -> type == TypedKeys.Type.INT64;
          case FLOAT -> type == TypedKeys.Type.FLOAT;
          case DOUBLE -> type == TypedKeys.Type.DOUBLE;
          case INT96, BOOLEAN -> false;
          case BYTE_ARRAY -> type == TypedKeys.Type.TEXT;
          case FIXED_LEN_BYTE_ARRAY -> type == TypedKeys.Type.UUID && logical == Logical.UUID;
        };
    if (fits) {
      return assumed();
    }
    boolean bytes =
        type == TypedKeys.Type.HEX
            || type == TypedKeys.Type.TEXT
            || (type == TypedKeys.Type.UUID && physical == PhysicalType.FIXED_LEN_BYTE_ARRAY);
    return switch (physical) {
      case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> {
        if (!bytes) {
          throw refusal(type);
        }
        yield sized(type, length);
      }
      default -> throw refusal(type);
    };
  }

  private IllegalArgumentException refusal(TypedKeys.Type type) {
    return new IllegalArgumentException(
        "keys of type %s are not possible: the column is of type %s"
            .formatted(type.lowerCase(), this));
  }

  /** Keys that are not numbers: all of the given length in bytes, or of any length if it is 0. */
  private TypedKeys sized(TypedKeys.Type type, int bytes) {
    TypedKeys keys = KeyCoding.Standard.BYTES.as(type);
    if (bytes == 0) {
      return keys;
    }
    return TypedKeys.of(
        type.lowerCase(),
        value -> {
          byte[] text = value.getBytes(UTF_8);
          byte[] key = keys.bytes(text, 0, text.length);
          if (key.length != bytes) {
            throw new IllegalArgumentException(
                "\"%s\" has %d bytes; values of type %s have %d"
                    .formatted(value, key.length, this, bytes));
          }
          return key;
        });
  }

  private byte[] integer(String value) {
    BigInteger number =
        switch (logical) {
          case DECIMAL -> decimal(value);
          case DATE -> or(value, text -> LocalDate.parse(text).toEpochDay());
          case TIMESTAMP_MILLIS -> or(value, text -> since1970(text, 1_000_000));
          case TIMESTAMP_MICROS -> or(value, text -> since1970(text, 1_000));
          case TIMESTAMP_NANOS -> or(value, text -> since1970(text, 1));
          default -> whole(value);
        };
    int bits = physical == PhysicalType.INT32 ? Integer.SIZE : Long.SIZE;
    boolean fits =
        logical == Logical.UNSIGNED
            ? number.signum() >= 0 && number.bitLength() <= bits
            : number.bitLength() < bits;
    if (!fits) {
      throw new IllegalArgumentException(
          "\"%s\" is outside the range of %s".formatted(value, this));
    }
    ByteBuffer bytes = ByteBuffer.allocate(bits / Byte.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    return bits == Integer.SIZE
        ? bytes.putInt(number.intValue()).array()
        : bytes.putLong(number.longValue()).array();
  }

  private BigInteger or(String value, Function<String, Object> parser) {
    try {
      return new BigInteger(parser.apply(value).toString());
    } catch (DateTimeException | ArithmeticException e) {
      return whole(value);
    }
  }

  private static Object since1970(String text, long nanosPerUnit) {
    Instant instant =
        text.endsWith("Z")
            ? Instant.parse(text)
            : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
    BigInteger nanos =
        BigInteger.valueOf(instant.getEpochSecond())
            .multiply(BigInteger.valueOf(1_000_000_000))
            .add(BigInteger.valueOf(instant.getNano()));
    BigInteger[] parts = nanos.divideAndRemainder(BigInteger.valueOf(nanosPerUnit));
    if (parts[1].signum() != 0) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is finer than the time stamps of the column");
    }
    return parts[0];
  }

  private BigInteger whole(String value) {
    try {
      return new BigInteger(value);
    } catch (NumberFormatException e) {
      throw notThis(value, e);
    }
  }

  private BigInteger decimal(String value) {
    try {
      return new BigDecimal(value).setScale(scale).unscaledValue();
    } catch (NumberFormatException e) {
      throw notThis(value, e);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "\"%s\" has more than %d digits after the point".formatted(value, scale), e);
    }
  }

  private IllegalArgumentException notThis(String value, Exception cause) {
    return new IllegalArgumentException("\"%s\" is not of type %s".formatted(value, this), cause);
  }

  private byte[] fixedDecimal(String value) {
    byte[] least = decimal(value).toByteArray();
    if (length == 0 || least.length == length) {
      return least;
    }
    if (least.length > length) {
      throw new IllegalArgumentException(
          "\"%s\" is outside the range of %s".formatted(value, this));
    }
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) (least[0] < 0 ? -1 : 0));
    System.arraycopy(least, 0, bytes, length - least.length, least.length);
    return bytes;
  }

  @Override
  public String toString() {
    String stored = length == 0 ? physical.name() : physical + "(" + length + ")";
    return switch (logical) {
      case NONE -> stored;
      case DECIMAL -> stored + " DECIMAL, scale " + scale;
      default -> stored + " " + logical;
    };
  }
}
