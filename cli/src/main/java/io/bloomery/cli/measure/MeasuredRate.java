package io.bloomery.cli.measure;

import io.bloomery.cli.report.Text;

/**
 * How often a filter erred.
 *
 * @param hits absent keys that were taken for present
 * @param trials absent keys that were looked up, at least one
 */
public record MeasuredRate(long hits, long trials) {

  /** The share of errors. */
  public double rate() {
    return (double) hits / trials;
  }

  /** Where the true rate lies with 95 % confidence. */
  public Interval interval() {
    return Interval.of(hits, trials);
  }

  /** The share and the interval. */
  public String text() {
    return "%s, with 95 %% confidence %s to %s"
        .formatted(
            Text.percent(rate()), Text.percent(interval().low()), Text.percent(interval().high()));
  }
}
