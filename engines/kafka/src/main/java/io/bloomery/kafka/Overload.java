package io.bloomery.kafka;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the filter from time to time. More ids than expected do not overload it, because {@link
 * Turns} forgets the oldest; ids that somebody chose to collide do.
 */
final class Overload {

  /** The filter is overloaded above this multiple of the promised rate ... */
  static final double RATE_FACTOR = 4;

  /**
   * ... and above this rate. The rate of a small filter varies by large factors, but at a low rate
   * hardly any record is lost by it.
   */
  static final double LEAST_RATE = 0.01;

  /** The filter is measured this many times as often above this part of the threshold. */
  private static final int NEAR = 4;

  private static final Logger LOG = LoggerFactory.getLogger(Deduplication.class);

  private final String name;
  private final RecentStore store;
  private final double promised;
  private final double threshold;
  private final long addsPerLayer;
  private long addsUntilMeasured;
  private long measuredTurn;
  private boolean present;

  Overload(String name, Deduplication settings, RecentStore store) {
    this.name = name;
    this.store = store;
    this.promised = settings.falsePositiveRate();
    this.threshold =
        settings.isFailClosed()
            ? 1
            : Math.min((1 + promised) / 2, Math.max(RATE_FACTOR * promised, LEAST_RATE));
    this.addsPerLayer = store.addsPerLayer();
    measure();
  }

  /** Counts an add. */
  void added() {
    addsUntilMeasured--;
    if (addsUntilMeasured <= 0) {
      measure();
    }
  }

  /** Whether what the filter takes for a duplicate is to be forwarded. */
  boolean isPresent() {
    if (present && measuredTurn != store.turn()) {
      measure();
    }
    return present;
  }

  private void measure() {
    measuredTurn = store.turn();
    double rate = store.falsePositiveRate();
    // It reads the whole filter, so it is done rarely as long as all is well.
    addsUntilMeasured = rate < threshold / NEAR ? addsPerLayer : addsPerLayer / NEAR;
    boolean before = present;
    present = rate > threshold;
    if (present && !before) {
      LOG.warn(
          "{}: the false-positive rate is {} instead of {}; records that look like duplicates are"
              + " forwarded until it is below {}. If others choose the ids, use a keyed hasher",
          name,
          rate,
          promised,
          threshold);
    } else if (before && !present) {
      LOG.info("{}: the false-positive rate is {} again; duplicates are dropped", name, rate);
    }
  }
}
