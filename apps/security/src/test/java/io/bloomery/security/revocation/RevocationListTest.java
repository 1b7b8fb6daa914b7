package io.bloomery.security.revocation;

import static io.bloomery.security.revocation.Lists.KEYS;
import static io.bloomery.security.revocation.Lists.REVOKED;
import static io.bloomery.security.revocation.Lists.START;
import static io.bloomery.security.revocation.Lists.UNIVERSE;
import static io.bloomery.security.revocation.Lists.assertExact;
import static io.bloomery.security.revocation.Lists.assertRefused;
import static io.bloomery.security.revocation.Lists.build;
import static io.bloomery.security.revocation.Lists.key;
import static io.bloomery.security.revocation.Lists.keys;
import static io.bloomery.security.revocation.Lists.options;
import static io.bloomery.security.revocation.Lists.terms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.frozen.CascadeShape;
import io.bloomery.security.revocation.RevocationList.Published;
import io.bloomery.security.revocation.RevocationList.Reason;
import io.bloomery.security.revocation.RevocationList.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RevocationListTest {

  /**
   * The size is a sum of independent numbers of false positives; CascadeShape gives their mean and
   * says that it varies by a few times the root of the members. The published figure for 2 % is
   * 12.2 bits per revoked key.
   */
  @Test
  void aMillionKeysWithoutAnError() throws IOException {
    RevocationList list = RevocationList.read(build(1, UNIVERSE, REVOKED).list(), options());
    assertExact(list, UNIVERSE, REVOKED);
    long revoked = IntStream.range(0, UNIVERSE).filter(REVOKED).count();
    assertThat(list.revoked()).isEqualTo(revoked);
    assertThat(list.universe()).isEqualTo(UNIVERSE);
    double bits = list.toBytes().length * 8.0 / revoked;
    assertThat(bits).isLessThanOrEqualTo(13.5);
    double expected = (double) CascadeShape.forKeys(revoked, UNIVERSE).sizeInBits();
    double most = 8 * 1_500; // signature, headers and a table of some 30 layers
    double spread = 5 * 6 * Math.sqrt((double) revoked);
    assertThat(list.toBytes().length * 8.0).isBetween(expected - spread, expected + spread + most);
  }

  /** The least number of bits that tell which d of n keys change. */
  private static double information(long n, long d) {
    double sum = 0;
    for (long i = 1; i <= d; i++) {
      sum += Math.log((double) (n - d + i) / i);
    }
    return sum / Math.log(2);
  }

  @Test
  void updatesTakeLittleMoreThanTheirInformation() throws IOException {
    RevocationList list = RevocationList.read(build(1, UNIVERSE, REVOKED).list(), options());
    for (int every : new int[] {20, 100, 200, 1_000, 10_000}) {
      IntPredicate revoked = i -> REVOKED.test(i) ^ i % every == 7;
      Published next =
          list.next(
              terms(2),
              keys(UNIVERSE, revoked),
              keys(UNIVERSE, revoked.negate()),
              KEYS.getPrivate());
      double least = information(UNIVERSE, UNIVERSE / every);
      RevocationList after = list.update(next.update());
      assertExact(after, UNIVERSE, revoked);
      assertThat(after.terms()).isEqualTo(terms(2));
      assertThat(next.isDelta()).isTrue();
      int d = UNIVERSE / every;
      double rate = d / (UNIVERSE * Math.log(2));
      double ideal = d * -Math.log(rate) / Math.log(2) + d + rate * (UNIVERSE - d);
      double most = 1.04 * ideal + 8 * 500; // ribbons in whole words; signature, headers
      assertThat(next.update().length * 8.0).isBetween(ideal, most);
      if (every <= 200) {
        assertThat(next.update().length * 8 / least).isLessThanOrEqualTo(1.2);
      }
    }
  }

  @Test
  void manyDaysInARow() throws IOException {
    int first = 20_000;
    RevocationList list = RevocationList.read(build(1, first, REVOKED).list(), options());
    boolean isStarted = false;
    for (int day = 2; day <= 40; day++) {
      int universe = first + 100 * day; // new keys, a few of them revoked
      int today = day;
      IntPredicate revoked = i -> REVOKED.test(i) || i % 1_000 < today;
      Published next =
          list.next(
              terms(day),
              keys(universe, revoked),
              keys(universe, revoked.negate()),
              KEYS.getPrivate());
      list = list.update(next.update());
      assertThat(next.list()).isEqualTo(RevocationList.read(next.list(), options()).toBytes());
      assertThat(list.toBytes()).isEqualTo(next.list());
      assertThat(list.updates()).isLessThan(SignedList.MAX_PARTS);
      assertExact(list, universe, revoked);
      isStarted |= !next.isDelta();
    }
    assertThat(isStarted).as("a whole list in between").isTrue();
  }

  @Test
  void anUpdateFitsItsListOnly() throws IOException {
    RevocationList first = RevocationList.read(build(1, 100_000, REVOKED).list(), options());
    IntPredicate revoked = i -> REVOKED.test(i) || i == 3;
    Published second =
        first.next(
            terms(2), keys(100_000, revoked), keys(100_000, revoked.negate()), KEYS.getPrivate());
    assertThat(second.isDelta()).isTrue();
    RevocationList after = first.update(second.update());
    assertRefused(Reason.DOES_NOT_FIT, () -> after.update(second.update()));
    byte[] whole = first.toBytes();
    assertRefused(Reason.OLDER, () -> after.update(whole));
    RevocationList other = RevocationList.read(build(1, 100_000, REVOKED).list(), options());
    assertRefused(Reason.SIGNATURE, () -> other.update(second.update()));
    byte[] update = second.update();
    for (int i = 0; i < update.length; i++) {
      byte[] damaged = update.clone();
      damaged[i] ^= 4;
      assertThatThrownBy(() -> first.update(damaged)).isInstanceOf(IOException.class);
      byte[] cut = Arrays.copyOf(update, i);
      assertThatThrownBy(() -> first.update(cut)).isInstanceOf(IOException.class);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                after.next(
                    terms(2),
                    keys(100_000, revoked),
                    keys(100_000, revoked.negate()),
                    KEYS.getPrivate()));
  }

  @Test
  void theWholeListIsSentWhereThatIsLess() throws IOException {
    RevocationList first = RevocationList.read(build(1, 10_000, REVOKED).list(), options());
    IntPredicate revoked = i -> REVOKED.test(i) ^ i % 20 == 0;
    Published second =
        first.next(
            terms(2), keys(10_000, revoked), keys(10_000, revoked.negate()), KEYS.getPrivate());
    assertThat(second.isDelta()).isFalse();
    assertThat(second.reason()).contains("500 changed keys").contains("would take");
    assertThat(second.update()).isEqualTo(second.list());
    assertExact(first.update(second.update()), 10_000, revoked);
  }

  /** Only the terms are new. */
  @Test
  void aListWithoutChangesIsExtendedInAFewBytes() throws IOException {
    RevocationList first = RevocationList.read(build(1, 10_000, REVOKED).list(), options());
    Published second =
        first.next(
            terms(2), keys(10_000, REVOKED), keys(10_000, REVOKED.negate()), KEYS.getPrivate());
    assertThat(second.update()).hasSize(144);
    assertExact(first.update(second.update()), 10_000, REVOKED);
  }

  @Test
  void nothingIsGuessedOutsideTheUniverse() throws IOException {
    byte[] bytes = build(1, 1_000, REVOKED).list();
    RevocationList list = RevocationList.read(bytes, options());
    assertThat(list.status(key(0))).isEqualTo(Status.UNKNOWN);
    Instant issued = terms(1).issued();
    assertThat(list.status(key(0), issued)).isEqualTo(Status.UNKNOWN);
    assertThat(list.status(key(0), issued.minusMillis(1))).isEqualTo(Status.REVOKED);
    assertThat(list.status(key(1), issued.minusMillis(1))).isEqualTo(Status.GOOD);
    RevocationList some =
        RevocationList.read(
            bytes, options().withUniverse(key -> ByteBuffer.wrap(key).getInt() < 1_000));
    assertThat(some.status(key(0))).isEqualTo(Status.REVOKED);
    assertThat(some.status(key(999))).isEqualTo(Status.GOOD);
    assertThat(some.status(key(1_000))).isEqualTo(Status.UNKNOWN);
    assertThat(some.status(key(1_000), START)).isEqualTo(Status.UNKNOWN);
  }

  @Test
  void nobodyOrEverybodyIsRevoked() throws IOException {
    for (boolean all : new boolean[] {false, true}) {
      RevocationList list = RevocationList.read(build(1, 100, i -> all).list(), options());
      assertExact(list, 100, i -> all);
      Published next =
          list.next(terms(2), keys(100, i -> !all), keys(100, i -> all), KEYS.getPrivate());
      assertExact(list.update(next.update()), 100, i -> !all);
    }
  }
}
