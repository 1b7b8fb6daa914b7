package io.bloomery.net.dups;

import io.bloomery.hash.Hasher;
import java.util.HashMap;
import java.util.Map;

/**
 * The items of a stream with their latest places. An item is 128 bits of keyed hashes: of 10^9
 * items, two are mistaken for each other with a probability of 10^-21.
 */
final class ExactWindow {

  /** How long ago an item was seen. */
  enum Age {
    NEW,
    IN_WINDOW,
    OLDER
  }

  private record Item(long high, long low) {}

  private final long window;
  private final Hasher hasher;
  private final Map<Item, Long> latest = new HashMap<>();
  private byte[] longer = new byte[1 << 11];
  private long place;
  private long repeated;
  private long older;

  ExactWindow(long window, Hasher hasher) {
    this.window = window;
    this.hasher = hasher;
  }

  Age add(byte[] bytes, int from, int length) {
    if (longer.length <= length) {
      longer = new byte[2 * length];
    }
    System.arraycopy(bytes, from, longer, 1, length);
    longer[0] = 1; // a second hash of the same bytes
    Item item = new Item(hasher.hash(bytes, from, length), hasher.hash(longer, 0, length + 1));
    place++;
    Long before = latest.put(item, place);
    if (before == null) {
      return Age.NEW;
    }
    boolean isIn = place - before <= window;
    repeated += isIn ? 1 : 0;
    older += isIn ? 0 : 1;
    return isIn ? Age.IN_WINDOW : Age.OLDER;
  }

  DuplicateFilters.Exact counts() {
    return new DuplicateFilters.Exact(repeated, older, latest.size());
  }
}
