package io.bloomery.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * What the parties of an {@link EncryptedFilter} can compute from what they see, as games that the
 * adversary would win if the protocol revealed a key or a word.
 *
 * <p>Where a view is a distribution, the group is so small that all of it is enumerated: 11 squares
 * modulo 23.
 */
final class EncryptedGamesTest {

  private static final EncryptionKey.SafePrime TOY = SafePrimeTest.TOY;
  private static final EncryptionKey.SafePrime TINY =
      EncryptionKey.SafePrime.toy(BigInteger.valueOf(23));
  private static final int DECOYS = 200;

  private final EncryptionKey ownersKey = EncryptedFilterTest.key(TOY, 1);
  private final EncryptedFilter.Owner owner =
      EncryptedFilter.Owner.create(ownersKey, 1_000_000, 1e-4);

  private static ThirdParty ted(EncryptedFilter.Owner owner, int decoys) {
    return ThirdParty.create(TOY, owner.filter().shape(), owner.filter().hasher(), decoys);
  }

  private static EncryptionKey tiny(int exponent) {
    return EncryptionKey.of(TINY, TINY.encode(BigInteger.valueOf(exponent)));
  }

  /** Client: its own messages and, on the wire, the owner's answer. It chooses its message. */
  @Test
  void aClientThatReadsTheOwnersAnswerLearnsNoKey() {
    ThirdParty ted = ted(owner, 0);
    for (BigInteger degenerate :
        new BigInteger[] {BigInteger.ONE, TOY.order().subtract(BigInteger.ONE)}) {
      assertThatThrownBy(() -> owner.enrol(TOY.encode(degenerate), ted.publicKey()))
          .isInstanceOf(MessageException.class);
    }
    BigInteger chosen = BigInteger.TWO;
    byte[] answer = owner.enrol(TOY.encode(chosen), ted.publicKey());
    BigInteger secret = ownersKey.exponent();
    for (int at = 0; at + TOY.messageBytes() <= answer.length; at++) {
      BigInteger read = new BigInteger(1, answer, at, TOY.messageBytes()).mod(TOY.order());
      BigInteger quotient = read.multiply(chosen.modInverse(TOY.order())).mod(TOY.order());
      assertThat(quotient).isNotEqualTo(secret);
      assertThat(read).isNotEqualTo(secret);
    }
    // Not even to itself does a stranger open it, and a second answer has nothing in common.
    assertThatThrownBy(() -> SealedMessage.open(new byte[32], answer, TOY.messageBytes()))
        .isInstanceOf(MessageException.class);
    byte[] second = owner.enrol(TOY.encode(chosen), ted.publicKey());
    int equal = 0;
    for (int i = 0; i < answer.length; i++) {
      equal += answer[i] == second[i] ? 1 : 0;
    }
    Rates.assertRateAtMost(equal, answer.length, 1.0 / 256, 5);
    // Ted, for whom it is, reads it: the seal is the only protection against the client.
    EncryptedFilter.Client honest = EncryptedFilter.Client.of(EncryptedFilterTest.key(TOY, 2));
    try (EncryptedFilter.Client.Enrolment enrolment = honest.enrol()) {
      ted.enrol("a", enrolment.forThirdParty(), owner.enrol(enrolment.forOwner(), ted.publicKey()));
    }
    assertThat(ted.translate("a", honest.query("word"))).isEqualTo(ownersKey.encrypt("word"));
  }

  /** Owner: s / a for a random s, which has the same distribution for every client's key a. */
  @Test
  void theOwnerSeesTheSameOfEveryClient() {
    int drawn = 20_000;
    for (int a : new int[] {3, 5, 7, 9}) {
      EncryptedFilter.Client client = EncryptedFilter.Client.of(tiny(a));
      Map<BigInteger, Integer> seen = new HashMap<>();
      for (int i = 0; i < drawn; i++) {
        try (EncryptedFilter.Client.Enrolment enrolment = client.enrol()) {
          seen.merge(TINY.exponent(enrolment.forOwner()), 1, Integer::sum);
        }
      }
      assertThat(seen).hasSize(10);
      double mean = drawn / 10.0;
      double deviation = Math.sqrt(mean * 0.9);
      seen.values()
          .forEach(count -> assertThat(count - mean).isBetween(-5 * deviation, 5 * deviation));
    }
  }

  /** Ted: s and b · s / a, from which it computes b / a. The same for every pair of that ratio. */
  @Test
  void theThirdPartySeesTheSameOfAllKeysWithOneRatio() {
    BigInteger q = TINY.order();
    for (int a = 1; a < q.intValue(); a++) {
      BigInteger b = BigInteger.valueOf(4).multiply(BigInteger.valueOf(a)).mod(q); // ratio 4
      for (int s = 1; s < q.intValue(); s++) {
        BigInteger mask = BigInteger.valueOf(s);
        BigInteger toOwner = mask.multiply(BigInteger.valueOf(a).modInverse(q)).mod(q);
        BigInteger toTed = b.multiply(toOwner).mod(q);
        assertThat(toTed).isEqualTo(BigInteger.valueOf(4).multiply(mask).mod(q));
      }
    }
  }

  /**
   * A request of the owner's, for a word that it cannot guess: no lattice finds the word's hash.
   */
  @Test
  void theOwnerCannotTellPositionsFromDecoys() {
    ThirdParty ted = ted(owner, DECOYS);
    EncryptedFilter.Client client = EncryptedFilter.Client.of(EncryptedFilterTest.key(TOY, 2));
    try (EncryptedFilter.Client.Enrolment enrolment = client.enrol()) {
      ted.enrol("a", enrolment.forThirdParty(), owner.enrol(enrolment.forOwner(), ted.publicKey()));
    }
    BloomShape shape = owner.filter().shape().bloom();
    long[] positions = positions(ted.lookUp("a", client.query("word " + Seeds.of(1))).request());
    assertThat(positions).hasSize(shape.hashesPerKey() + DECOYS);
    assertThat(new LatticeAttack(shape).hashOf(positions)).isEmpty();
  }

  /** The same attack on positions that are products, as filters without encryption have them. */
  @Test
  void aLatticeFindsTheHashOfProducts() {
    BloomShape bloom = owner.filter().shape().bloom();
    BloomShape shape = BloomShape.of(bloom.bits(), bloom.hashesPerKey());
    LatticeAttack attack = new LatticeAttack(shape);
    SplittableRandom random = Seeds.random(7);
    for (int i = 0; i < 3; i++) {
      long hash = random.nextLong();
      assertThat(attack.hashOf(attack.request(hash, DECOYS, random))).isEqualTo(Optional.of(hash));
    }
    EncryptedShape old = new EncryptedShape(shape, 0);
    assertThatThrownBy(() -> ThirdParty.create(TOY, old, owner.filter().hasher(), DECOYS))
        .hasMessageStartingWith("shape.bloom.scheme = POWERS: its positions reveal");
    assertThatThrownBy(() -> EncryptedFilter.Owner.create(ownersKey, old, owner.filter().hasher()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Two requests for one word are equal: what they have in common is not its positions. */
  @Test
  void aRepeatedWordHasTheSameDecoys() {
    EncryptedFilter.Client first = EncryptedFilter.Client.of(EncryptedFilterTest.key(TOY, 2));
    EncryptedFilter.Client second = EncryptedFilter.Client.of(EncryptedFilterTest.key(TOY, 3));
    ThirdParty ted = ted(owner, DECOYS);
    Map<String, EncryptedFilter.Client> clients = Map.of("first", first, "second", second);
    clients.forEach(
        (name, client) -> {
          try (EncryptedFilter.Client.Enrolment enrolment = client.enrol()) {
            ted.enrol(
                name,
                enrolment.forThirdParty(),
                owner.enrol(enrolment.forOwner(), ted.publicKey()));
          }
        });
    assertThat(ted.lookUp("first", first.query("word")).request())
        .isEqualTo(ted.lookUp("first", first.query("word")).request())
        .isEqualTo(ted.lookUp("second", second.query("word")).request())
        .isNotEqualTo(ted.lookUp("first", first.query("other")).request());
  }

  private static long[] positions(byte[] request) {
    long[] positions = new long[request.length / Long.BYTES];
    ByteBuffer.wrap(request).asLongBuffer().get(positions);
    return positions;
  }
}
