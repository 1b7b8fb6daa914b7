package io.bloomery.security.revocation;

import static io.bloomery.security.revocation.Lists.KEYS;
import static io.bloomery.security.revocation.Lists.REVOKED;
import static io.bloomery.security.revocation.Lists.START;
import static io.bloomery.security.revocation.Lists.assertRefused;
import static io.bloomery.security.revocation.Lists.build;
import static io.bloomery.security.revocation.Lists.key;
import static io.bloomery.security.revocation.Lists.keys;
import static io.bloomery.security.revocation.Lists.options;
import static io.bloomery.security.revocation.Lists.terms;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.security.revocation.RevocationList.Published;
import io.bloomery.security.revocation.RevocationList.Reason;
import io.bloomery.security.revocation.RevocationList.RefusedException;
import io.bloomery.security.revocation.RevocationList.Status;
import io.bloomery.security.revocation.RevocationOptions.Terms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is no list, or not to be trusted. */
final class RefusalTest {

  @TempDir private Path directory;

  @Test
  void everyDamageIsRefused() {
    byte[] list = build(1, 2_000, REVOKED).list();
    for (int i = 0; i < list.length; i++) {
      byte[] damaged = list.clone();
      damaged[i] ^= 1;
      assertThatThrownBy(() -> RevocationList.read(damaged, options()))
          .isInstanceOf(IOException.class);
    }
    for (int length : new int[] {0, 1, 8, 60, 123, 124, list.length - 1}) {
      assertThatThrownBy(() -> RevocationList.read(Arrays.copyOf(list, length), options()))
          .isInstanceOf(IOException.class);
    }
    byte[] unsigned = list.clone();
    Arrays.fill(unsigned, list.length - 64, list.length, (byte) 0);
    assertRefused(Reason.SIGNATURE, () -> RevocationList.read(unsigned, options()));
    RevocationOptions stranger =
        RevocationOptions.of(keys("Ed25519").getPublic()).withClock(() -> START);
    assertRefused(Reason.SIGNATURE, () -> RevocationList.read(list, stranger));
  }

  @Test
  void whatThePublisherSignedWronglyIsAnErrorOfFormat() throws IOException {
    SignedList good = SignedList.read(build(1, 2_000, REVOKED).list(), KEYS.getPublic());
    byte[] cascade = good.parts().get(0);
    byte[] noCount = new byte[20];
    byte[] huge = ByteBuffer.allocate(20).putInt(0, 1 << 30).putInt(4, 8).putInt(16, 0).array();
    List<List<byte[]>> wrong =
        List.of(
            List.of(),
            List.of(new byte[0]),
            List.of(Arrays.copyOf(cascade, cascade.length + 8)),
            List.of(Arrays.copyOf(cascade, cascade.length - 8)),
            List.of(new byte[] {127, 0, 0, 0, 1}),
            List.of(new byte[] {0, 0, 0, 9, 1}),
            List.of(cascade, new byte[3]),
            List.of(cascade, noCount),
            List.of(cascade, huge),
            List.of(cascade, cascade));
    for (List<byte[]> parts : wrong) {
      SignedList signed = SignedList.sign(terms(1), 1, 1, parts, KEYS.getPrivate());
      assertThatThrownBy(() -> RevocationList.read(signed.bytes(), options()))
          .isInstanceOf(FilterFormatException.class);
    }
  }

  @Test
  void timesAreKept() throws IOException {
    byte[] list = build(1, 1_000, REVOKED).list();
    Instant end = terms(1).validTo();
    RevocationOptions options = RevocationOptions.of(KEYS.getPublic());
    assertRefused(
        Reason.NOT_YET_VALID,
        () -> RevocationList.read(list, options.withClock(() -> START.minusMillis(1))));
    assertRefused(Reason.EXPIRED, () -> RevocationList.read(list, options.withClock(() -> end)));
    Instant[] now = {end.minusMillis(1)};
    RevocationList open =
        RevocationList.read(
            list, options.withClock(() -> now[0]).withUniverse(key -> key.length == 4));
    assertThat(open.isRevoked(key(0))).isTrue();
    assertThat(open.status(key(0))).isEqualTo(Status.REVOKED);
    now[0] = end;
    assertThatIllegalStateException().isThrownBy(() -> open.isRevoked(key(0)));
    assertThat(open.status(key(0))).isEqualTo(Status.UNKNOWN);
    assertThat(open.status(key(0), START)).isEqualTo(Status.UNKNOWN);
  }

  @Test
  void anOlderListIsRefused() throws IOException {
    Path memory = directory.resolve("newest");
    Path file = directory.resolve("list");
    RevocationOptions options = options().rememberingIn(memory);
    RevocationList.read(build(2, 1_000, REVOKED).list(), options).writeTo(file);
    RevocationList again = RevocationList.open(file, options);
    byte[] older = build(1, 1_000, REVOKED).list();
    assertRefused(Reason.OLDER, () -> RevocationList.read(older, options));
    byte[] other = build(2, 1_000, REVOKED).list();
    assertRefused(Reason.DIFFERENT, () -> RevocationList.read(other, options));
    Published next =
        again.next(
            terms(3), keys(1_000, REVOKED), keys(1_000, REVOKED.negate()), KEYS.getPrivate());
    again.update(next.update());
    assertRefused(Reason.OLDER, () -> RevocationList.open(file, options));
    KeyPair stranger = keys("Ed25519");
    byte[] foreign =
        RevocationList.build(
                terms(9), keys(9, REVOKED), keys(9, i -> i == 7), stranger.getPrivate())
            .list();
    assertRefused(
        Reason.OTHER_PUBLISHER,
        () ->
            RevocationList.read(
                foreign,
                RevocationOptions.of(stranger.getPublic())
                    .withClock(() -> START)
                    .rememberingIn(memory)));
    byte[] remembered = Files.readAllBytes(memory);
    for (int i = 0; i < remembered.length; i++) {
      byte[] damaged = remembered.clone();
      damaged[i] ^= 1;
      Files.write(memory, damaged);
      assertThatThrownBy(() -> RevocationList.open(file, options)).isInstanceOf(IOException.class);
    }
    Files.write(memory, new byte[0]);
    assertThatThrownBy(() -> RevocationList.open(file, options))
        .isInstanceOf(FilterFormatException.class);
  }

  @Test
  void whateverOrderTheNewestIsRemembered() throws IOException {
    RevocationOptions options = options().rememberingIn(directory.resolve("newest"));
    List<byte[]> lists = new ArrayList<>();
    for (int serial = 1; serial <= 20; serial++) {
      lists.add(build(serial, 100, REVOKED).list());
    }
    IntStream.range(0, lists.size())
        .parallel()
        .forEach(
            i -> {
              try {
                RevocationList.read(lists.get(i), options);
              } catch (RefusedException e) {
                assertThat(e.reason()).isEqualTo(Reason.OLDER);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    assertRefused(Reason.OLDER, () -> RevocationList.read(lists.get(18), options));
    assertThat(RevocationList.read(lists.get(19), options).terms().serial()).isEqualTo(20);
  }

  @Test
  void whatCannotBeBuiltIsRefused() throws IOException {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> build(1, 0, REVOKED))
        .withMessageContaining("no keys");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                RevocationList.build(
                    terms(1), keys(100, i -> i < 51), keys(100, i -> i > 49), KEYS.getPrivate()))
        .withMessageContaining("also among the others");
    RevocationList list = RevocationList.read(build(1, 100, REVOKED).list(), options());
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                list.next(
                    terms(2), keys(100, i -> i < 51), keys(100, i -> i > 49), KEYS.getPrivate()));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                RevocationList.build(
                    terms(1),
                    keys(100, REVOKED),
                    keys(100, REVOKED.negate()),
                    keys("Ed448").getPrivate()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RevocationOptions.of(keys("Ed448").getPublic()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RevocationOptions.of(keys("RSA").getPublic()));
    assertThatIllegalArgumentException().isThrownBy(() -> options().withMaxBytes(0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Terms(0, START, START, START));
    assertThatIllegalArgumentException().isThrownBy(() -> new Terms(1, START, START, START));
  }

  @Test
  void longListsAreNotRead() throws IOException {
    byte[] bytes = build(1, 10_000, REVOKED).list();
    Path file = Files.write(directory.resolve("list"), bytes);
    RevocationList list = RevocationList.open(file, options());
    for (int less : new int[] {1, bytes.length - 1, bytes.length}) { // unpacked it is longer
      RevocationOptions strict = options().withMaxBytes(less);
      assertThatThrownBy(() -> RevocationList.open(file, strict))
          .isInstanceOf(FilterFormatException.class);
      assertThatThrownBy(() -> RevocationList.read(bytes, strict))
          .isInstanceOf(FilterFormatException.class);
    }
    Published next =
        list.next(
            terms(2), keys(10_000, REVOKED), keys(10_000, REVOKED.negate()), KEYS.getPrivate());
    SignedList signed = SignedList.read(bytes, KEYS.getPublic());
    assertThat(signed.updated(next.update(), bytes.length + 4)).hasSize(bytes.length + 4);
    assertThatThrownBy(() -> signed.updated(next.update(), bytes.length + 3))
        .isInstanceOf(FilterFormatException.class);
    assertThat(new String(Files.readAllBytes(file), 0, 8, UTF_8)).isEqualTo("BLMREVL1");
  }
}
