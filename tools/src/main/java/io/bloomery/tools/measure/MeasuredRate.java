package io.bloomery.tools.measure;

import io.bloomery.tools.report.Text;

/**
 * The measured false-positive rate of a filter.
 *
 * @param hits the number of absent keys reported as present
 * @param trials the number of absent keys looked up, at least one
 */
public record MeasuredRate(long hits, long trials) {

  /** The share of false positives. */
  public double rate() {
    return (double) hits / trials;
  }

  /** The 95 % confidence interval of the true rate. */
  public Interval interval() {
    return Interval.of(hits, trials);
  }

  /** The rate and its interval. */
  public String text() {
    return "%s, with 95 %% confidence %s to %s"
        .formatted(
            Text.percent(rate()), Text.percent(interval().low()), Text.percent(interval().high()));
  }
}
