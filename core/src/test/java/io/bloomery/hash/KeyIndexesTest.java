package io.bloomery.hash;

import static io.bloomery.testkit.Rates.assertMean;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import io.bloomery.theory.BloomMath;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Catalogue A.5: k hash functions of the key itself, and of how many bytes it may be.
 *
 * <p>Measured here, of A.5 (k functions of the key itself: seeds, MD5(x‖i), initial values; keys of
 * 1 byte to 1 MB): (256, 40, 4): seeds and MD5(x‖i) meet the exact 0.0473 for random keys and for
 * texts that differ in their last digits. With k initial values of FNV-1a the rates of filters of
 * such texts deviate 2.8 times as much as they should.
 */
final class KeyIndexesTest {

  private static final int M = 256;
  private static final int N = 40;
  private static final int K = 4;
  private static final int FILTERS = 60;
  private static final int OUTSIDERS = 2_000;

  /** Key j of a filter: 8 random bytes, or the text of a number. */
  private static byte[] key(boolean random, int filter, int j) {
    long first = Seeds.random(filter).nextLong() >>> 16;
    return random
        ? ByteBuffer.allocate(Long.BYTES).putLong(Keys.hash(filter * 100_000L + j)).array()
        : ("key-" + (first + j)).getBytes(UTF_8);
  }

  private static double[] rates(KeyIndexes scheme, boolean random) {
    double[] rates = new double[FILTERS];
    for (int filter = 0; filter < FILTERS; filter++) {
      BitSet bits = new BitSet(M);
      for (int j = 0; j < N; j++) {
        for (long index : scheme.indexes(key(random, filter, j), M, K)) {
          bits.set((int) index);
        }
      }
      int hits = 0;
      for (int j = N; j < N + OUTSIDERS; j++) {
        long[] indexes = scheme.indexes(key(random, filter, j), M, K);
        hits += Arrays.stream(indexes).allMatch(index -> bits.get((int) index)) ? 1 : 0;
      }
      rates[filter] = (double) hits / OUTSIDERS;
    }
    return rates;
  }

  /** (256, 40, 4): exact .0473, 60 filters of 2,000 outsiders each; random keys for all. */
  @ParameterizedTest
  @EnumSource
  void randomKeysMeetTheExactRate(KeyIndexes scheme) {
    assertThat(BloomMath.exactRate(M, N, K)).isBetween(.04726, .04727);
    assertMean(rates(scheme, true), BloomMath.exactRate(M, N, K), 5, 0);
  }

  /**
   * Texts that differ in their last digits: good functions do not mind. With initial values the
   * rates of filters deviate 2.8 times as much as they should.
   */
  @Test
  void similarKeysMeetItWithGoodFunctionsOnly() {
    double exact = BloomMath.exactRate(M, N, K);
    assertMean(rates(KeyIndexes.SEEDED, false), exact, 5, 0);
    assertMean(rates(KeyIndexes.APPENDED, false), exact, 5, 0);
    double good = exact * Rates.rateDeviation(M, N, K);
    double ofInitialValues =
        Rates.standardError(rates(KeyIndexes.INITIAL_VALUES, false)) * Math.sqrt(FILTERS);
    assertThat(ofInitialValues).as("filters differ, as keys do").isGreaterThan(1.5 * good);
  }

  /** Computed by a program in another language. */
  @Test
  void vectors() {
    assertThat(KeyIndexes.APPENDED.indexes("bloom", 1000, 5))
        .containsExactly(863, 953, 545, 172, 54);
    assertThat(KeyIndexes.APPENDED.indexes("", 1L << 40, 3))
        .containsExactly(127857422946L, 1069138139525L, 175570911967L);
    assertThat(KeyIndexes.INITIAL_VALUES.indexes("bloom", 1000, 5))
        .containsExactly(324, 889, 534, 675, 72);
    long[] seeded = KeyIndexes.SEEDED.indexes("bloom", 1000, 5);
    for (int i = 0; i < 5; i++) {
      assertThat(seeded[i]).isEqualTo(Long.remainderUnsigned(Hasher.xxh3(i).hash("bloom"), 1000));
    }
  }

  /**
   * The survey: only m/n matters, not the length of the keys. m/n = 4, k = 3, keys of one byte (64
   * members, the other 192 values ask) up to a megabyte; 8 filters of each, 1,536 questions.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 100, 10_000, 1_000_000})
  void keysOfAnyLengthGiveTheSameRate(int length) {
    int filters = length > 10_000 ? 8 : 200;
    BloomShape shape = BloomShape.of(256, 3, IndexScheme.INDEPENDENT);
    byte[] key = new byte[length];
    long hits = 0;
    double[] rates = new double[filters];
    for (int filter = 0; filter < filters; filter++) {
      Seeds.random(filter).nextBytes(key);
      BloomFilter bits = BloomFilter.create(shape, Hasher.xxh3(Seeds.of(filter)));
      for (int j = 0; j < 256; j++) {
        key[length / 2] = (byte) j;
        if (j < 64) {
          bits.add(key);
        } else {
          hits += bits.mightContain(key) ? 1 : 0;
        }
      }
      rates[filter] = bits.falsePositiveRate();
    }
    // Given their fills, the filters' mean rate; its expectation is the exact rate of the shape.
    Rates.assertRate(hits, filters * 192L, Rates.mean(rates), 5);
    double ofOne = Rates.rateDeviation(256, 64, 3) * shape.falsePositiveRate(64);
    assertThat(Rates.mean(rates))
        .isBetween(
            shape.falsePositiveRate(64) - 5 * ofOne / Math.sqrt(filters),
            shape.falsePositiveRate(64) + 5 * ofOne / Math.sqrt(filters));
  }

  @Test
  void badArgumentsAreNamed() {
    byte[] key = "x".getBytes(StandardCharsets.US_ASCII);
    assertThatThrownBy(() -> KeyIndexes.SEEDED.indexes(key, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("bits = 1 ");
    assertThatThrownBy(() -> KeyIndexes.SEEDED.indexes(key, 10, 256))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("count = 256 ");
    assertThatThrownBy(() -> KeyIndexes.SEEDED.indexes((byte[]) null, 10, 1))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("key");
  }
}
