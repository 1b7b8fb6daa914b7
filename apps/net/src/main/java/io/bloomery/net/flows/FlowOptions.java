package io.bloomery.net.flows;

import io.bloomery.frequency.CountMinShape;
import io.bloomery.hash.Hasher;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;

/**
 * What {@link HeavyFlows} counts, and in how much memory.
 *
 * @param by what packets of one flow have in common
 * @param bytes whether bytes are counted, as the headers of IP state them; otherwise packets
 * @param top how many flows are reported
 * @param every the length of an interval, after which counting starts again; zero for one interval
 * @param counterBytes the memory of the counters
 * @param hasher a keyed hash: who knows the key can choose addresses that share counters
 */
public record FlowOptions(
    By by, boolean bytes, int top, Duration every, long counterBytes, Hasher hasher) {

  /** What packets of one flow have in common. */
  public enum By {
    /** The address they come from. */
    SRC,
    /** The address they go to. */
    DST,
    /** Both addresses, in this direction. */
    PAIR,
    /** Both addresses and ports, in this direction, and the protocol. */
    TUPLE
  }

  /** The memory of the counters unless another is given. */
  public static final long COUNTER_BYTES = 4 << 20;

  private static final int MOST_TOP = 100_000;
  private static final int ROWS = 4;
  private static final int LEAST_KEPT = 1024;
  private static final int KEPT_PER_LISTED = 8;
  private static final int ENTRY = 200; // bytes of a flow that is kept

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if not 1 to 100,000 flows are reported, an interval is
   *     negative, the counters have less than 1 KiB, or the hash is not keyed
   */
  public FlowOptions {
    Objects.requireNonNull(by, "by");
    if (top < 1 || top > MOST_TOP) {
      throw new IllegalArgumentException("top = " + top + " is not between 1 and " + MOST_TOP);
    }
    if (every.isNegative()) {
      throw new IllegalArgumentException("every = " + every + " is negative");
    }
    if (counterBytes < 1 << 10) {
      throw new IllegalArgumentException("counterBytes = " + counterBytes + " is below 1024");
    }
    if (!hasher.isKeyed()) {
      throw new IllegalArgumentException("hasher has no key, and addresses come from strangers");
    }
  }

  /**
   * One interval, 4 MiB of counters and a random key.
   *
   * @param by what packets of one flow have in common
   * @param bytes whether bytes are counted; otherwise packets
   * @param top how many flows are reported
   * @return the options
   */
  public static FlowOptions of(By by, boolean bytes, int top) {
    byte[] key = new byte[16];
    new SecureRandom().nextBytes(key);
    return new FlowOptions(by, bytes, top, Duration.ZERO, COUNTER_BYTES, Hasher.keyed(key));
  }

  /**
   * The same with a report per interval.
   *
   * @param length the length of an interval
   * @return the options
   */
  public FlowOptions withEvery(Duration length) {
    return new FlowOptions(by, bytes, top, length, counterBytes, hasher);
  }

  /**
   * The same with other counters.
   *
   * @param size their memory in bytes
   * @return the options
   */
  public FlowOptions withCounterBytes(long size) {
    return new FlowOptions(by, bytes, top, every, size, hasher);
  }

  /**
   * The memory that counting takes: counters, and the flows that are kept.
   *
   * @return at most so many bytes, about
   */
  public long memory() {
    return shape().sizeInBits() / Byte.SIZE + (long) capacity() * ENTRY;
  }

  int capacity() {
    return Math.max(LEAST_KEPT, KEPT_PER_LISTED * top);
  }

  CountMinShape shape() {
    return CountMinShape.of(ROWS, counterBytes / Long.BYTES / ROWS).withConservativeUpdate();
  }
}
