package io.bloomery.net.index;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * What a {@link TrafficIndex} keeps, and how much of it.
 *
 * @param pageBytes a page ends when it has so many bytes of IP packets
 * @param every a page also ends when it is so old, by the times of packets, and has 1 MiB; zero for
 *     no such limit
 * @param blockBytes s, the bytes of a block: excerpts of 2·s − 1 bytes or more are found
 * @param levels 1 for a block digest; more for a hierarchical one, which also has every aligned
 *     pair of blocks, group of four, and so on
 * @param share the bytes of a page per byte of traffic
 * @param budgetBytes the bytes of all pages; the oldest are deleted before there are more
 * @param joined whether the payloads of a flow are joined before they are cut into blocks, by the
 *     sequence numbers of TCP
 * @param random draws the key of each page
 */
public record IndexOptions(
    long pageBytes,
    Duration every,
    int blockBytes,
    int levels,
    double share,
    long budgetBytes,
    boolean joined,
    RandomGenerator random) {

  /** The bytes of traffic of a page unless others are given. */
  public static final long PAGE_BYTES = 16 << 20;

  /** The share unless another is given. */
  public static final double SHARE = 1.0 / 50;

  private static final long LEAST_PAGE = 1 << 16;
  private static final long MOST_PAGE = 1 << 29;
  private static final int LEAST_BLOCK = 4;
  static final int MOST_BLOCK = 512;
  static final int MOST_LEVELS = 8;
  private static final double LEAST_SHARE = 1e-4;
  private static final int METADATA = 64; // bytes per packet and its flow, at 100 bytes per packet

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if a page is not to have 64 KiB to 512 MiB, a block 4 to 512
   *     bytes, a digest 1 to 8 levels, a page 1/10000 to all of the traffic; if an interval is
   *     negative, or the budget is too small for two pages
   */
  public IndexOptions {
    requireRange("pageBytes", pageBytes, LEAST_PAGE, MOST_PAGE);
    requireRange("blockBytes", blockBytes, LEAST_BLOCK, MOST_BLOCK);
    requireRange("levels", levels, 1, MOST_LEVELS);
    if (!(share >= LEAST_SHARE && share <= 1)) {
      throw new IllegalArgumentException("share = " + share + " is not between 0.0001 and 1");
    }
    if (every.isNegative()) {
      throw new IllegalArgumentException("every = " + every + " is negative");
    }
    long least = (long) Math.ceil(2 * share * pageBytes);
    if (budgetBytes < least) {
      throw new IllegalArgumentException(
          "budgetBytes = " + budgetBytes + " is below two pages, " + least);
    }
    Objects.requireNonNull(random, "random");
  }

  private static void requireRange(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " = " + value + " is not between " + least + " and " + most);
    }
  }

  /**
   * Pages of 16 MiB of traffic or five minutes, a fiftieth of it, blocks of 8 bytes at one level,
   * packets not joined, and random keys.
   *
   * @param budgetBytes the bytes of all pages
   * @return the options
   */
  public static IndexOptions of(long budgetBytes) {
    return new IndexOptions(
        PAGE_BYTES, Duration.ofMinutes(5), 8, 1, SHARE, budgetBytes, false, new SecureRandom());
  }

  /**
   * The same with other blocks.
   *
   * @param bytes the bytes of a block
   * @param height how many levels there are
   * @return the options
   */
  public IndexOptions withBlocks(int bytes, int height) {
    return new IndexOptions(pageBytes, every, bytes, height, share, budgetBytes, joined, random);
  }

  /**
   * The same with other pages.
   *
   * @param bytes the traffic of a page
   * @param length the time of a page; zero for any
   * @param part the bytes of a page per byte of traffic
   * @return the options
   */
  public IndexOptions withPages(long bytes, Duration length, double part) {
    return new IndexOptions(bytes, length, blockBytes, levels, part, budgetBytes, joined, random);
  }

  /**
   * The same with payloads joined, so that excerpts are found that lie across packets, and packets
   * shorter than a block.
   *
   * @return the options
   */
  public IndexOptions withJoined() {
    return new IndexOptions(pageBytes, every, blockBytes, levels, share, budgetBytes, true, random);
  }

  /**
   * The same with keys drawn from another source.
   *
   * @param source draws them; who can predict it can make packets that hide behind others
   * @return the options
   */
  public IndexOptions withRandom(RandomGenerator source) {
    return new IndexOptions(
        pageBytes, every, blockBytes, levels, share, budgetBytes, joined, source);
  }

  /**
   * The memory of a page in the making, with packets of a hundred bytes; shorter ones take more.
   *
   * @return at most so many bytes, about
   */
  public long memory() {
    long payload = joined ? 2 * pageBytes : pageBytes;
    return payload + pageBytes / 100 * METADATA + (long) (4 * share * pageBytes);
  }
}
