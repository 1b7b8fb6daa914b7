package io.bloomery.security.replay;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test sets. */
final class SetClock implements InstantSource {

  private volatile long millis;

  SetClock(long millis) {
    this.millis = millis;
  }

  void set(long now) {
    millis = now;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis);
  }

  @Override
  public long millis() {
    return millis;
  }
}
