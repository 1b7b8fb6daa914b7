package io.bloomery.security.replay;

import io.bloomery.membership.BlockedBloomFilter;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Accepts each id once: request nonces, the {@code jti} of tokens, message numbers, clicks.
 *
 * <p>Two filters of one keyed hash remember the ids of two adjacent intervals of time; when the
 * clock enters the next interval, the older filter is emptied and takes its ids. An interval is as
 * long as the window and the tolerance together, so that both filters cover all times from {@code
 * now - window} (exclusive) to {@code now + tolerance} (inclusive). Ids with other times are
 * refused.
 *
 * <p><b>Guarantee.</b> An id that was accepted with a time is never accepted again with the same
 * time: while the time is current, a filter has the id, and afterwards the time is refused. An id
 * without a time of its own is not accepted again within the window. Both hold for any number of
 * threads. A new id is rejected, as if it were a replay, with probability {@link
 * #falseRejectRate()}, which stays below the configured rate as long as no more ids arrive than
 * expected; beyond, it grows, and the guard goes on rejecting rather than forgetting.
 *
 * <p>The clock counts as it advanced furthest. If it is set back, times that were valid stay
 * current until it has caught up; if it jumps ahead, ids of the time before are refused as stale,
 * not forgotten.
 *
 * <p>After a restart, a guard with a directory knows the ids that were recorded. A guard that
 * merges the filters of other nodes rejects the ids that these accepted before they exported; an id
 * that two nodes receive between two exchanges is accepted by both.
 *
 * <p>Peers and whoever may write in the directory are trusted: a filter with all bits set makes the
 * guard reject everything. Thread-safe.
 */
public final class ReplayGuard implements Closeable {

  /** What became of an id. */
  public enum Decision {
    /** New, and remembered from now on. */
    ACCEPTED,
    /** Accepted before, or a new id that was taken for one. */
    REPLAYED,
    /** Its time lies a window or more in the past. */
    STALE,
    /** Its time lies further ahead of the clock than tolerated. */
    AHEAD
  }

  /**
   * How many ids were decided upon since the guard was opened.
   *
   * @param accepted new ids
   * @param replayed ids that were seen before, false rejects included
   * @param stale ids whose time was too old
   * @param ahead ids whose time was too far in the future
   */
  public record Counts(long accepted, long replayed, long stale, long ahead) {}

  private final ReplayOptions options;
  private final Epochs epochs;
  private final @Nullable IdLog log;
  private final ReentrantLock[] stripes = new ReentrantLock[1 << Byte.SIZE];
  private final ReentrantLock turn = new ReentrantLock();
  private final Tally decided = new Tally();

  private ReplayGuard(ReplayOptions options, Epochs epochs, @Nullable IdLog log) {
    this.options = options;
    this.epochs = epochs;
    this.log = log;
    Arrays.setAll(stripes, any -> new ReentrantLock());
  }

  /**
   * A guard that knows no ids, or those recorded in its directory.
   *
   * @param options what it remembers, and where
   * @return the guard
   * @throws IOException if the directory cannot be read or locked, or its files are damaged or were
   *     written with another window, tolerance or key
   */
  public static ReplayGuard open(ReplayOptions options) throws IOException {
    Epochs epochs = new Epochs(options);
    Path directory = options.directory();
    IdLog log = directory == null ? null : IdLog.open(directory, options, epochs);
    return new ReplayGuard(options, epochs, log);
  }

  /**
   * Accepts an id that has no time of its own.
   *
   * @param id any bytes
   * @return {@link Decision#ACCEPTED} or {@link Decision#REPLAYED}
   * @throws UncheckedIOException if the id could not be recorded, and so is not accepted
   */
  public Decision accept(byte[] id) {
    return accept(options.hasher().hash(id), options.clock().millis(), true);
  }

  /**
   * Accepts an id that has no time of its own.
   *
   * @param id the id, of which the bytes in UTF-8 count
   * @return {@link Decision#ACCEPTED} or {@link Decision#REPLAYED}
   * @throws UncheckedIOException if the id could not be recorded, and so is not accepted
   */
  public Decision accept(CharSequence id) {
    return accept(options.hasher().hash(id), options.clock().millis(), true);
  }

  /**
   * Accepts an id with the time at which it was issued. Nobody but the issuer may be able to change
   * the time of an id: sign both together.
   *
   * @param id any bytes
   * @param millis the time, in milliseconds since 1970
   * @return what became of it
   * @throws UncheckedIOException if the id could not be recorded, and so is not accepted
   */
  public Decision accept(byte[] id, long millis) {
    return accept(options.hasher().hash(id), millis, false);
  }

  /**
   * Accepts an id with the time at which it was issued. Nobody but the issuer may be able to change
   * the time of an id: sign both together.
   *
   * @param id the id, of which the bytes in UTF-8 count
   * @param millis the time, in milliseconds since 1970
   * @return what became of it
   * @throws UncheckedIOException if the id could not be recorded, and so is not accepted
   */
  public Decision accept(CharSequence id, long millis) {
    return accept(options.hasher().hash(id), millis, false);
  }

  private Decision accept(long hash, long millis, boolean isNow) {
    Decision decision = decide(hash, millis, isNow);
    while (isNow && decision == Decision.STALE) { // the thread slept, and the time is over
      decision = decide(hash, options.clock().millis(), true);
    }
    decided.add(decision);
    return decision;
  }

  private Decision decide(long hash, long millis, boolean isNow) {
    long now = epochs.advance(isNow ? millis : options.clock().millis());
    long time = isNow ? now : millis;
    if (time > now + options.tolerance().toMillis()) {
      return Decision.AHEAD;
    }
    if (time <= now - options.window().toMillis()) {
      return Decision.STALE;
    }
    turnIfDue(now);
    long written;
    ReentrantLock stripe = stripes[(int) (hash >>> 56)];
    stripe.lock();
    try {
      BlockedBloomFilter own = epochs.filterOf(time);
      if (own == null) {
        return Decision.STALE; // the clock went on meanwhile
      }
      if (epochs.mightContain(hash)) {
        return Decision.REPLAYED;
      }
      own.addHash(hash);
      written = log == null ? 0 : log.append(epochs.epochOf(time), hash);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      stripe.unlock();
    }
    if (log != null) {
      log.awaitSync(written);
    }
    return Decision.ACCEPTED;
  }

  /** Empties filters whose time is over, while no id is decided upon. */
  private void turnIfDue(long now) {
    if (!epochs.isDue(now)) {
      return;
    }
    turn.lock();
    try {
      if (!epochs.isDue(now)) {
        return;
      }
      for (ReentrantLock stripe : stripes) {
        stripe.lock();
      }
      try {
        epochs.turn(now);
        if (log != null) {
          log.dropBefore(epochs.oldest());
        }
      } finally {
        for (ReentrantLock stripe : stripes) {
          stripe.unlock();
        }
      }
    } finally {
      turn.unlock();
    }
  }

  /**
   * The probability that a new id is rejected now, by the number of ids in the filters.
   *
   * @return between 0 and 1
   */
  public double falseRejectRate() {
    return epochs.falsePositiveRate();
  }

  /**
   * What was decided since the guard was opened.
   *
   * @return the counts
   */
  public Counts counts() {
    return decided.counts();
  }

  /** How long an id is remembered. */
  public Duration window() {
    return options.window();
  }

  /**
   * The memory of both filters, to which a {@link #merge} may add half of it for a while.
   *
   * @return bits, which never change
   */
  public long sizeInBits() {
    return epochs.sizeInBits();
  }

  /**
   * Writes both filters, for {@link #merge} on another node. Every id that was accepted before the
   * call is among them.
   *
   * @param out where to
   * @throws IOException if writing fails
   */
  public void export(OutputStream out) throws IOException {
    DataOutputStream data = new DataOutputStream(Objects.requireNonNull(out, "out"));
    turnIfDue(epochs.advance(options.clock().millis()));
    turn.lock();
    try {
      epochs.write(data);
    } finally {
      turn.unlock();
    }
    data.flush();
  }

  /**
   * Adds what another node exported: ids that it accepted are replayed here from now on, as far as
   * their time is still current. They are not recorded in the directory. Those of an interval that
   * this node's clock has not reached take as much memory as one of the filters.
   *
   * @param in what {@link #export} wrote
   * @throws IOException if it is damaged or cannot be read; nothing is added then
   * @throws io.bloomery.IncompatibleFiltersException if the other node has another key, window,
   *     tolerance or number of ids, or a clock further ahead than both; nothing is added then
   */
  public void merge(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(Objects.requireNonNull(in, "in"));
    Epochs.Export other = epochs.read(data);
    turnIfDue(epochs.advance(options.clock().millis()));
    turn.lock();
    try {
      epochs.merge(other);
    } finally {
      turn.unlock();
    }
  }

  /**
   * Writes what is not yet on disk and releases the directory. A guard without one needs no end.
   */
  @Override
  public void close() throws IOException {
    if (log != null) {
      log.close();
    }
  }
}
