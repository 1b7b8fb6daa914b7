package io.bloomery.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What a system hashes for keys of each type. */
public interface KeyCoding {

  /**
   * The keys of the type that the file states, or that all files of the format have; texts where
   * neither states a type.
   *
   * @return the keys
   */
  TypedKeys assumed();

  /**
   * The keys of a type.
   *
   * @param type the type
   * @return the keys
   * @throws IllegalArgumentException if the system has no keys of this type
   */
  TypedKeys as(TypedKeys.Type type);

  /** What the known systems hash for keys of each type, where files state none. */
  public enum Standard implements KeyCoding {
    /** Texts or bytes; the writer decides how a number is encoded. */
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
        case HEX -> as(TypedKeys.Type.HEX);
        case NUMBERS_ONLY -> as(TypedKeys.Type.INT64);
        default -> as(TypedKeys.Type.TEXT);
      };
    }

    @Override
    public TypedKeys as(TypedKeys.Type type) {
      String name = type.lowerCase();
      if (this == NUMBERS_ONLY ? type != TypedKeys.Type.INT64 : type.isNumber() && !has(type)) {
        throw new IllegalArgumentException(refusal(name));
      }
      if (this == NUMBERS_ONLY) {
        return TypedKeys.of(name, Standard::unsigned);
      }
      if (!type.isNumber()) {
        return type == TypedKeys.Type.TEXT ? TypedKeys.text() : TypedKeys.of(name, type::bytes);
      }
      return this == NUMBER
          ? TypedKeys.numbers(name, value -> number(type, value))
          : TypedKeys.of(name, value -> number(type, value));
    }

    private boolean has(TypedKeys.Type number) {
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

    private byte[] number(TypedKeys.Type type, String value) {
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

    private static byte[] plain(TypedKeys.Type type, String value, ByteOrder order) {
      ByteBuffer bytes =
          ByteBuffer.allocate(
              type == TypedKeys.Type.INT32 || type == TypedKeys.Type.FLOAT
                  ? Integer.BYTES
                  : Long.BYTES);
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
        return ForeignFilter.littleEndian(TypedKeys.Type.INT64.integer(value));
      }
    }
  }
}
