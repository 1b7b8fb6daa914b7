package io.bloomery.hash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The published vectors of XXH3-64 and SipHash-2-4. */
final class HashVectorsTest {

  private static final byte[] PAPER_KEY =
      HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");

  @Test
  void xxh3OfEveryLengthClass() {
    List<String[]> vectors = Vectors.read("xxh3-64.tsv");
    assertThat(vectors).hasSize(28);
    byte[] buffer = sanityBuffer(2367);
    for (String[] vector : vectors) {
      int length = Integer.parseInt(vector[0]);
      Hasher hasher = Hasher.xxh3(Long.parseUnsignedLong(vector[1]));
      long expected = Long.parseUnsignedLong(vector[2], 16);
      assertThat(hasher.hash(Arrays.copyOf(buffer, length)))
          .as("length %s, seed %s", vector[0], vector[1])
          .isEqualTo(expected);
      assertThat(hasher.hash(buffer, 0, length)).isEqualTo(expected);
      assertThat(hasher.hash(shifted(buffer, length, 5), 5, length)).isEqualTo(expected);
    }
  }

  @Test
  void xxh3OfTexts() {
    List<String[]> vectors = Vectors.read("xxh3-64-text.tsv");
    assertThat(vectors).hasSize(200);
    for (String[] vector : vectors) {
      Hasher hasher = Hasher.xxh3(Long.parseUnsignedLong(vector[0]));
      long expected = Long.parseUnsignedLong(vector[1], 16);
      String text = vector[2];
      assertThat(hasher.hash(text)).as(text).isEqualTo(expected);
      assertThat(hasher.hash(CharBuffer.wrap(text))).as(text).isEqualTo(expected);
      assertThat(hasher.hash(text.getBytes(UTF_8))).as(text).isEqualTo(expected);
    }
  }

  @Test
  void sipHashOfThePaper() {
    List<String[]> vectors = Vectors.read("siphash-2-4.tsv");
    assertThat(vectors).hasSize(64);
    Hasher hasher = Hasher.keyed(PAPER_KEY);
    byte[] message = new byte[64];
    for (int i = 0; i < message.length; i++) {
      message[i] = (byte) i;
    }
    for (String[] vector : vectors) {
      int length = Integer.parseInt(vector[0]);
      long expected = littleEndian(vector[1]);
      assertThat(hasher.hash(Arrays.copyOf(message, length)))
          .as("length %s", vector[0])
          .isEqualTo(expected);
      assertThat(hasher.hash(message, 0, length)).isEqualTo(expected);
      assertThat(hasher.hash(shifted(message, length, 3), 3, length)).isEqualTo(expected);
      assertThat(hasher.hash(new String(message, 0, length, UTF_8))).isEqualTo(expected);
    }
    assertThat(hasher.hash(0x0706050403020100L)).isEqualTo(littleEndian(vectors.get(8)[1]));
  }

  private static byte[] sanityBuffer(int length) {
    byte[] buffer = new byte[length];
    long g = 2654435761L;
    for (int i = 0; i < length; i++) {
      buffer[i] = (byte) (g >>> 56);
      g *= Long.parseUnsignedLong("11400714785074694797");
    }
    return buffer;
  }

  /** The first bytes of a buffer, moved, between bytes that do not belong to the key. */
  private static byte[] shifted(byte[] bytes, int length, int offset) {
    byte[] array = new byte[offset + length + 9];
    Arrays.fill(array, (byte) 0xEE);
    System.arraycopy(bytes, 0, array, offset, length);
    return array;
  }

  private static long littleEndian(String hex) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(hex)).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}
