package io.bloomery.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import org.junit.jupiter.api.Test;

final class CloseSetsTest {

  private static final BloomShape SHAPE = BloomShape.of(4096, 4);
  private static final int SETS = 300;
  private static final int KEYS = 500;

  private static BloomFilter filter(long[] keys) {
    BloomFilter filter = BloomFilter.create(SHAPE);
    filter.addHashes(keys, 0, keys.length);
    return filter;
  }

  /** A set with a number of keys replaced. */
  private static long[] replaced(long[] keys, int count) {
    long[] copy = keys.clone();
    for (int i = 0; i < count; i++) {
      copy[i] = ~copy[i];
    }
    return copy;
  }

  /** 300 sets of 500 keys: those that share 95 % with one are found, those that share 60 % not. */
  @Test
  void isAnySetCloseToTheQuery() {
    double near = DistanceSensitiveFilter.CloseSets.distance(SHAPE, KEYS, KEYS, 475);
    double far = DistanceSensitiveFilter.CloseSets.distance(SHAPE, KEYS, KEYS, 300);
    DistanceShape shape = DistanceShape.forVectors(4096, SETS, 1.2 * near, 0.9 * far, 0.001);
    DistanceSensitiveFilter.CloseSets sets =
        DistanceSensitiveFilter.CloseSets.of(
            SHAPE, Hasher.xxh3(), DistanceSensitiveFilter.create(shape, Seeds.of(1)));
    for (int i = 0; i < SETS; i++) {
      assertThat(sets.add(filter(Keys.members(KEYS, i)))).isTrue();
    }
    double[] distances = new double[SETS];
    int missed = 0;
    int found = 0;
    for (int i = 0; i < SETS; i++) {
      long[] keys = Keys.members(KEYS, i);
      assertThat(sets.score(filter(keys))).isEqualTo(shape.arrays());
      BloomFilter close = filter(replaced(keys, 25));
      distances[i] = differing(close, filter(keys));
      missed += sets.mightContainCloseTo(close) ? 0 : 1;
      found += sets.mightContainCloseTo(filter(replaced(keys, 200))) ? 1 : 0;
      found += sets.mightContainCloseTo(filter(Keys.outsiders(KEYS, i))) ? 1 : 0;
    }
    Rates.assertMean(distances, near, 5, 0.01);
    Rates.assertRateAtMost(missed, SETS, 0.001, 5);
    Rates.assertRateAtMost(found, 2 * SETS, 0.001, 5);
    assertThat(sets.filter().sizeInBits())
        .as("all filters together take %d bits", SETS * 4096)
        .isLessThan(SETS * 4096 / 2);
  }

  /** The share of bits in which two filters differ. */
  private static double differing(BloomFilter one, BloomFilter two) {
    BloomFilter or = one.copy();
    or.merge(two);
    BloomFilter and = one.copy();
    and.intersect(two);
    return or.fillRatio() - and.fillRatio();
  }

  @Test
  void otherFiltersAreRefused() {
    DistanceSensitiveFilter vectors =
        DistanceSensitiveFilter.create(DistanceShape.hamming(4096, 4, 4, 64, 2));
    DistanceSensitiveFilter.CloseSets sets =
        DistanceSensitiveFilter.CloseSets.of(SHAPE, Hasher.xxh3(), vectors);
    assertThat(sets.filter()).isSameAs(vectors);
    assertThatThrownBy(() -> sets.add(BloomFilter.create(BloomShape.of(4095, 4))))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("4095");
    assertThatThrownBy(() -> sets.score(BloomFilter.create(SHAPE, Hasher.xxh3(5))))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("hasher");
    assertThatThrownBy(
            () ->
                DistanceSensitiveFilter.CloseSets.of(BloomShape.of(99, 4), Hasher.xxh3(), vectors))
        .hasMessage("dimension = 4096 is outside the allowed range 99 … 99");
    assertThat(DistanceSensitiveFilter.CloseSets.distance(SHAPE, 500, 500, 500)).isZero();
  }
}
