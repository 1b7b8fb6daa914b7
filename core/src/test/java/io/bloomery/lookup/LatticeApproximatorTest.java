package io.bloomery.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Any lattice: divisibility, booleans, intervals. */
final class LatticeApproximatorTest {

  private static final Hasher HASHER = Hasher.xxh3(Seeds.of(0));

  /** Numbers of which one is below another if it divides it; 1 is the bottom. */
  private static final LatticeApproximator.Lattice<BigInteger> DIVISIBILITY =
      new LatticeApproximator.Lattice<>() {
        @Override
        public BigInteger bottom() {
          return BigInteger.ONE;
        }

        @Override
        public BigInteger join(BigInteger a, BigInteger b) {
          return a.multiply(b).divide(a.gcd(b));
        }

        @Override
        public BigInteger meet(BigInteger a, BigInteger b) {
          return a.gcd(b);
        }
      };

  private static final LatticeApproximator.Lattice<Boolean> TRUTH =
      new LatticeApproximator.Lattice<>() {
        @Override
        public Boolean bottom() {
          return false;
        }

        @Override
        public Boolean join(Boolean a, Boolean b) {
          return a || b;
        }

        @Override
        public Boolean meet(Boolean a, Boolean b) {
          return a && b;
        }
      };

  @Test
  void aNumberIsNeverBelowItsJoin() {
    int keys = 5_000;
    LatticeApproximator<BigInteger> approximator =
        LatticeApproximator.create(DIVISIBILITY, keys, 0.01, HASHER);
    Map<Long, BigInteger> exact = new HashMap<>();
    SplittableRandom random = Seeds.random(11);
    for (int i = 0; i < 2 * keys; i++) {
      long key = random.nextInt(keys);
      BigInteger value = BigInteger.valueOf(1 + random.nextInt(30));
      approximator.put(key, value);
      exact.merge(key, value, DIVISIBILITY::join);
    }
    int tooHigh = 0;
    for (Map.Entry<Long, BigInteger> entry : exact.entrySet()) {
      BigInteger found = approximator.get(entry.getKey());
      assertThat(found.mod(entry.getValue())).isEqualTo(BigInteger.ZERO);
      tooHigh += found.equals(entry.getValue()) ? 0 : 1;
    }
    // A key's value is too high only if others reached all of its cells: at most the rate of those
    // that were put.
    double rate = ApproximatorShape.forKeys(keys, 0.01, 1).falsePositiveRate(exact.size());
    Rates.assertRateAtMost(tooHigh, exact.size(), rate, 5);
  }

  @Test
  void outsidersHaveTheBottomButForTheRate() {
    int keys = 20_000;
    LatticeApproximator<Boolean> approximator =
        LatticeApproximator.create(TRUTH, keys, 0.01, HASHER);
    for (long key = 0; key < keys; key++) {
      approximator.put(key, true);
    }
    int trials = 1_000_000;
    long found = 0;
    for (long i = 0; i < trials; i++) {
      found += approximator.get((1L << 40) + i) ? 1 : 0;
    }
    Rates.assertRate(found, trials, approximator.falsePositiveRate(), 5);
    ApproximatorShape shape = ApproximatorShape.forKeys(keys, 0.01, 1);
    double deviation = Rates.rateDeviation((double) shape.cells(), keys, shape.hashesPerKey());
    double expected = shape.falsePositiveRate(keys);
    assertThat(expected).isBetween(0.0099, 0.01);
    assertThat(approximator.falsePositiveRate())
        .isCloseTo(expected, within(5 * deviation * expected));
  }

  @Test
  void truthIsTheBloomFilter() {
    LatticeApproximator<Boolean> approximator = LatticeApproximator.create(TRUTH, 4_096, 5, HASHER);
    BloomFilter bloom =
        BloomFilter.create(BloomShape.of(4_096, 5, IndexScheme.INDEPENDENT), HASHER);
    for (long key = 0; key < 500; key++) {
      assertThat(approximator.put(key, true)).isEqualTo(bloom.add(key));
    }
    for (long key = 0; key < 100_000; key++) {
      assertThat(approximator.get(key)).isEqualTo(bloom.mightContain(key));
    }
  }

  @Test
  void theBottomIsNoValue() {
    LatticeApproximator<Boolean> approximator = LatticeApproximator.create(TRUTH, 64, 3, HASHER);
    assertThat(approximator.put("key", false)).isFalse();
    assertThat(approximator.falsePositiveRate()).isZero();
    assertThat(approximator.get("key")).isFalse();
    assertThat(approximator.put(new byte[] {1}, true)).isTrue();
    assertThat(approximator.put(new byte[] {1}, true)).isFalse();
    assertThat(approximator.get(new byte[] {1})).isTrue();
  }

  @Test
  void argumentsAreChecked() {
    assertThatThrownBy(() -> LatticeApproximator.create(TRUTH, 1L << 40, 3, HASHER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cells");
    assertThatThrownBy(() -> LatticeApproximator.create(null, 64, 3, HASHER))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("lattice");
    LatticeApproximator<Boolean> approximator = LatticeApproximator.create(TRUTH, 64, 3, HASHER);
    assertThatThrownBy(() -> approximator.put("key", null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("value");
  }
}
