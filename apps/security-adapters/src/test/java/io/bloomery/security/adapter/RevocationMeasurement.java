package io.bloomery.security.adapter;

import io.bloomery.security.revocation.RevocationList;
import io.bloomery.security.revocation.RevocationList.Published;
import io.bloomery.security.revocation.RevocationOptions;
import io.bloomery.security.revocation.RevocationOptions.Terms;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Figures of revocation lists of a million keys of which 2 % are revoked; {@code bench/security
 * revoked} runs it, and it is not a test.
 */
final class RevocationMeasurement {

  private static final int UNIVERSE = 1_000_000;
  private static final IntPredicate REVOKED = i -> i * 0x9E3779B1L % 50 == 0;

  private RevocationMeasurement() {}

  public static void main(String[] arguments) throws IOException, GeneralSecurityException {
    KeyPair publisher = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    RevocationOptions options = RevocationOptions.of(publisher.getPublic());
    double start = Measured.cpuSeconds();
    Published built =
        RevocationList.build(
            terms(1), keys(REVOKED), keys(REVOKED.negate()), publisher.getPrivate());
    double seconds = Measured.cpuSeconds() - start;
    RevocationList list = RevocationList.read(built.list(), options);
    System.out.printf(
        Locale.ROOT,
        "%,d of %,d revoked: %,d bytes, %.2f bits per revoked key, %d errors, built in %.1f s%n",
        list.revoked(),
        list.universe(),
        built.list().length,
        built.list().length * 8.0 / list.revoked(),
        errors(list, REVOKED),
        seconds);
    System.out.printf(Locale.ROOT, "%.0f ns per check%n", nanos(list));
    for (int changed : new int[] {100, 500, 1_000, 2_000, 5_000, 10_000, 20_000}) {
      int every = UNIVERSE / changed;
      IntPredicate revoked = i -> REVOKED.test(i) ^ i % every == 7;
      Published next =
          list.next(terms(2), keys(revoked), keys(revoked.negate()), publisher.getPrivate());
      RevocationList after = list.update(next.update());
      System.out.printf(
          Locale.ROOT,
          "%,d changed: update %,d bytes, %.2f of the information, whole list %,d, %d errors,"
              + " %.0f ns per check%n",
          changed,
          next.update().length,
          next.update().length * 8 / information(changed),
          next.list().length,
          errors(after, revoked),
          nanos(after));
    }
  }

  private static Terms terms(long serial) {
    Instant now = Instant.now();
    return new Terms(serial, now, now, now.plus(Duration.ofDays(7)));
  }

  private static byte[] key(int i) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(i).array();
  }

  private static Supplier<Stream<byte[]>> keys(IntPredicate which) {
    return () -> IntStream.range(0, UNIVERSE).filter(which).mapToObj(RevocationMeasurement::key);
  }

  private static long errors(RevocationList list, IntPredicate revoked) {
    return IntStream.range(0, UNIVERSE)
        .filter(i -> list.isRevoked(key(i)) != revoked.test(i))
        .count();
  }

  private static double nanos(RevocationList list) {
    byte[][] keys = IntStream.range(0, UNIVERSE).mapToObj(i -> key(i)).toArray(byte[][]::new);
    return 1e9
        / UNIVERSE
        * Measured.leastSeconds(
            7,
            () -> {
              long revoked = 0;
              for (byte[] key : keys) {
                revoked += list.isRevoked(key) ? 1 : 0;
              }
              return revoked;
            });
  }

  /** The least number of bits that tell which keys change. */
  private static double information(long changed) {
    double sum = 0;
    for (long i = 1; i <= changed; i++) {
      sum += Math.log((double) (UNIVERSE - changed + i) / i);
    }
    return sum / Math.log(2);
  }
}
