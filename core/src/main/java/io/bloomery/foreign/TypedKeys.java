package io.bloomery.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.Filter;
import io.bloomery.hash.Hasher;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;

/**
 * Keys of one type that are written as text, such as {@code 42} or {@code 0x00ff}, and what a
 * filter hashes for them. {@link KeyCoding} makes those of other systems' filters, {@link
 * #ofBloomery} those of Bloomery's own.
 *
 * <p>Every method takes the text as UTF-8 bytes and throws {@code IllegalArgumentException} if it
 * is not a value of the type.
 */
public final class TypedKeys {

  private final String type;
  private final Function<String, byte[]> coder; // null: the text's own bytes
  private final boolean numbers; // the filter takes the 8 bytes as a number

  private TypedKeys(String type, Function<String, byte[]> coder, boolean numbers) {
    this.type = type;
    this.coder = coder;
    this.numbers = numbers;
  }

  /** Keys whose bytes are those of the text. */
  static TypedKeys text() {
    return new TypedKeys(KeyType.TEXT.lowerCase(), null, false);
  }

  /**
   * Keys whose bytes a function makes of the text; it throws {@code IllegalArgumentException} for a
   * text that is not a key.
   *
   * @param type the type in a few words
   * @param coder the function
   * @return the keys
   */
  public static TypedKeys of(String type, Function<String, byte[]> coder) {
    return new TypedKeys(type, Objects.requireNonNull(coder, "coder"), false);
  }

  /** Keys that filters take as a number, of which a function makes 8 bytes little-endian. */
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
  public static TypedKeys ofBloomery(KeyType type) {
    return KeyCodings.LONG.as(type);
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
   * @param offset where it begins
   * @param length how many bytes it has
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
   * @param offset where it begins
   * @param length how many bytes it has
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
   * @param filter where to
   * @param text the key's text in UTF-8
   * @param offset where it begins
   * @param length how many bytes it has
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
   * @param filter where to
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
   * @param filter where to
   * @param text the key's text in UTF-8
   * @param offset where it begins
   * @param length how many bytes it has
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
}
