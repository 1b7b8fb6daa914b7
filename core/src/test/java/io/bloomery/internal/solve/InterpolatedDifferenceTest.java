package io.bloomery.internal.solve;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The fields and what is solved in them, against {@link BigInteger} and by trying. */
final class InterpolatedDifferenceTest {

  private static final BigInteger P = BigInteger.valueOf(PrimeField.P);

  @Test
  void arithmeticIsThatOfThePrime() {
    SplittableRandom random = Seeds.random(1);
    long[] edges = {0, 1, 2, PrimeField.P - 1, PrimeField.P - 2, 1L << 60};
    for (int i = 0; i < 2_000; i++) {
      long a = i < 36 ? edges[i / 6] : random.nextLong(PrimeField.P);
      long b = i < 36 ? edges[i % 6] : random.nextLong(PrimeField.P);
      BigInteger x = BigInteger.valueOf(a);
      BigInteger y = BigInteger.valueOf(b);
      if (PrimeField.multiply(a, b) != x.multiply(y).mod(P).longValue()
          || PrimeField.add(a, b) != x.add(y).mod(P).longValue()
          || PrimeField.subtract(a, b) != x.subtract(y).mod(P).longValue()
          || (a != 0 && PrimeField.invert(a) != x.modInverse(P).longValue())) {
        throw new AssertionError(a + ", " + b);
      }
    }
  }

  private static long[] polynomial(long... roots) {
    long[] product = {1};
    for (long root : roots) {
      long[] next = new long[product.length + 1];
      for (int i = 0; i < product.length; i++) {
        next[i + 1] = PrimeField.add(next[i + 1], product[i]);
        next[i] = PrimeField.subtract(next[i], PrimeField.multiply(root, product[i]));
      }
      product = next;
    }
    return product;
  }

  @Test
  void rootsAreFound() {
    SplittableRandom random = Seeds.random(2);
    for (int degree = 0; degree <= 20; degree++) {
      long[] roots = random.longs(degree, 1, PrimeField.P).sorted().toArray();
      long[] found = PrimeField.roots(polynomial(roots));
      Arrays.sort(found);
      assertThat(found).isEqualTo(roots);
    }
    assertThat(PrimeField.roots(polynomial(5, 5))).as("a double root").isNull();
    assertThat(PrimeField.roots(polynomial(0, 5))).as("the root 0").isNull();
    // −1 is not a square, since the prime is 3 modulo 4.
    assertThat(PrimeField.roots(new long[] {1, 0, 1})).as("x² + 1").isNull();
    assertThat(PrimeField.divisor(polynomial(3, 4, 5), polynomial(4, 5, 6)))
        .isEqualTo(polynomial(4, 5));
    assertThat(PrimeField.quotient(polynomial(3, 4, 5), polynomial(4))).isEqualTo(polynomial(3, 5));
  }

  /** As many products as keys are enough, with two more to confirm them if keys are many. */
  @Test
  void numbersFollowFromAsManyProducts() {
    SplittableRandom random = Seeds.random(3);
    for (int keys = 0; keys <= 20; keys++) {
      int theirs = random.nextInt(keys + 1);
      long[] ids = random.longs(keys, 1, PrimeField.P).toArray();
      int points = keys <= 12 ? Math.max(1, keys) : keys + 2;
      InterpolatedDifference found = find(ids, theirs, points);
      assertThat(found.size()).isEqualTo(keys);
      for (int i = 0; i < keys; i++) {
        long id = found.id(i);
        int place = Arrays.stream(ids).boxed().toList().indexOf(id);
        assertThat(found.sign(i)).isEqualTo(place < theirs ? 1 : -1);
      }
      if (keys > 3) {
        InterpolatedDifference wrong = find(ids, theirs, keys - 1);
        assertThat(wrong == null || wrong.size() < keys).isTrue();
      }
    }
  }

  private static InterpolatedDifference find(long[] ids, int theirs, int points) {
    long[] their = new long[points];
    long[] our = new long[points];
    for (int i = 0; i < points; i++) {
      // A factor that both sides have, as of keys that both have.
      their[i] = 17;
      our[i] = 17;
      for (int key = 0; key < ids.length; key++) {
        long[] side = key < theirs ? their : our;
        side[i] = PrimeField.multiply(side[i], PrimeField.subtract(i + 1L, ids[key]));
      }
    }
    return InterpolatedDifference.find(their, our, points, 2L * theirs - ids.length);
  }

  @Test
  void bytesAreMultipliedInTheirField() {
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b += 5) {
        long word = a * 0x0101010101010101L;
        assertThat(ByteField.multiply(word, b)).isEqualTo(slowProduct(a, b) * 0x0101010101010101L);
      }
      if (a > 0) {
        assertThat(ByteField.multiply(a, ByteField.invert(a))).isEqualTo(1);
      }
    }
    assertThat(ByteField.multiply(0x80FF01L, 2)).isEqualTo(0x1DE302L);
  }

  private static long slowProduct(int a, int b) {
    int product = 0;
    for (int bit = 0; bit < 8; bit++) {
      product ^= (b >>> bit & 1) * (a << bit);
    }
    for (int bit = 14; bit >= 8; bit--) {
      product ^= (product >>> bit & 1) * (0x11D << (bit - 8));
    }
    return product;
  }

  /**
   * A key is in symbol i with the probability 1 − (1 − 1/(i + 1.25))^1.6, which is within 1 % of 1
   * / (1 + .625·i).
   */
  @Test
  void symbolsHaveTheirDensity() {
    int keys = 20_000;
    int[] counts = new int[300];
    for (int i = 0; i < keys; i++) {
      long state = SymbolMapping.start(Keys.hash(i) >>> 3);
      for (int next = 0; next < counts.length; next = SymbolMapping.next(next, state)) {
        counts[next]++;
        state = SymbolMapping.advance(state);
      }
    }
    assertThat(counts[0]).isEqualTo(keys);
    for (int i = 1; i < counts.length; i++) {
      double density = 1 - Math.pow(1 - 1 / (i + 1.25), 1.6);
      Rates.assertRate(counts[i], keys, density, Rates.ofFarthest(5, counts.length - 1));
      assertThat(density).isBetween(.99 / (1 + .625 * i), 1.005 / (1 + .625 * i));
    }
  }

  @Test
  void theLastSymbolIsBeyondAll() {
    assertThat(SymbolMapping.next(Integer.MAX_VALUE - 1, 5)).isEqualTo(SymbolMapping.NONE);
    assertThat(SymbolMapping.id(-1L)).as("2^61 − 1 is 0").isZero();
    assertThat(SymbolMapping.factor(9, SymbolMapping.EARLY)).isEqualTo(1);
    long[] counts = new long[255];
    for (int i = 0; i < 25_500; i++) {
      counts[SymbolMapping.factor(Keys.hash(i) >>> 3, i % SymbolMapping.EARLY) - 1]++;
    }
    Rates.assertUniform(counts, 5);
  }

  @Test
  void seenHashesAreASet() {
    SeenHashes seen = new SeenHashes();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 1_000; i++) {
        assertThat(seen.add(i == 0 ? 0 : Keys.hash(i))).isEqualTo(round == 0);
      }
    }
  }
}
