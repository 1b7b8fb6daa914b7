package io.bloomery.foreign.hash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Seeds;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Published values, and the platform's SHA3-256, which differs in one byte of padding. */
final class KeccakTest {

  @ParameterizedTest
  @CsvSource({
    "'', c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
    "abc, 4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
    "The quick brown fox jumps over the lazy dog,"
        + " 4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15",
    "'Transfer(address,address,uint256)',"
        + " ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
  })
  void publishedValues(String text, String hash) {
    byte[] bytes = text.getBytes(UTF_8);
    assertThat(HexFormat.of().formatHex(Keccak.hash256(bytes, 0, bytes.length))).isEqualTo(hash);
  }

  @Test
  void everyLengthOfSha3() throws GeneralSecurityException {
    byte[] bytes = new byte[700];
    Seeds.random(3).nextBytes(bytes);
    MessageDigest sha3 = MessageDigest.getInstance("SHA3-256");
    for (int length = 0; length < 500; length++) {
      byte[] part = Arrays.copyOfRange(bytes, 7, 7 + length);
      assertThat(Keccak.hash256(bytes, 7, length, 0x06)).isEqualTo(sha3.digest(part));
    }
  }
}
