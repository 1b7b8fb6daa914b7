package io.bloomery.cli.check;

import io.bloomery.tools.measure.Interval;
import io.bloomery.tools.measure.MeasuredRate;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import org.jspecify.annotations.Nullable;

/** The findings of {@code bloom verify} about a filter. */
final class Verification {

  private final String file;
  private final Report report = new Report();
  private boolean good = true;

  /** Starts without findings. */
  Verification(String file) {
    this.file = file;
    report.value("file", file);
  }

  /** Records that the file is undamaged. */
  void sound(String how) {
    report.row("checksums", how).value("sound", true).value("problem", null);
  }

  /** Records that the file is damaged. */
  void damaged(String problem) {
    good = false;
    report.row("problem", problem).value("sound", false).value("problem", problem);
  }

  /** Records a lookup of keys that are in the filter: how many, and how many were not found. */
  void present(long keys, long missing) {
    good &= missing == 0;
    report
        .row(
            "present keys",
            Text.count(keys)
                + " looked up, "
                + (missing == 0 ? "none" : Text.count(missing))
                + " missing")
        .value("presentKeys", keys)
        .value("falseNegatives", missing);
  }

  /**
   * Records a lookup of keys that are not in the filter: how many, and how many were found; {@code
   * promised} is null if the predicted rate is the limit.
   */
  void absent(long keys, long found, double predicted, @Nullable Double promised) {
    MeasuredRate measured = new MeasuredRate(found, keys);
    Interval interval = measured.interval();
    double limit = promised == null ? predicted : promised;
    good &= limit >= interval.low();
    report
        .row("absent keys", Text.count(keys) + " looked up, " + Text.count(found) + " found")
        .row("measured rate", Text.rate(measured.rate()))
        .row("95 % interval", Text.percent(interval.low()) + " to " + Text.percent(interval.high()))
        .row("predicted rate", Text.rate(predicted) + ", " + place(predicted, interval))
        .value("absentKeys", keys)
        .value("falsePositives", found)
        .value("measuredRate", measured.rate())
        .value("intervalLow", interval.low())
        .value("intervalHigh", interval.high())
        .value("predictedRate", predicted)
        .value("predictedInside", interval.contains(predicted));
    if (promised != null) {
      report
          .row("promised rate", Text.rate(promised) + ", " + place(promised, interval))
          .value("promisedRate", promised);
    }
  }

  /** Records the number of rows of key files that could not be read. */
  void badRows(long rows) {
    report.value("badRows", rows);
    if (rows > 0) {
      report.row("bad rows", Text.count(rows) + " skipped");
    }
  }

  private static String place(double rate, Interval interval) {
    if (interval.contains(rate)) {
      return "inside the interval";
    }
    return rate < interval.low()
        ? "below the interval: it errs too often"
        : "above the interval: it errs less";
  }

  /** Whether no problem was found. */
  boolean isGood() {
    return good;
  }

  String text() {
    return report.row("verdict", good ? "good" : "bad").text(file);
  }

  String json() {
    return report.value("good", good).json();
  }
}
