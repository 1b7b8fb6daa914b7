package io.bloomery.kafka;

import io.bloomery.window.RecentFilter;
import io.bloomery.window.RecentShape;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Stream time of a task, and the clock of its filter: decides when the filter's layers turn, that
 * is when the newest layer is closed and the oldest forgotten.
 *
 * <p>Design. A layer is due after a third of the time that ids are remembered, as in {@link
 * RecentFilter} itself, but no earlier than the keys of the oldest layer have expired. A layer that
 * is full is closed at once if that forgets nothing, so a burst after a quiet time is spread over
 * all layers. If it would forget ids too early, the layer goes on up to its limit, where the
 * filter's rate would be {@link #RATE_FACTOR} times the promised one. Then it is closed in any
 * case, unless the task is to fail closed: rather forward a duplicate than drop a new record.
 *
 * <p>The filter's ticks are therefore turns and fractions of turns, not milliseconds.
 *
 * <p>Threads: one task; {@link #millis()} is also called by the threads that report metrics.
 */
final class Turns implements InstantSource {

  /**
   * Ids stay for another third of the window; two layers are smaller below 10^-4, but ids then stay
   * for another whole window.
   */
  static final int LAYERS = 4;

  /** Above this multiple of the promised rate, ids are forgotten early. */
  static final double RATE_FACTOR = 2;

  /** The stream time of a task that has seen no record. */
  static final long NEVER = Long.MIN_VALUE;

  private static final long TICKS_PER_TURN = 1L << 20;

  private final long remembered;
  private final long slice;
  private final long quota;
  private final long limit;
  private final boolean failClosed;

  private volatile long tick;
  private long streamTime = NEVER;
  private long turn;
  private long added;
  private long startedAt;

  /**
   * For each closed layer, oldest first, a stream time that is no earlier than its last id, or
   * {@link #NEVER} if neither it nor an older one has any.
   */
  private final long[] closedAt = {NEVER, NEVER, NEVER};

  Turns(Deduplication settings) {
    RecentShape shape = settings.shape();
    double rate = settings.falsePositiveRate();
    this.remembered = shape.window();
    this.slice = (remembered + LAYERS - 2) / (LAYERS - 1);
    this.quota = perLayer(settings.rememberedIds());
    this.limit = perLayer(most(shape, Math.min(RATE_FACTOR * rate, (1 + rate) / 2)));
    this.failClosed = settings.isFailClosed();
  }

  private static long perLayer(long ids) {
    return Math.max(1, (ids + LAYERS - 2) / (LAYERS - 1));
  }

  /** The most ids of a window at which the rate is no higher than this. */
  private static long most(RecentShape shape, double rate) {
    long low = 1;
    long high = Math.min(RecentShape.MAX_KEYS, Math.max(2, shape.sizeInBits()));
    while (low < high) {
      long middle = low + (high - low + 1) / 2;
      if (shape.falsePositiveRate(middle) <= rate) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** The filter's shape, whose window is counted in ticks of this clock. */
  static RecentShape shape(RecentShape ofTime) {
    return ofTime.withWindow(Duration.ofMillis((LAYERS - 1) * TICKS_PER_TURN - 1));
  }

  static long turnOf(long tick) {
    return tick / TICKS_PER_TURN;
  }

  /** The greatest timestamp so far, or {@link #NEVER}. */
  long streamTime() {
    return streamTime;
  }

  /** How many times the layers have turned. */
  long turn() {
    return turn;
  }

  /** How many ids the newest layer has. */
  long added() {
    return added;
  }

  /** When the newest layer was opened, and when the closed ones were closed, oldest first. */
  long[] schedule() {
    return new long[] {startedAt, closedAt[0], closedAt[1], closedAt[2]};
  }

  /** How many ids are expected in a layer. */
  long addsPerLayer() {
    return quota;
  }

  /** Continues where a task stopped. */
  void restore(long restoredTime, long restoredTurn, long restoredAdds, long[] schedule) {
    streamTime = restoredTime;
    turn = restoredTurn;
    added = restoredAdds;
    startedAt = schedule[0];
    System.arraycopy(schedule, 1, closedAt, 0, closedAt.length);
    tick();
  }

  /** Advances stream time, which never goes back, and closes the layers that are due. */
  void advanceTo(long timestamp) {
    if (timestamp <= streamTime) {
      return;
    }
    long before = streamTime;
    streamTime = timestamp;
    if (before == NEVER || timestamp - before >= remembered) {
      for (int i = 0; i < LAYERS; i++) {
        added = 0;
        close(NEVER);
      }
      startedAt = timestamp;
    }
    for (long due = due(); due <= timestamp; due = due()) {
      close(due);
      startedAt = due;
    }
    tick();
  }

  private long due() {
    return Math.max(Ahead.plus(startedAt, slice), expiryOfOldest());
  }

  private long expiryOfOldest() {
    return closedAt[0] == NEVER ? NEVER : Ahead.plus(closedAt[0], remembered);
  }

  private void close(long at) {
    long last = added == 0 ? closedAt[2] : at;
    closedAt[0] = closedAt[1];
    closedAt[1] = closedAt[2];
    closedAt[2] = at == NEVER ? NEVER : last;
    added = 0;
    turn++;
  }

  /**
   * Makes room for an id that is about to be added.
   *
   * @return whether ids were forgotten before their time
   */
  boolean makeRoom() {
    boolean expired = expiryOfOldest() <= streamTime;
    boolean turns = added >= (expired ? quota : limit) && (expired || !failClosed);
    if (turns) {
      close(streamTime);
      startedAt = streamTime;
    }
    added++;
    tick();
    return turns && !expired;
  }

  /** Ticks advance within a turn, too, because the filter clears old words tick by tick. */
  private void tick() {
    double part =
        Math.max((double) added / limit, (double) Math.max(0, streamTime - startedAt) / slice);
    tick = turn * TICKS_PER_TURN + Math.min(TICKS_PER_TURN - 1, (long) (part * TICKS_PER_TURN));
  }

  @Override
  public long millis() {
    return tick;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(tick);
  }
}
