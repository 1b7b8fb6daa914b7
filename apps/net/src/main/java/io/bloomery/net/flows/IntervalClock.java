package io.bloomery.net.flows;

import java.time.Duration;

/** Divides the times of packets into intervals; what is late belongs to the current one. */
final class IntervalClock {

  private final long length; // nanoseconds; 0 for one interval
  private long start;
  private boolean begun;

  IntervalClock(Duration every) {
    this.length = every.toNanos();
  }

  /** Whether a time is after the current interval. */
  boolean isNext(long nanos) {
    return length > 0 && begun && nanos >= start && nanos - start >= length;
  }

  /** Takes the time of a packet. */
  void take(long nanos) {
    if (!begun) {
      start = nanos;
      begun = true;
    } else if (isNext(nanos)) {
      start += (nanos - start) / length * length;
    }
  }

  /** When the current interval began. */
  long start() {
    return start;
  }
}
