package io.bloomery.foreign;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.Filter;
import io.bloomery.hash.Hasher;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keys of one type that are written as text, such as {@code 42} or {@code 0x00ff}, and the bytes
 * that a filter hashes for them. {@link KeyCoding} provides those of other systems' filters, {@link
 * #ofBloomery} those of Bloomery's own.
 *
 * <p>Every method takes the text as UTF-8 bytes and throws {@code IllegalArgumentException} if it
 * is not a value of the type.
 */
public final class TypedKeys {

  private final String type;
  private final @Nullable Function<String, byte[]> coder; // null: the text's own bytes
  private final boolean numbers; // the filter takes the 8 bytes as a number

  private TypedKeys(String type, @Nullable Function<String, byte[]> coder, boolean numbers) {
    this.type = type;
    this.coder = coder;
    this.numbers = numbers;
  }

  /** Keys whose bytes are those of the text. */
  static TypedKeys text() {
    return new TypedKeys(Type.TEXT.lowerCase(), null, false);
  }

  /**
   * Keys whose bytes a function computes from the text; it throws {@code IllegalArgumentException}
   * for a text that is not a key.
   *
   * @param type the type in a few words
   * @param coder the function
   * @return the keys
   */
  public static TypedKeys of(String type, Function<String, byte[]> coder) {
    return new TypedKeys(type, Objects.requireNonNull(coder, "coder"), false);
  }

  /** Keys that filters take as a number, which a function turns into 8 bytes little-endian. */
  static TypedKeys numbers(String type, Function<String, byte[]> coder) {
    return new TypedKeys(type, coder, true);
  }

  /**
   * Keys of Bloomery's own filters, which take numbers as {@code mightContain(long)}: whole numbers
   * as they are, those with a fraction as {@code Double.doubleToLongBits}, {@code float} values
   * widened to {@code double}. Keys of the other types are byte strings.
   *
   * @param type the type
   * @return the keys
   */
  public static TypedKeys ofBloomery(Type type) {
    return KeyCoding.Standard.LONG.as(type);
  }

  /**
   * The type in a few words.
   *
   * @return for messages
   */
  public String type() {
    return type;
  }

  /**
   * Whether a key is the bytes of the text itself.
   *
   * @return true for texts only
   */
  public boolean isText() {
    return coder == null;
  }

  /**
   * The byte string that is hashed for a key; where a system takes numbers as such, its 8 bytes
   * little-endian.
   *
   * @param text the key's text in UTF-8
   * @param offset the index of its first byte
   * @param length its length in bytes
   * @return the bytes
   */
  public byte[] bytes(byte[] text, int offset, int length) {
    return coder == null
        ? Arrays.copyOfRange(text, offset, offset + length)
        : coder.apply(new String(text, offset, length, UTF_8));
  }

  /**
   * The 64-bit hash of a key.
   *
   * @param hasher the hash function
   * @param text the key's text in UTF-8
   * @param offset the index of its first byte
   * @param length its length in bytes
   * @return 64 bits
   */
  public long hash(Hasher hasher, byte[] text, int offset, int length) {
    return coder == null
        ? hasher.hash(text, offset, length)
        : hasher.hash(bytes(text, offset, length));
  }

  /**
   * Looks up a key.
   *
   * @param filter the filter
   * @param text the key's text in UTF-8
   * @param offset the index of its first byte
   * @param length its length in bytes
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  public boolean mightContain(Filter filter, byte[] text, int offset, int length) {
    if (coder == null) {
      return filter.mightContain(text, offset, length);
    }
    byte[] bytes = bytes(text, offset, length);
    return numbers ? filter.mightContain(number(bytes)) : filter.mightContain(bytes);
  }

  /**
   * Looks up a key.
   *
   * @param filter the filter
   * @param key the key's text
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  public boolean mightContain(Filter filter, String key) {
    byte[] text = key.getBytes(UTF_8);
    return mightContain(filter, text, 0, text.length);
  }

  /**
   * Adds a key.
   *
   * @param filter the filter
   * @param text the key's text in UTF-8
   * @param offset the index of its first byte
   * @param length its length in bytes
   * @return {@code true}: certainly new; {@code false}: probably added before
   */
  public boolean add(AddableForeignFilter filter, byte[] text, int offset, int length) {
    if (coder == null) {
      return filter.add(text, offset, length);
    }
    byte[] bytes = bytes(text, offset, length);
    return numbers ? filter.add(number(bytes)) : filter.add(bytes);
  }

  private static long number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  @Override
  public String toString() {
    return type;
  }

  /** The types of keys that can be written as text. */
  public enum Type {
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
    UUID,
    /** An exact decimal number, as the UTF-8 bytes of its {@link #canonical} text. */
    NUMBER;

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
        case NUMBER -> canonical(value).getBytes(UTF_8);
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

    /**
     * A number with a fraction, rounded to this type. Decimal digits and the three words of IEEE
     * 754 only; a number that is too large for the type is none of it.
     */
    double real(String value) {
      String unsigned = value.startsWith("-") ? value.substring(1) : value;
      boolean isWord = value.equals("NaN") || unsigned.equals("Infinity");
      if (isWord || Decimals.isDecimal(value)) {
        double number = this == FLOAT ? Float.parseFloat(value) : Double.parseDouble(value);
        if (isWord || Double.isFinite(number)) {
          return number;
        }
      }
      throw bad(value, "a number such as 0.25 or 1e-3", new NumberFormatException(value));
    }

    /**
     * The text of a value in the one form that all its texts have in common, so that values are
     * equal if and only if these are. Whole numbers are decimal, without plus and leading zeros.
     * Numbers with a fraction are the shortest decimal that is rounded to them. Decimals have
     * neither leading zeros nor zeros at the end of a fraction. Zero has no sign. An exponent takes
     * the place of many zeros. Hexadecimal digits are lower case, without {@code 0x}. Texts stay as
     * they are.
     *
     * @param value the text of a value
     * @return its canonical text
     * @throws IllegalArgumentException if it is not a value of this type
     */
    public String canonical(String value) {
      return switch (this) {
        case TEXT, UTF16 -> value;
        case INT32, INT64 -> Long.toString(integer(value));
        case FLOAT -> {
          float number = (float) real(value);
          yield Float.isFinite(number) ? Decimals.of(number) : Float.toString(number);
        }
        case DOUBLE -> {
          double number = real(value);
          yield Double.isFinite(number) ? Decimals.of(number) : Double.toString(number);
        }
        case HEX -> HexFormat.of().formatHex(hex(value));
        case UUID -> canonicalUuid(value);
        case NUMBER -> decimal(value);
      };
    }

    private static String canonicalUuid(String value) {
      uuid(value);
      return value.toLowerCase(Locale.ROOT);
    }

    private static String decimal(String value) {
      try {
        return Decimals.canonical(value);
      } catch (NumberFormatException e) {
        throw NUMBER.bad(
            value,
            "a decimal number such as 7, -0.25 or 1e-3, of up to %d characters and powers of ten up to %d"
                .formatted(Decimals.MOST_CHARACTERS, Decimals.MOST_EXPONENT),
            e);
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
}
