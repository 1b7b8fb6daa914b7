package io.bloomery.internal.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The loads of words against their means, which are known exactly. */
final class WordLoadTest {

  /** Where the cap is beyond all throws nothing is above it, not even by rounding. */
  @ParameterizedTest
  @CsvSource({"1, 2, 2, 4", "1, 3, 1, 2", "7, 3, 2, 5", "9, 5, 3, 7", "11, 7, 3, 8"})
  void nothingIsAboveAHighCap(long keys, long words, int groups, int hashesPerKey) {
    WordLoad load = WordLoad.of(keys, words, groups, hashesPerKey, keys * hashesPerKey * 2);
    assertThat(load.expect(t -> 0)).isZero();
    assertThat(load.expect(t -> 1)).isCloseTo(1, within(1e-12));
    assertThat(load.expect(t -> t))
        .isCloseTo((double) keys * hashesPerKey / words, within(1e-9 * keys));
  }

  /** What is above the cap counts as 1, so that the function's 1 below it makes 1 in all. */
  @ParameterizedTest
  @CsvSource({"30, 10, 1, 2, 4", "30, 10, 2, 5, 9", "400, 10, 3, 7, 60"})
  void whatIsAboveCountsAsOne(long keys, long words, int groups, int hashesPerKey, long cap) {
    WordLoad load = WordLoad.of(keys, words, groups, hashesPerKey, cap);
    assertThat(load.expect(t -> 1)).isCloseTo(1, within(1e-12));
    assertThat(load.expect(t -> 0)).isBetween(1e-3, 1.0);
  }
}
