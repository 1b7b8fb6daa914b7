package io.bloomery.find.context;

import java.util.Arrays;

/**
 * The lines of content that can be read only once, from its start: those that were read last, and
 * as many before them as may be needed. Not thread-safe.
 */
public final class PassingLines implements Lines {

  private final int before;
  private byte[] window = {};
  private long base; // where in the content the window starts
  private int length;

  /** Keeps this many lines before those that were read last. */
  public PassingLines(int before) {
    this.before = before;
  }

  /**
   * Adds whole lines that follow those before.
   *
   * @param done up to this offset no line is needed any more
   */
  public void add(byte[] bytes, int count, long done) {
    long end = base + length;
    int unneeded = (int) (back(end, before, Math.min(end, Math.max(base, done))) - base);
    if (window.length - length < count || unneeded > length / 2) {
      int needed = Math.addExact(length - unneeded, count);
      byte[] larger = needed > window.length ? new byte[roomFor(needed)] : window;
      System.arraycopy(window, unneeded, larger, 0, length - unneeded);
      window = larger;
      base += unneeded;
      length -= unneeded;
    }
    System.arraycopy(bytes, 0, window, length, count);
    length += count;
  }

  private static int roomFor(int needed) {
    return (int) Math.min(Integer.MAX_VALUE - 8, 2L * needed);
  }

  @Override
  public byte[] line(long start) {
    int from = (int) (start - base);
    int to = from;
    while (to < length && window[to] != '\n') {
      to++;
    }
    return Arrays.copyOfRange(window, from, Math.min(length, to + 1));
  }

  @Override
  public long back(long start, int count, long floor) {
    int at = (int) (start - base);
    int least = (int) (Math.max(base, floor) - base);
    for (int left = count; left > 0 && at > least; left--) {
      at--; // the end of the line before
      while (at > least && window[at - 1] != '\n') {
        at--;
      }
    }
    return base + at;
  }
}
