package io.bloomery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.internal.bits.KeyArena;
import io.bloomery.internal.probe.Mix;
import io.bloomery.testkit.Seeds;
import io.bloomery.testkit.Xxh3Inverse;
import org.junit.jupiter.api.Test;

/**
 * A peer that knows the seed of a run sends keys whose mixed hashes share all their low bits. Under
 * a public function each would pass all those before it, 5·10^9 slots for 100,000 keys.
 */
final class FloodedKeySetTest {

  private static final int KEYS = 100_000;
  private static final long SEED = Seeds.of(41);

  /**
   * With random places, a set that is at most 2/3 full passes 4 slots for each new key at the most
   * (Knuth vol. 3, 6.4: (1 + 1/(1 − 2/3)²)/2 − 1) and half of these again when it grows.
   */
  private static final long MOST_STEPS = 6L * KEYS;

  private static byte[] crafted(int i) {
    return KeyCodec.bytesOf(new Xxh3Inverse(SEED).key(Mix.unmix((long) i << 32)));
  }

  @Test
  void keysOfThePeerDoNotCrowd() throws ReconciliationException {
    KeySet set = new KeySet(new KeyArena(), SEED);
    for (int i = 0; i < KEYS; i++) {
      set.receive(crafted(i));
    }
    assertThat(set.count()).isEqualTo(KEYS);
    assertThat(set.id(7)).isEqualTo(Mix.unmix(7L << 32));
    for (int i = 0; i < KEYS; i++) {
      assertThat(set.find(set.id(i))).isEqualTo(i);
    }
    assertThat(set.steps()).isLessThan(2 * MOST_STEPS);
  }

  /** A peer that begins chooses the seed, for keys that it knows this side to have. */
  @Test
  void keysOfThisSideDoNotCrowd() throws ReconciliationException {
    KeyArena given = new KeyArena();
    for (int i = 0; i < KEYS; i++) {
      given.add(crafted(i), 0, Long.BYTES);
    }
    assertThat(new KeySet(given, SEED).steps()).isLessThan(MOST_STEPS);
  }
}
