package io.bloomery.security.revocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.security.revocation.RevocationList.Published;
import io.bloomery.security.revocation.RevocationList.Reason;
import io.bloomery.security.revocation.RevocationList.RefusedException;
import io.bloomery.security.revocation.RevocationOptions.Terms;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Lists of numbers, with a publisher of the run. */
final class Lists {

  private Lists() {}

  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final Duration DAY = Duration.ofDays(1);
  static final KeyPair KEYS = keys("Ed25519");
  static final int UNIVERSE = 1_000_000;

  /** One of 50, scattered. */
  static final IntPredicate REVOKED = i -> i * 0x9E3779B1L % 50 == 0;

  static KeyPair keys(String algorithm) {
    try {
      return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static byte[] key(int i) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(i).array();
  }

  static Supplier<Stream<byte[]>> keys(int count, IntPredicate which) {
    return () -> IntStream.range(0, count).filter(which).mapToObj(Lists::key);
  }

  static Terms terms(long serial) {
    Instant issued = START.plus(DAY.multipliedBy(serial));
    return new Terms(serial, issued, START, START.plus(DAY.multipliedBy(100)));
  }

  static RevocationOptions options() {
    return RevocationOptions.of(KEYS.getPublic()).withClock(() -> START);
  }

  static Published build(long serial, int universe, IntPredicate revoked) {
    return RevocationList.build(
        terms(serial),
        keys(universe, revoked),
        keys(universe, revoked.negate()),
        KEYS.getPrivate());
  }

  static void assertExact(RevocationList list, int universe, IntPredicate revoked) {
    long wrong =
        IntStream.range(0, universe).filter(i -> list.isRevoked(key(i)) != revoked.test(i)).count();
    assertThat(wrong).isZero();
  }

  static void assertRefused(Reason reason, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RefusedException.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
  }
}
