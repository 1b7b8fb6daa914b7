package io.bloomery.security.revocation;

import static io.bloomery.security.revocation.Lists.KEYS;
import static io.bloomery.security.revocation.Lists.REVOKED;
import static io.bloomery.security.revocation.Lists.UNIVERSE;
import static io.bloomery.security.revocation.Lists.build;
import static io.bloomery.security.revocation.Lists.key;
import static io.bloomery.security.revocation.Lists.keys;
import static io.bloomery.security.revocation.Lists.options;
import static io.bloomery.security.revocation.Lists.terms;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class CheckTimeTest {

  private static final int ROUNDS = 7;

  /** CPU time per check, the least of some rounds. */
  private static double nanosPerCheck(RevocationList list) {
    byte[][] keys = new byte[UNIVERSE][];
    for (int i = 0; i < UNIVERSE; i++) {
      keys[i] = key(i);
    }
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      int revoked = 0;
      for (byte[] key : keys) {
        revoked += list.isRevoked(key) ? 1 : 0;
      }
      least =
          Math.min(least, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start);
      assertThat(revoked).isEqualTo((int) list.revoked());
    }
    return (double) least / UNIVERSE;
  }

  @Test
  @Tag("long")
  void aCheckTakesAtMostAMicrosecond() throws IOException {
    RevocationList list = RevocationList.read(build(1, UNIVERSE, REVOKED).list(), options());
    assertThat(nanosPerCheck(list)).isLessThan(1_000);
    IntPredicate revoked = i -> REVOKED.test(i) || i % 100 == 7;
    byte[] update =
        list.next(
                terms(2),
                keys(UNIVERSE, revoked),
                keys(UNIVERSE, revoked.negate()),
                KEYS.getPrivate())
            .update();
    assertThat(nanosPerCheck(list.update(update))).isLessThan(1_000);
  }
}
