package io.bloomery.find.context;

import java.io.IOException;
import java.util.Arrays;

/**
 * The matches of one file, in order, with the lines before and after them: each line once, and a
 * line that matches as a match only. Not thread-safe.
 */
public final class Surroundings {

  /** Receives lines in order. */
  @FunctionalInterface
  public interface Sink {

    /** A line without its line end; {@code number} counts from 1. */
    void take(boolean match, long number, byte[] line);
  }

  private final int before;
  private final int after;
  private final Sink sink;
  private long end; // offset after the last line that was delivered
  private long number = 1; // of the line there
  private int owed; // lines after the last match that are still to be delivered

  /** Delivers this many lines before and after each match. */
  public Surroundings(int before, int after, Sink sink) {
    this.before = before;
    this.after = after;
    this.sink = sink;
  }

  /**
   * Delivers a match, after the lines between it and the match before.
   *
   * @param matchNumber the number of the match, or of its first line if it is a row of several
   * @param start the offset of its first byte
   * @param next the offset after its line end
   * @param line the match without its line end
   */
  public void match(Lines content, long matchNumber, long start, long next, byte[] line)
      throws IOException {
    advance(content, start);
    long from = content.back(start, before, end);
    number = from == end ? number : matchNumber - before;
    end = from;
    while (end < start) {
      deliver(content.line(end));
    }
    sink.take(true, matchNumber, line);
    end = next;
    number = matchNumber + 1;
    for (byte b : line) {
      number += b == '\n' ? 1 : 0;
    }
    owed = after;
  }

  /** Delivers the lines that are owed after the last match, up to an offset where a line starts. */
  public void advance(Lines content, long limit) throws IOException {
    while (owed > 0 && end < limit) {
      byte[] line = content.line(end);
      if (line.length == 0) {
        return;
      }
      owed--;
      deliver(line);
    }
  }

  private void deliver(byte[] line) throws IOException {
    if (line.length == 0) {
      throw new IOException("ended while it was read; lines around matches are left out");
    }
    int last = line[line.length - 1] == '\n' ? line.length - 1 : line.length;
    sink.take(false, number, Arrays.copyOf(line, last));
    end += line.length;
    number++;
  }

  /** Whether lines after the last match are still to be delivered. */
  public boolean isOwing() {
    return owed > 0;
  }

  /** Up to which offset lines were delivered. */
  public long end() {
    return end;
  }
}
