package io.bloomery.window;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that shows what a test sets. */
final class ManualClock {

  private ManualClock() {}

  static InstantSource of(AtomicLong millis) {
    return () -> Instant.ofEpochMilli(millis.get());
  }
}
