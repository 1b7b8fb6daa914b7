package io.bloomery.security.password;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Digests against published ones. */
final class DigestsTest {

  /** RFC 1320, appendix A.5. */
  private static final String[][] RFC_1320 = {
    {"", "31d6cfe0d16ae931b73c59d7e0c089c0"},
    {"a", "bde52cb31de33e46245e05fbdbd6fb24"},
    {"abc", "a448017aaf21d8525fc10ae87aa6729d"},
    {"message digest", "d9130a8164549fe818874806e1c7014b"},
    {"abcdefghijklmnopqrstuvwxyz", "d79e1c308aa5bbcdeea8ed63df412da9"},
    {
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
      "043f8582f241db351ce627e153e7f0e4"
    },
    {
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "e33b4ddc9c38f2199c3e7b164fcc0536"
    }
  };

  @Test
  void md4AsTheRfcHasIt() {
    for (String[] vector : RFC_1320) {
      byte[] message = vector[0].getBytes(US_ASCII);
      byte[] digest = new byte[Md4.BYTES];
      Md4.digest(message, message.length, digest);
      assertThat(HexFormat.of().formatHex(digest)).isEqualTo(vector[1]);
    }
  }

  @Test
  void ntlmOfKnownPasswords() {
    assertThat(ntlm("password")).isEqualTo("8846f7eaee8fb117ad06bdd830b7586c");
    assertThat(ntlm("")).isEqualTo(RFC_1320[0][1]);
  }

  @Test
  void ntlmTakesEachUnitOfUtf16() {
    byte[] wide = "p\u00e4ss\ud83d\udd11".getBytes(UTF_16LE);
    byte[] digest = new byte[Md4.BYTES];
    Md4.digest(wide, wide.length, digest);
    assertThat(ntlm("p\u00e4ss\ud83d\udd11")).isEqualTo(HexFormat.of().formatHex(digest));
  }

  @Test
  void utf8OfCharacters() {
    String text = "p\u00e4ss\u20ac\ud83d\udd11";
    assertThat(PasswordDigest.utf8(text.toCharArray())).isEqualTo(text.getBytes(UTF_8));
    assertThat(PasswordKeys.characters(text.getBytes(UTF_8), 0, text.getBytes(UTF_8).length))
        .isEqualTo(6);
  }

  private static String ntlm(String password) {
    byte[] bytes = password.getBytes(UTF_8);
    byte[] digest = new byte[Md4.BYTES];
    PasswordDigest.ntlm(bytes, 0, bytes.length, digest);
    return HexFormat.of().formatHex(digest);
  }
}
