package io.bloomery.transfer.group;

import java.util.concurrent.TimeUnit;

/**
 * The bytes of messages that have come and were not received yet, of all processes together. A
 * message that would exceed them waits with its sender; one alone is always taken.
 */
final class Room {

  private final long most;
  private long taken;

  Room(long most) {
    this.most = most;
  }

  /** Waits for room; false if there is none in time. */
  synchronized boolean take(int bytes, long nanos) throws InterruptedException {
    long deadline = System.nanoTime() + nanos;
    while (taken > 0 && taken + bytes > most) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, TimeUnit.MILLISECONDS.toNanos(1)));
    }
    taken += bytes;
    return true;
  }

  synchronized void leave(int bytes) {
    taken -= bytes;
    notifyAll();
  }

  synchronized long taken() {
    return taken;
  }
}
