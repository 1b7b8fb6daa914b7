package io.bloomery.security.deny;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Seeds;
import java.net.IDN;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NamesTest {

  @ParameterizedTest
  @CsvSource({
    "Example.COM., example.com",
    "bücher.example, xn--bcher-kva.example",
    "BÜCHER.example, xn--bcher-kva.example",
    "bu\u0308cher.example, xn--bcher-kva.example",
    "faß.de, xn--fa-hia.de",
    "☃.net, xn--n3h.net",
    "例え。テスト, xn--r8jz45g.xn--zckzah",
    "ｅｘａｍｐｌｅ．com, example.com",
    "gmaıl.net, xn--gmal-nza.net",
    "İ.net, xn--i-9bb.net",
    "ΣΑΣ.gr, xn--mxa9ab.gr",
    "_dmarc.example.com, _dmarc.example.com",
    "XN--N3H.net, xn--n3h.net",
  })
  void canonical(String name, String expected) {
    assertThat(Names.canonical(name)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "a..b",
        ".a",
        "a b.com",
        "a*.com",
        "*.com",
        "a/b",
        "1.2.3.4",
        "a.1",
        "a.0x1F",
        "0x",
        "a@b.com",
        "a\u0000.com",
        "a\u2028.com",
        "\uDC80.com",
        "a%20b.com"
      })
  void noName(String text) {
    assertThat(Names.canonical(text)).isNull();
  }

  @Test
  void lengths() {
    assertThat(Names.canonical("a".repeat(63) + ".b")).isNotNull();
    assertThat(Names.canonical("a".repeat(64) + ".b")).isNull();
    assertThat(Names.canonical("a.".repeat(126) + "b.")).isNotNull();
    assertThat(Names.canonical("a.".repeat(127) + "b")).isNull();
    assertThat(Names.canonical("ü".repeat(253))).isNull();
  }

  /** The JDK knows the encoding, of older letters and with other rules for a few of them. */
  @Test
  void theEncodingIsThatOfTheJdk() {
    SplittableRandom random = Seeds.random(1);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder label = new StringBuilder();
      int length = random.nextInt(1, 12);
      for (int at = 0; at < length; at++) {
        int[] ranges = {'a', 26, 0xE0, 23, 0x3B1, 17, 0x430, 32, 0x4E00, 20_000, 0x5D0, 0};
        int range = 2 * random.nextInt(5);
        label.appendCodePoint(ranges[range] + random.nextInt(ranges[range + 1]));
      }
      String name = label.toString();
      String expected = IDN.toASCII(name);
      if (name.chars().anyMatch(c -> c >= 0x80)) {
        assertThat("xn--" + Punycode.encode(name)).isEqualTo(expected);
      }
      assertThat(Names.canonical(name)).isEqualTo(expected.length() > 63 ? null : expected);
    }
  }
}
