package io.bloomery.hash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Property;
import java.io.ByteArrayOutputStream;
import java.nio.CharBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Text is hashed as its UTF-8 bytes, for any text and any class that holds it. */
final class HasherTextTest {

  static List<Hasher> hashers() {
    return List.of(Hasher.xxh3(), Hasher.xxh3(-77), Hasher.keyed(new byte[16]));
  }

  /** Text and its UTF-8 bytes, written by hand. */
  private static final String[][] WRITTEN = {
    {"", ""},
    {"a", "61"},
    {"\0", "00"},
    {"\u007f", "7f"},
    {"\u0080", "c280"},
    {"é", "c3a9"},
    {"ÿ", "c3bf"},
    {"\u07ff", "dfbf"},
    {"\u0800", "e0a080"},
    {"€", "e282ac"},
    {"\ud7ff", "ed9fbf"},
    {"\ue000", "ee8080"},
    {"\uffff", "efbfbf"},
    {"\ud800\udc00", "f0908080"},
    {"😀", "f09f9880"},
    {"\udbff\udfff", "f48fbfbf"},
    {"\ud800", "3f"},
    {"\udc00", "3f"},
    {"\udc00\ud800", "3f3f"},
    {"\ud800\ud800\udc00", "3ff0908080"},
    {"\ud83d\ude00\ude00", "f09f98803f"},
    {"a\ud800b", "613f62"},
    {"é\udfff", "c3a93f"},
    {"x😀é€", "78f09f9880c3a9e282ac"},
  };

  @ParameterizedTest
  @MethodSource("hashers")
  void textIsItsUtf8Bytes(Hasher hasher) {
    for (String[] pair : WRITTEN) {
      byte[] bytes = HexFormat.of().parseHex(pair[1]);
      assertThat(hasher.hash(pair[0])).as(pair[1]).isEqualTo(hasher.hash(bytes));
      assertThat(hasher.hash(new Chars(pair[0]))).as(pair[1]).isEqualTo(hasher.hash(bytes));
    }
  }

  /** 20 000 texts of up to 300 chars, of one alphabet or of all, in four classes. */
  @ParameterizedTest
  @MethodSource("hashers")
  void everyClassOfTextHashesAlike(Hasher hasher) {
    Property.check(
        2,
        20_000,
        draw -> {
          String text = draw.text(draw.oneOf(List.of(3, 20, 40, 80, 300)));
          byte[] bytes = utf8(text);
          assertThat(bytes).isEqualTo(text.getBytes(UTF_8));
          long expected = hasher.hash(bytes);
          assertThat(hasher.hash(text)).isEqualTo(expected);
          assertThat(hasher.hash(builder(text))).isEqualTo(expected);
          assertThat(hasher.hash(CharBuffer.wrap(text))).isEqualTo(expected);
          assertThat(hasher.hash(new Chars(text))).isEqualTo(expected);
          assertThat(hasher.hash("<" + text + ">", Part::cut)).isEqualTo(fieldHash(hasher, bytes));
        });
  }

  /** Every length across the hash's length classes and any buffer size, for each width of char. */
  @ParameterizedTest
  @MethodSource("hashers")
  void everyLength(Hasher hasher) {
    for (String unit : List.of("k", "é", "€", "😀", "\udc00")) {
      for (int length = 0; length <= 1100; length++) {
        String text = unit.repeat(length);
        assertThat(hasher.hash(text))
            .as("%d times %s", length, unit)
            .isEqualTo(hasher.hash(utf8(text)));
        String tail = "a".repeat(length) + unit;
        assertThat(hasher.hash(tail))
            .as("%d ASCII, then %s", length, unit)
            .isEqualTo(hasher.hash(utf8(tail)));
      }
    }
  }

  /** A long key of every width, far beyond any fixed buffer. */
  @ParameterizedTest
  @MethodSource("hashers")
  void aMillionChars(Hasher hasher) {
    for (String unit : List.of("k", "é", "€", "😀")) {
      String text = unit.repeat(1_000_000 / unit.length()) + "!";
      assertThat(hasher.hash(text)).isEqualTo(hasher.hash(text.getBytes(UTF_8)));
      assertThat(hasher.hash(new Chars(text))).isEqualTo(hasher.hash(text.getBytes(UTF_8)));
    }
  }

  private static StringBuilder builder(String text) {
    return new StringBuilder(text);
  }

  private static long fieldHash(Hasher hasher, byte[] field) {
    byte[] bytes = new byte[4 + field.length];
    for (int i = 0; i < 4; i++) {
      bytes[i] = (byte) (field.length >>> (8 * i));
    }
    System.arraycopy(field, 0, bytes, 4, field.length);
    return hasher.hash(bytes);
  }

  /** An encoder of our own, after table 3-6 of the Unicode standard. */
  private static byte[] utf8(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    text.codePoints()
        .forEach(
            c -> {
              if (c < 0x80) {
                out.write(c);
              } else if (c < 0x800) {
                out.write(0xC0 | (c >> 6));
                out.write(0x80 | (c & 0x3F));
              } else if (c >= 0xD800 && c < 0xE000) {
                out.write('?');
              } else if (c < 0x10000) {
                out.write(0xE0 | (c >> 12));
                out.write(0x80 | (c >> 6 & 0x3F));
                out.write(0x80 | (c & 0x3F));
              } else {
                out.write(0xF0 | (c >> 18));
                out.write(0x80 | (c >> 12 & 0x3F));
                out.write(0x80 | (c >> 6 & 0x3F));
                out.write(0x80 | (c & 0x3F));
              }
            });
    return out.toByteArray();
  }

  private static final class Part {
    static void cut(String bracketed, Funnel.Fields into) {
      into.put(CharBuffer.wrap(bracketed, 1, bracketed.length() - 1));
    }
  }

  /** A char sequence that is not one of the JDK's. */
  private record Chars(String text) implements CharSequence {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Chars(text.substring(start, end));
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
