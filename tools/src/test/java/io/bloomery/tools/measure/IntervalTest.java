package io.bloomery.tools.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.api.Assertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntervalTest {

  /**
   * The examples of R. G. Newcombe, "Two-sided confidence intervals for the single proportion",
   * Statistics in Medicine 17 (1998), table I, method 3.
   */
  @ParameterizedTest
  @CsvSource({
    "81, 263, 0.2553, 0.3662",
    "15, 148, 0.0624, 0.1605",
    "0, 20, 0, 0.1611",
    "1, 29, 0.0061, 0.1718",
  })
  void agreesWithPublishedIntervals(long hits, long trials, double low, double high) {
    Interval interval = Interval.of(hits, trials);
    assertThat(interval.low()).isCloseTo(low, Assertions.within(0.00005));
    assertThat(interval.high()).isCloseTo(high, Assertions.within(0.00005));
    assertThat(interval.contains((double) hits / trials)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 1", "1000000, 1000000", "0, 1000000000"})
  void endsStayWithinZeroAndOne(long hits, long trials) {
    Interval interval = Interval.of(hits, trials);
    assertThat(interval.low()).isBetween(0.0, 1.0);
    assertThat(interval.high()).isBetween(interval.low(), 1.0);
    assertThat(interval.contains((double) hits / trials)).isTrue();
  }
}
