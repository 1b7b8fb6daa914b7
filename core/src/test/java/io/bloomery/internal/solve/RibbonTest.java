package io.bloomery.internal.solve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.internal.probe.Mix;
import io.bloomery.testkit.Keys;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RibbonTest {

  private static int[] values(long[] hashes, int columns) {
    return Arrays.stream(hashes).mapToInt(hash -> (int) ((hash * 31) >>> -columns)).toArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 10, 63, 64, 65, 100, 1000, 1536, 1537, 2000, 5000, 100_000})
  void everyNumberOfKeysHasItsValues(int count) {
    long[] hashes = Keys.members(count);
    for (int columns : new int[] {1, 3, 8, 31, 32}) {
      int[] values = values(hashes, columns);
      Ribbon ribbon = Ribbon.build(hashes, values, columns, 0, 7, 1);
      for (int i = 0; i < count; i++) {
        assertThat(ribbon.get(hashes[i])).isEqualTo(values[i]);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"100000, 1.012", "1000000, 1.007"})
  void aValueStoreTakesLittleMoreThanTheValues(int count, double most) {
    long[] hashes = Keys.members(count);
    Ribbon ribbon = Ribbon.build(hashes, values(hashes, 8), 8, 0, 7, 2);
    assertThat(64.0 * ribbon.layout().words() / (8.0 * count)).isBetween(1.004, most);
  }

  /** Keys that all start in one slot of the first layer are solved with the salts of round 1. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anotherRoundHasAllKeysAgain(boolean owned) {
    long seed = 7;
    int count = 100_000;
    KeyHashes hashes = owned ? KeyHashes.empty() : KeyHashes.of(crowded(count, seed));
    if (owned) {
      hashes.add(crowded(count, seed), 0, count);
    }
    Ribbon ribbon = Ribbon.build(hashes, 8, 0, seed, 2, (phase, done, total) -> {});
    assertThat(ribbon.trial()).isBetween(Ribbon.TRIALS, 2 * Ribbon.TRIALS - 1);
    assertThat(ribbon.layout().keys()).isEqualTo(count);
    for (long hash : crowded(count, seed)) {
      assertThat(ribbon.matches(hash)).isTrue();
    }
  }

  private static long[] crowded(int count, long seed) {
    long salt = Ribbon.salt(seed, 0, 0);
    long[] hashes = new long[count];
    Arrays.setAll(hashes, i -> Mix.unmix(i) ^ salt);
    return hashes;
  }

  @Test
  void aHashWithTwoValuesIsRefused() {
    long[] hashes = {5, 6, 5};
    assertThat(Ribbon.build(hashes, new int[] {1, 2, 1}, 2, 0, 0, 1).get(5)).isEqualTo(1);
    assertThatThrownBy(() -> Ribbon.build(hashes, new int[] {1, 2, 3}, 2, 0, 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two values");
  }
}
