package io.bloomery.foreign;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Locale;

/** The types of keys that can be written as text. */
public enum KeyType {
  /** The UTF-8 bytes of the text itself. */
  TEXT,
  /** A whole number from -2^31 to 2^31-1. */
  INT32,
  /** A whole number from -2^63 to 2^63-1, or up to 16 hexadecimal digits after {@code 0x}. */
  INT64,
  /** The nearest IEEE 754 number of 32 bits. */
  FLOAT,
  /** The nearest IEEE 754 number of 64 bits. */
  DOUBLE,
  /** Bytes, two hexadecimal digits each, with or without {@code 0x}. */
  HEX,
  /** The UTF-16 characters of the text, two bytes each, the lower first. */
  UTF16,
  /** The 16 bytes of a UUID in the order of its digits. */
  UUID;

  /**
   * The name used in options and messages.
   *
   * @return lower case
   */
  public String lowerCase() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it is one of the four types of numbers. */
  boolean isNumber() {
    return this == INT32 || this == INT64 || isReal();
  }

  /** Whether it is one of the two types of numbers with a fraction. */
  boolean isReal() {
    return this == FLOAT || this == DOUBLE;
  }

  /** The bytes of a value that is not a number. */
  byte[] bytes(String value) {
    return switch (this) {
      case TEXT -> value.getBytes(UTF_8);
      case UTF16 -> value.getBytes(UTF_16LE);
      case HEX -> hex(value);
      case UUID -> uuid(value);
      default -> throw new IllegalStateException(lowerCase());
    };
  }

  /** A whole number of this type. */
  long integer(String value) {
    try {
      if (this == INT32) {
        return Integer.parseInt(value);
      }
      return value.startsWith("0x")
          ? Long.parseUnsignedLong(value.substring(2), 16)
          : Long.parseLong(value);
    } catch (NumberFormatException e) {
      String range = this == INT32 ? "-2^31 to 2^31-1" : "-2^63 to 2^63-1";
      throw bad(value, "a whole number from " + range, e);
    }
  }

  /** A number with a fraction, rounded to this type. */
  double real(String value) {
    try {
      return this == FLOAT ? Float.parseFloat(value) : Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw bad(value, "a number such as 0.25 or 1e-3", e);
    }
  }

  private static byte[] hex(String value) {
    try {
      return HexFormat.of().parseHex(value.startsWith("0x") ? value.substring(2) : value);
    } catch (IllegalArgumentException e) {
      throw HEX.bad(value, "an even number of hexadecimal digits", e);
    }
  }

  private static byte[] uuid(String value) {
    try {
      java.util.UUID uuid = java.util.UUID.fromString(value);
      if (!uuid.toString().equalsIgnoreCase(value)) {
        throw new IllegalArgumentException(value);
      }
      return ByteBuffer.allocate(2 * Long.BYTES)
          .putLong(uuid.getMostSignificantBits())
          .putLong(uuid.getLeastSignificantBits())
          .array();
    } catch (IllegalArgumentException e) {
      throw UUID.bad(value, "32 hexadecimal digits in groups of 8-4-4-4-12", e);
    }
  }

  private IllegalArgumentException bad(String value, String wanted, Exception cause) {
    return new IllegalArgumentException(
        "\"%s\" is not of type %s: %s".formatted(value, lowerCase(), wanted), cause);
  }
}
