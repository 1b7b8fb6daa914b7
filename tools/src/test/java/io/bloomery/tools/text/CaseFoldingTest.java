package io.bloomery.tools.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CaseFoldingTest {

  /** Foldings of letters that are newer than Unicode 13, the version of Java 17: up to 16.0. */
  private static final Map<Integer, Integer> NEW = new TreeMap<>();

  static {
    add(0x2C2F, 0x2C2F, 0x2C5F);
    add(0xA7C0, 0xA7C0, 0xA7C1);
    add(0xA7D0, 0xA7D0, 0xA7D1);
    add(0xA7D6, 0xA7D6, 0xA7D7);
    add(0xA7D8, 0xA7D8, 0xA7D9);
    add(0x10570, 0x1057A, 0x10597);
    add(0x1057C, 0x1058A, 0x105A3);
    add(0x1058C, 0x10592, 0x105B3);
    add(0x10594, 0x10595, 0x105BB);
    add(0x1C89, 0x1C89, 0x1C8A);
    add(0xA7CB, 0xA7CB, 0x0264);
    add(0xA7CC, 0xA7CC, 0xA7CD);
    add(0xA7DA, 0xA7DA, 0xA7DB);
    add(0xA7DC, 0xA7DC, 0x019B);
    add(0x10D50, 0x10D65, 0x10D70);
  }

  private static void add(int first, int last, int folded) {
    for (int c = first; c <= last; c++) {
      NEW.put(c, folded + c - first);
    }
  }

  /** Letters that got their pair after Unicode 16.0, which newer JVMs know. */
  private static boolean isLater(int c) {
    return (c >= 0xA7CE && c <= 0xA7CF)
        || (c >= 0xA7D2 && c <= 0xA7D5)
        || (c >= 0x16EA0 && c <= 0x16ED3);
  }

  /**
   * Simple folding by the mappings of the JVM. The lower case of the upper case, except where the
   * standard has no simple folding (Turkish), folds to the older upper case (Cherokee), or pairs
   * letters without a common upper case of one code point.
   */
  private static int model(int c) {
    if (NEW.containsKey(c)) {
      return NEW.get(c);
    }
    if (isLater(c) || c == 0x130 || c == 0x131 || (c >= 0x13A0 && c <= 0x13F5)) {
      return c;
    }
    if (c >= 0x13F8 && c <= 0x13FD) {
      return c - 0x13F8 + 0x13F0;
    }
    if (c >= 0xAB70 && c <= 0xABBF) {
      return c - 0xAB70 + 0x13A0;
    }
    return switch (c) {
      case 0x1FD3 -> 0x390;
      case 0x1FE3 -> 0x3B0;
      case 0xFB05 -> 0xFB06;
      default -> Character.toLowerCase(Character.toUpperCase(c));
    };
  }

  @Test
  void everyCodePointFoldsAsTheStandardSays() {
    int folded = 0;
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      int now = CaseFolding.fold(c);
      if (now != model(c)) {
        assertThat(Integer.toHexString(now))
            .as("U+%04X", c)
            .isEqualTo(Integer.toHexString(model(c)));
      }
      if (now != c) {
        folded++;
        assertThat(CaseFolding.fold(now)).as("U+%04X twice", c).isEqualTo(now);
      }
    }
    assertThat(folded).isEqualTo(1484); // the lines of status C and S in CaseFolding-16.0.0.txt
  }

  /** The table that readers in other languages take. */
  @Test
  void thePublishedTableIsThisOne() throws IOException {
    String published = Files.readString(Path.of("..", "docs", "case-folding.txt"));
    assertThat(published.split("\\s+")).containsExactly(FoldingTable.RANGES.trim().split("\\s+"));
  }

  @Test
  void plainBytesAreWhatTheyBecome() {
    for (int b = 0; b < 256; b++) {
      byte[] bytes = {'A', (byte) b, 'A'};
      boolean stays = b < 0x80 && CaseFolding.fold(b) == b;
      assertThat(CaseFolding.isPlain(bytes, 1, 1)).as("%02x", b).isEqualTo(stays);
    }
  }

  @Test
  void everyCodePointInBytesFoldsAsTheCodePoint() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
        continue;
      }
      byte[] bytes = ("a" + Character.toString(c) + "Z").getBytes(UTF_8);
      byte[] expected = ("a" + Character.toString(CaseFolding.fold(c)) + "z").getBytes(UTF_8);
      if (!Arrays.equals(CaseFolding.fold(bytes), expected)) {
        assertThat(CaseFolding.fold(bytes)).as("U+%04X", c).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CAFÉ, café",
    "ΟΔΥΣΣΕΥΣ, οδυσσευσ",
    "Ὀδυσσεύς, ὀδυσσεύσ",
    "МОСКВА, москва",
    "STRAßE, straße",
    "STRAẞE, straße",
    "STRASSE, strasse",
    "ISTANBUL, istanbul",
    "İSTANBUL, İstanbul",
    "ısparta, ısparta",
    "\u212A\u017F, ks",
    "\uFB01, \uFB01",
    "\u023A\u023E, \u2C65\u2C66",
    "\uD83D\uDE00\uD801\uDC00, \uD83D\uDE00\uD801\uDC28"
  })
  void wordsOfManyLanguages(String from, String to) {
    assertThat(new String(CaseFolding.fold(from.getBytes(UTF_8)), UTF_8)).isEqualTo(to);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tr", "az", "lt", "en"})
  void noLocaleChangesAnything(String language) {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag(language));
    try {
      assertThat(CaseFolding.fold("TITLE \u0130\u00CC".getBytes(UTF_8)))
          .isEqualTo("title \u0130\u00EC".getBytes(UTF_8));
    } finally {
      Locale.setDefault(before);
    }
  }

  /** Overlong forms, surrogates, what is too large or cut off; a letter after them is folded. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "80",
        "C1 81",
        "C3",
        "C3 C3",
        "E0 81 81",
        "E1 BA",
        "ED A0 80",
        "F0 80 81 81",
        "F0 90 90",
        "F4 90 80 80",
        "F5 80 80 80",
        "FF FE"
      })
  void otherBytesStay(String hex) {
    byte[] bad = bytes(hex.split(" "));
    ByteArrayOutputStream given = new ByteArrayOutputStream();
    given.writeBytes(bytes("41"));
    given.writeBytes(bad);
    given.writeBytes(bytes("41", "C3", "89"));
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    expected.writeBytes(bytes("61"));
    expected.writeBytes(bad);
    expected.writeBytes(bytes("61", "C3", "A9"));
    assertThat(CaseFolding.fold(given.toByteArray())).isEqualTo(expected.toByteArray());
    assertThat(CaseFolding.fold(bad)).isEqualTo(bad);
  }

  private static byte[] bytes(String... hex) {
    byte[] bytes = new byte[hex.length];
    for (int i = 0; i < hex.length; i++) {
      bytes[i] = (byte) Integer.parseInt(hex[i], 16);
    }
    return bytes;
  }

  @Test
  void anyBytesFoldAsAStrictDecoderReadsThem() {
    SplittableRandom random = Seeds.random(1);
    int[] leads = {'A', 'z', 0xC3, 0xC8, 0xBA, 0x89, 0xE1, 0xBA, 0xED, 0xF0, 0x90, 0xF4, 0xFF};
    for (int round = 0; round < Effort.of(200_000); round++) {
      byte[] bytes = new byte[random.nextInt(12)];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] =
            (byte)
                (random.nextBoolean() ? leads[random.nextInt(leads.length)] : random.nextInt(256));
      }
      byte[] folded = CaseFolding.fold(bytes);
      if (!Arrays.equals(folded, model(bytes))
          || !Arrays.equals(CaseFolding.fold(folded), folded)) {
        assertThat(folded).as(Arrays.toString(bytes)).isEqualTo(model(bytes));
        assertThat(CaseFolding.fold(folded))
            .as("twice %s", Arrays.toString(bytes))
            .isEqualTo(folded);
      }
    }
  }

  private static byte[] model(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int at = 0;
    while (at < bytes.length) {
      int size = 1;
      int codePoint = -1;
      for (int length = 1; length <= Math.min(4, bytes.length - at) && codePoint < 0; length++) {
        codePoint = single(bytes, at, length);
        size = codePoint < 0 ? 1 : length;
      }
      if (codePoint < 0) {
        out.write(bytes[at]);
      } else {
        out.writeBytes(Character.toString(model(codePoint)).getBytes(UTF_8));
      }
      at += size;
    }
    return out.toByteArray();
  }

  /** The code point that exactly these bytes are; -1 if they are none, or not well-formed. */
  private static int single(byte[] bytes, int at, int length) {
    try {
      CharBuffer text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, at, length));
      return Character.codePointCount(text, 0, text.length()) == 1
          ? Character.codePointAt(text, 0)
          : -1;
    } catch (CharacterCodingException e) {
      return -1;
    }
  }

  @Test
  void foldsIntoAGivenArray() {
    byte[] from = "..KÖLN..".getBytes(UTF_8);
    byte[] to = new byte[20];
    int length = CaseFolding.fold(from, 2, from.length - 4, to, 3);
    assertThat(new String(to, 3, length, UTF_8)).isEqualTo("köln");
    assertThat(to[2]).isZero();
    assertThat(to[3 + length]).isZero();
  }

  @Test
  void theRoomIsEnoughAndNeeded() {
    byte[] bytes = "\u023A\u023E\u023A".getBytes(UTF_8);
    assertThat(CaseFolding.fold(bytes)).hasSize(CaseFolding.mostBytes(bytes.length)).hasSize(9);
    assertThat(CaseFolding.mostBytes(0)).isZero();
    assertThat(CaseFolding.mostBytes(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE - 8);
  }
}
