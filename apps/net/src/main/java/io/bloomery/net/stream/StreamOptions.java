package io.bloomery.net.stream;

/**
 * How much memory {@link TcpStreams} may take.
 *
 * @param maxStreams how many directions of connections are followed; the one without packets for
 *     the longest time goes first
 * @param maxBytes the memory of held segments and of histories, in bytes
 * @param maxHeld how many bytes of a direction wait for missing ones before these are given up
 * @param history how many of the last bytes of a direction are kept, to compare what is sent again
 */
public record StreamOptions(int maxStreams, long maxBytes, int maxHeld, int history) {

  /** 65,536 directions, 256 KiB held of each, 1 KiB of history, 128 MiB in total. */
  public static final StreamOptions DEFAULT =
      new StreamOptions(1 << 16, 128 << 20, 1 << 18, 1 << 10);

  /** What a direction takes beside its bytes, about. */
  static final int OVERHEAD = 400;

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if a number is not positive, or what one direction may hold
   *     exceeds the memory of all
   */
  public StreamOptions {
    if (maxStreams < 1 || maxHeld < 1 || history < 1) {
      throw new IllegalArgumentException(
          "maxStreams = %d, maxHeld = %d and history = %d must be positive"
              .formatted(maxStreams, maxHeld, history));
    }
    if (maxBytes < 2L * (maxHeld + history)) {
      throw new IllegalArgumentException(
          "maxBytes = %d is below twice maxHeld + history = %d"
              .formatted(maxBytes, maxHeld + history));
    }
  }

  /** The same with another history. */
  public StreamOptions withHistory(int bytes) {
    return new StreamOptions(maxStreams, maxBytes, maxHeld, bytes);
  }

  /** The same with another memory; directions hold at most an eighth of it. */
  public StreamOptions withMaxBytes(long bytes) {
    return new StreamOptions(
        maxStreams, bytes, (int) Math.max(1, Math.min(maxHeld, bytes / 8)), history);
  }

  /** The memory that streams take at most, about. */
  public long memory() {
    return maxBytes + (long) maxStreams * OVERHEAD;
  }
}
