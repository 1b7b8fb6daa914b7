package io.bloomery.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What the known systems hash for keys of each type, where files state none. */
public enum KeyCodings implements KeyCoding {
  /** Texts or bytes; how a number is encoded is up to the writer. */
  BYTES,
  /** Bytes that are never text. */
  HEX,
  /** Numbers are their 4 or 8 bytes, the lowest first. */
  LITTLE_ENDIAN,
  /** Numbers are their 4 or 8 bytes, the highest first. */
  BIG_ENDIAN,
  /** Every number is 8 bytes, the lowest first; those with a fraction are {@code double}. */
  LONG,
  /** Whole numbers are 8 bytes, the lowest first; numbers with a fraction are not valid keys. */
  INTEGER,
  /** As {@link #LONG}, but hashed by a function for numbers. */
  NUMBER,
  /** Whole numbers are their decimal digits. */
  DIGITS,
  /** Keys are numbers of 64 bits and nothing else. */
  NUMBERS_ONLY;

  @Override
  public TypedKeys assumed() {
    return switch (this) {
      case HEX -> as(KeyType.HEX);
      case NUMBERS_ONLY -> as(KeyType.INT64);
      default -> as(KeyType.TEXT);
    };
  }

  @Override
  public TypedKeys as(KeyType type) {
    String name = type.lowerCase();
    if (this == NUMBERS_ONLY ? type != KeyType.INT64 : type.isNumber() && !has(type)) {
      throw new IllegalArgumentException(refusal(name));
    }
    if (this == NUMBERS_ONLY) {
      return TypedKeys.of(name, KeyCodings::unsigned);
    }
    if (!type.isNumber()) {
      return type == KeyType.TEXT ? TypedKeys.text() : TypedKeys.of(name, type::bytes);
    }
    return this == NUMBER
        ? TypedKeys.numbers(name, value -> number(type, value))
        : TypedKeys.of(name, value -> number(type, value));
  }

  private boolean has(KeyType number) {
    return switch (this) {
      case BYTES, HEX -> false;
      case INTEGER, DIGITS -> !number.isReal();
      default -> true;
    };
  }

  private String refusal(String type) {
    return switch (this) {
      case NUMBERS_ONLY ->
          "keys of type "
              + type
              + " are not possible: its keys are numbers of 64 bits (int64), to which the program"
              + " that made it hashes its keys";
      case INTEGER, DIGITS -> "keys of type " + type + " are not possible: its numbers are whole";
      default ->
          "keys of type "
              + type
              + " are not possible: its keys are bytes, and their writer chose which stand for a"
              + " number; give those bytes as type hex";
    };
  }

  private byte[] number(KeyType type, String value) {
    if (this == LITTLE_ENDIAN || this == BIG_ENDIAN) {
      return plain(
          type, value, this == BIG_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    }
    if (this == DIGITS) {
      return Long.toString(type.integer(value)).getBytes(UTF_8);
    }
    return ForeignFilter.littleEndian(
        type.isReal() ? Double.doubleToLongBits(type.real(value)) : type.integer(value));
  }

  private static byte[] plain(KeyType type, String value, ByteOrder order) {
    ByteBuffer bytes =
        ByteBuffer.allocate(
            type == KeyType.INT32 || type == KeyType.FLOAT ? Integer.BYTES : Long.BYTES);
    bytes.order(order);
    switch (type) {
      case INT32 -> bytes.putInt((int) type.integer(value));
      case INT64 -> bytes.putLong(type.integer(value));
      case FLOAT -> bytes.putFloat((float) type.real(value));
      default -> bytes.putDouble(type.real(value));
    }
    return bytes.array();
  }

  /** A number of 64 bits, also above 2^63. */
  private static byte[] unsigned(String value) {
    try {
      return ForeignFilter.littleEndian(Long.parseUnsignedLong(value));
    } catch (NumberFormatException e) {
      return ForeignFilter.littleEndian(KeyType.INT64.integer(value));
    }
  }
}
