package io.bloomery.foreign.mozilla;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many bytes of the SHA-256 counter stream an index takes. */
final class MozillaIndexesTest {

  private static final byte[] KEY = "zebra".getBytes(UTF_8);
  private static final byte[] SALT = {1, 2, 3};

  @ParameterizedTest
  @CsvSource({
    "255, 1",
    "256, 1",
    "257, 2",
    "65535, 2",
    "65536, 2",
    "65537, 3",
    "16777215, 3",
    "16777216, 3",
    "16777217, 4"
  })
  void counterModeTakesTheBytesThatHoldTheHighestIndex(long range, int bytes)
      throws NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(new byte[Integer.BYTES]); // the counter
    digest.update(SALT);
    byte[] stream = digest.digest(KEY);
    MozillaIndexes indexes =
        new MozillaIndexes(MozillaCascadeFilter.Hash.SHA256_COUNTER, SALT, KEY, 0, KEY.length);
    for (int at = 0; at + bytes <= stream.length; at += bytes) {
      long expected = 0;
      for (int i = 0; i < bytes; i++) {
        expected |= (stream[at + i] & 0xFFL) << (8 * i);
      }
      assertEquals(expected % range, indexes.next(range), "index at byte " + at);
    }
  }
}
