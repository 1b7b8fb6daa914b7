package io.bloomery.cli;

/**
 * How often a filter erred.
 *
 * @param hits absent keys that were taken for present
 * @param trials absent keys that were asked for, at least one
 */
record MeasuredRate(long hits, long trials) {

  /** The share of errors. */
  double rate() {
    return (double) hits / trials;
  }

  /** Where the true rate lies with 95 % confidence. */
  Interval interval() {
    return Interval.of(hits, trials);
  }

  /** The share and the interval. */
  String text() {
    return "%s, with 95 %% confidence %s to %s"
        .formatted(
            Text.percent(rate()), Text.percent(interval().low()), Text.percent(interval().high()));
  }
}
