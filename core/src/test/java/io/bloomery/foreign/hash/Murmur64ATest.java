package io.bloomery.foreign.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** MurmurHash64A against the value by which SMHasher recognises it. */
final class Murmur64ATest {

  @Test
  void verificationValueIsThatOfSmhasher() {
    byte[] key = new byte[256];
    ByteBuffer hashes = ByteBuffer.allocate(256 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 256; i++) {
      key[i] = (byte) i;
      hashes.putLong(Murmur64A.hash(key, 0, i, 256 - i));
    }
    byte[] all = hashes.array();
    assertThat((int) Murmur64A.hash(all, 0, all.length, 0)).isEqualTo(0x1F0D3804);
  }

  @Test
  void aPartOfAnArrayHashesLikeACopy() {
    byte[] key = new byte[40];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (i * 77);
    }
    for (int length = 0; length < 20; length++) {
      byte[] copy = Arrays.copyOfRange(key, 7, 7 + length);
      assertThat(Murmur64A.hash(key, 7, length, 5)).isEqualTo(Murmur64A.hash(copy, 0, length, 5));
    }
  }
}
