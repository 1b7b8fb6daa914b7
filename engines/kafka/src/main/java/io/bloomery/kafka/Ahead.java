package io.bloomery.kafka;

/**
 * Recognises records whose timestamps are too far ahead to be believed.
 *
 * <p>Design. Stream time may advance with a record by the greatest jump, and by the time that has
 * passed on the wall clock since the record before: a topic may have been silent. A longer jump is
 * believed after {@link #RUN} such records without any other in between, as when old records are
 * read again and there is a gap in them. No timestamp is believed that is further ahead of the wall
 * clock than the greatest jump, however many there are: a unit may be wrong in all records of a
 * producer.
 */
final class Ahead {

  /** So many records in a row are not an exception. */
  static final int RUN = 16;

  /** So that sums of believed timestamps and other times do not overflow. */
  private static final long MOST = Long.MAX_VALUE / 4;

  private final long maxJump;
  private long lastSeen;
  private int run;

  Ahead(long maxJump, long wallClock) {
    this.maxJump = Math.min(maxJump, MOST);
    this.lastSeen = wallClock;
  }

  /** Whether a record is not to be believed. */
  boolean isAhead(long timestamp, long streamTime, long wallClock) {
    if (isImpossible(timestamp, wallClock)) {
      return true;
    }
    long passed = Math.max(0, wallClock - lastSeen);
    if (streamTime != Turns.NEVER
        && timestamp > plus(plus(streamTime, maxJump), passed)
        && ++run < RUN) {
      return true;
    }
    run = 0;
    lastSeen = wallClock;
    return false;
  }

  /** Whether a timestamp is too far ahead of the wall clock. */
  boolean isImpossible(long timestamp, long wallClock) {
    return timestamp > plus(wallClock, maxJump);
  }

  /** The sum of two times, or the greatest time. */
  static long plus(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }
}
