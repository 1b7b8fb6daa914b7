package io.bloomery.find.context;

import java.util.Map;
import java.util.TreeMap;

/** Ranges of a file, each byte of which counts once. */
public final class Extents {

  private final TreeMap<Long, Long> ends = new TreeMap<>(); // by starts; ranges do not touch

  /** Adds the bytes {@code from…to-1} and returns how many of them are new. */
  public long add(long from, long to) {
    long start = from;
    long end = to;
    long known = 0;
    Map.Entry<Long, Long> range = ends.floorEntry(to);
    while (range != null && range.getValue() >= from) {
      ends.remove(range.getKey());
      known += Math.min(range.getValue(), to) - Math.max(range.getKey(), from);
      start = Math.min(start, range.getKey());
      end = Math.max(end, range.getValue());
      range = ends.floorEntry(to);
    }
    if (start < end) {
      ends.put(start, end);
    }
    return to - from - known;
  }
}
