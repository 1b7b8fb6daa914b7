package io.bloomery.find.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ByteSearchTest {

  /** Few different bytes, so that all anchors match nearly everywhere; 0x80 and 0xFF carry. */
  private static byte[] bytes(SplittableRandom random, int length) {
    byte[] values = {'a', 'b', ' ', 0, (byte) 0x80, (byte) 0xFF, 1};
    byte[] bytes = new byte[length];
    int different = 1 + random.nextInt(values.length);
    for (int i = 0; i < length; i++) {
      bytes[i] = values[random.nextInt(different)];
    }
    return bytes;
  }

  @Test
  void findsWhatIndexOfFinds() {
    SplittableRandom random = Seeds.random(12);
    for (int round = 0; round < 20_000; round++) {
      byte[] key = bytes(random, 1 + random.nextInt(24));
      byte[] text = bytes(random, random.nextInt(120));
      byte[] sample = random.nextBoolean() ? text : new byte[4096];
      int from = random.nextInt(text.length + 1);
      int to = from + random.nextInt(text.length - from + 1);
      int expected = new String(text, 0, to, ISO_8859_1).indexOf(new String(key, ISO_8859_1), from);
      assertThat(new ByteSearch(key, sample, sample.length).find(text, from, to))
          .isEqualTo(expected < 0 ? to : expected);
    }
  }
}
