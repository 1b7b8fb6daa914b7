package io.bloomery.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.Seeds;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/**
 * Sealed messages open with the key they were sealed for, whole and unchanged, and not otherwise.
 */
final class SealedMessageTest {

  private static final int BYTES = 40;

  private final byte[] receiver = random(1, SealedMessage.KEY_BYTES);
  private final byte[] message = random(2, BYTES);

  private static byte[] random(int seed, int length) {
    byte[] bytes = new byte[length];
    Seeds.random(seed).nextBytes(bytes);
    return bytes;
  }

  /** RFC 7748, section 6.1: Bob's keys. */
  @Test
  void publicKeysAreThoseOfTheStandard() {
    HexFormat hex = HexFormat.of();
    byte[] bob = hex.parseHex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
    assertThat(hex.formatHex(SealedMessage.publicKey(bob)))
        .isEqualTo("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");
  }

  @Test
  void opensForItsReceiver() {
    byte[] sealed = SealedMessage.seal(SealedMessage.publicKey(receiver), message);
    assertThat(sealed).hasSize(BYTES + SealedMessage.OVERHEAD_BYTES);
    assertThat(SealedMessage.open(receiver, sealed, BYTES)).isEqualTo(message);
    assertThat(SealedMessage.seal(SealedMessage.publicKey(receiver), message)).isNotEqualTo(sealed);
  }

  @Test
  void anotherKeyAndEveryChangedBitAreRefused() {
    byte[] sealed = SealedMessage.seal(SealedMessage.publicKey(receiver), message);
    assertRefused(random(3, SealedMessage.KEY_BYTES), sealed);
    for (int bit = 0; bit < sealed.length * 8; bit++) {
      byte[] changed = sealed.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertRefused(receiver, changed);
    }
    assertRefused(receiver, Arrays.copyOf(sealed, sealed.length - 1));
    assertRefused(receiver, Arrays.copyOf(sealed, sealed.length + 1));
    assertRefused(receiver, new byte[0]);
  }

  @Test
  void pointsOfSmallOrderAreRefused() {
    byte[] zero = new byte[SealedMessage.KEY_BYTES];
    byte[] one = zero.clone();
    one[0] = 1;
    for (byte[] point : new byte[][] {zero, one, new byte[31], new byte[33]}) {
      assertThatThrownBy(() -> SealedMessage.seal(point, message))
          .isInstanceOf(MessageException.class);
    }
    byte[] sealed = new byte[BYTES + SealedMessage.OVERHEAD_BYTES];
    assertRefused(receiver, sealed);
  }

  private static void assertRefused(byte[] key, byte[] sealed) {
    assertThatThrownBy(() -> SealedMessage.open(key, sealed, BYTES))
        .isInstanceOf(MessageException.class);
  }
}
