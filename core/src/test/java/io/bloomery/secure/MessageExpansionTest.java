package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The vectors of RFC 9380, appendix K.1. */
final class MessageExpansionTest {

  private static final String TAG = "QUUX-V01-CS02-with-expander-SHA256-128";

  private static String expand(String message, int bytes) {
    return HexFormat.of()
        .formatHex(MessageExpansion.expand(message.getBytes(US_ASCII), TAG, bytes));
  }

  @ParameterizedTest
  @CsvSource({
    "'', 68a985b87eb6b46952128911f2a4412bbc302a9d759667f87f7a21d803f07235",
    "abc, d8ccab23b5985ccea865c6c97b6e5b8350e794e603b4b97902f53a8a0d605615",
    "abcdef0123456789, eff31487c770a893cfb36f912fbfcbff40d5661771ca4b2cb4eafe524333f5c1"
  })
  void short32(String message, String expected) {
    assertThat(expand(message, 32)).isEqualTo(expected);
  }

  @Test
  void several() {
    assertThat(expand("", 128))
        .isEqualTo(
            "af84c27ccfd45d41914fdff5df25293e221afc53d8ad2ac06d5e3e29485dadbe"
                + "e0d121587713a3e0dd4d5e69e93eb7cd4f5df4cd103e188cf60cb02edc3edf18"
                + "eda8576c412b18ffb658e3dd6ec849469b979d444cf7b26911a08e63cf31f9dc"
                + "c541708d3491184472c2c29bb749d4286b004ceb5ee6b9a7fa5b646c993f0ced");
    assertThat(expand("abc", 128))
        .isEqualTo(
            "abba86a6129e366fc877aab32fc4ffc70120d8996c88aee2fe4b32d6c7b6437a"
                + "647e6c3163d40b76a73cf6a5674ef1d890f95b664ee0afa5359a5c4e07985635"
                + "bbecbac65d747d3d2da7ec2b8221b17b0ca9dc8a1ac1c07ea6a1e60583e2cb00"
                + "058e77b7b72a298425cd1b941ad4ec65e8afc50303a22c0f99b0509b4c895f40");
  }

  @Test
  void lengths() {
    assertThat(MessageExpansion.expand(new byte[0], TAG, 1)).hasSize(1);
    assertThat(MessageExpansion.expand(new byte[0], TAG, 255 * 32)).hasSize(255 * 32);
    assertThatThrownBy(() -> MessageExpansion.expand(new byte[0], TAG, 255 * 32 + 1))
        .hasMessageContaining("bytes = 8161");
    assertThatThrownBy(() -> MessageExpansion.expand(new byte[0], "", 1))
        .hasMessageContaining("tag bytes = 0");
  }
}
