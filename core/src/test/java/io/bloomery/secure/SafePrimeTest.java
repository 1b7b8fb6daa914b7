package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The groups of encrypted filters. */
final class SafePrimeTest {

  /** Safe, of 256 bits, which protects nothing. */
  static final EncryptionKey.SafePrime TOY =
      EncryptionKey.SafePrime.toy(
          new BigInteger("c1bb77736557d74e0f7402388c98bc06d12bc24e0901bb1d653019ad548f482b", 16));

  /** p = 2^n - 2^(n-64) - 1 + 2^64 · (⌊2^(n-130) · π⌋ + c), as RFC 3526 defines its primes. */
  @Test
  void primesAreThoseOfTheRfc() {
    assertThat(EncryptionKey.SafePrime.modp2048().prime()).isEqualTo(modp(2048, 124_476));
    assertThat(EncryptionKey.SafePrime.modp3072().prime()).isEqualTo(modp(3072, 1_690_314));
    assertThat(EncryptionKey.SafePrime.modp2048().number()).isEqualTo(14);
    assertThat(EncryptionKey.SafePrime.modp3072().number()).isEqualTo(15);
    assertThat(EncryptionKey.SafePrime.modp2048().messageBytes()).isEqualTo(256);
    assertThat(EncryptionKey.SafePrime.modp2048())
        .hasToString("a safe prime of 2048 bits, group 14 of RFC 3526");
  }

  private static BigInteger modp(int bits, long c) {
    BigInteger two = BigInteger.TWO;
    return two.pow(bits)
        .subtract(two.pow(bits - 64))
        .subtract(BigInteger.ONE)
        .add(two.pow(64).multiply(pi(bits - 130).add(BigInteger.valueOf(c))));
  }

  /** ⌊2^bits · π⌋ by Machin's formula. */
  private static BigInteger pi(int bits) {
    BigInteger one = BigInteger.ONE.shiftLeft(bits + 64);
    BigInteger quarter = arcCotangent(5, one).shiftLeft(2).subtract(arcCotangent(239, one));
    return quarter.shiftLeft(2).shiftRight(64);
  }

  private static BigInteger arcCotangent(int x, BigInteger one) {
    BigInteger square = BigInteger.valueOf((long) x * x);
    BigInteger power = one.divide(BigInteger.valueOf(x));
    BigInteger sum = power;
    for (int n = 3; power.signum() != 0; n += 2) {
      power = power.divide(square).negate();
      sum = sum.add(power.divide(BigInteger.valueOf(n)));
    }
    return sum;
  }

  @Test
  void primesAreSafe() {
    for (EncryptionKey.SafePrime group :
        new EncryptionKey.SafePrime[] {TOY, EncryptionKey.SafePrime.modp2048()}) {
      assertThat(group.prime().isProbablePrime(20)).isTrue();
      assertThat(group.order().isProbablePrime(20)).isTrue();
      assertThat(group.order().shiftLeft(1).add(BigInteger.ONE)).isEqualTo(group.prime());
    }
  }

  /** The symbol by reciprocity is the power by (p - 1) / 2. */
  @Test
  void squares() {
    SplittableRandom draw = Seeds.random(1);
    int squares = 0;
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = new byte[32];
      draw.nextBytes(bytes);
      BigInteger x = new BigInteger(1, bytes).mod(TOY.prime());
      boolean square = x.modPow(TOY.order(), TOY.prime()).equals(BigInteger.ONE);
      assertThat(TOY.isSquare(x)).isEqualTo(square);
      squares += square ? 1 : 0;
    }
    Rates.assertRate(squares, 2_000, 0.5, 5);
    for (int small : new int[] {2, 3, 5, 6, 7, 30, 255}) {
      BigInteger x = BigInteger.valueOf(small);
      EncryptionKey.SafePrime group = EncryptionKey.SafePrime.modp2048();
      assertThat(group.isSquare(x))
          .isEqualTo(x.modPow(group.order(), group.prime()).equals(BigInteger.ONE));
    }
    assertThat(TOY.isSquare(BigInteger.ZERO)).isFalse();
    assertThat(TOY.isSquare(TOY.prime().subtract(BigInteger.ONE))).isFalse();
  }

  /** Words become squares, all over the group: high and low bits are fair coins. */
  @Test
  void wordsAreSpreadOverTheSquares() {
    int high = 0;
    int low = 0;
    BigInteger half = TOY.prime().shiftRight(1);
    for (int i = 0; i < 1_000; i++) {
      BigInteger element = TOY.hash(("word " + Seeds.of(i)).getBytes(UTF_8));
      assertThat(TOY.isSquare(element)).isTrue();
      high += element.compareTo(half) > 0 ? 1 : 0;
      low += element.testBit(0) ? 1 : 0;
    }
    Rates.assertRate(high, 1_000, 0.5, 5);
    Rates.assertRate(low, 1_000, 0.5, 5);
    assertThat(TOY.hash(new byte[0])).isNotEqualTo(TOY.checkElement());
  }

  @Test
  void messagesHaveTheLengthOfThePrime() {
    for (long value : new long[] {0, 1, 127, 128, 255, 256, Long.MAX_VALUE}) {
      byte[] message = TOY.encode(BigInteger.valueOf(value));
      assertThat(message).hasSize(32);
      assertThat(new BigInteger(1, message)).isEqualTo(BigInteger.valueOf(value));
    }
    BigInteger largest = TOY.prime().subtract(BigInteger.ONE);
    assertThat(new BigInteger(1, TOY.encode(largest))).isEqualTo(largest);
  }

  @Test
  void powersDoNotDependOnTheBlind() {
    BigInteger x = TOY.hash(new byte[] {1});
    BigInteger k = TOY.randomExponent();
    assertThat(TOY.power(x, k)).isEqualTo(x.modPow(k, TOY.prime())).isEqualTo(TOY.power(x, k));
  }

  @Test
  void otherPrimesMustBeSafeAndLarge() {
    BigInteger p = EncryptionKey.SafePrime.modp2048().prime();
    assertThat(EncryptionKey.SafePrime.of(p))
        .isEqualTo(EncryptionKey.SafePrime.modp2048())
        .hasSameHashCodeAs(EncryptionKey.SafePrime.modp2048());
    assertThat(EncryptionKey.SafePrime.of(p).number()).isZero();
    assertThatThrownBy(() -> EncryptionKey.SafePrime.of(TOY.prime()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("p.bitLength = 256 is outside the allowed range 2048 … 8192");
    assertThatThrownBy(() -> EncryptionKey.SafePrime.of(p.subtract(BigInteger.TWO)))
        .hasMessageContaining("not a safe prime");
    assertThatThrownBy(() -> EncryptionKey.SafePrime.of(p.add(BigInteger.ONE)))
        .hasMessageContaining("not a safe prime");
  }
}
