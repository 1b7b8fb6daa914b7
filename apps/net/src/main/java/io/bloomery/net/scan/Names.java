package io.bloomery.net.scan;

import io.bloomery.membership.BlockedBloomFilter;
import java.util.Arrays;

/**
 * Finds domain names in content: where a run of the characters of names has a dot, each of its ends
 * that begins behind a dot, or is all of it, is looked up in a filter, then in a table.
 */
final class Names {

  /** The longest name. */
  static final int MOST = 253;

  private static final double RATE = 0.001;
  private static final boolean[] IN_NAMES = new boolean[256];

  static {
    for (int i = 0; i < IN_NAMES.length; i++) {
      IN_NAMES[i] =
          (i >= 'a' && i <= 'z')
              || (i >= 'A' && i <= 'Z')
              || (i >= '0' && i <= '9')
              || i == '.'
              || i == '-'
              || i == '_';
    }
  }

  private final ByteTable table;
  private final ContentHash hash;
  private final BlockedBloomFilter filter;
  private final byte[] lower = new byte[MOST + 2];
  private int[] found = new int[4];
  private int foundCount;

  Names(ByteTable table, ContentHash hash) {
    this.table = table;
    this.hash = hash;
    this.filter = hash.filter(Math.max(1, table.size()), RATE);
    for (int i = 0; i < table.size(); i++) {
      byte[] name = table.get(i);
      filter.addHash(backwards(hash, name, name.length));
    }
  }

  /** The hash of a name from its last character to its first. */
  static long backwards(ContentHash hash, byte[] name, int length) {
    long rolling = 0;
    for (int i = length - 1; i >= 0; i--) {
      rolling = hash.step(rolling, name[i]);
    }
    return hash.finish(rolling, length);
  }

  boolean isEmpty() {
    return table.size() == 0;
  }

  static boolean isInNames(byte character) {
    return IN_NAMES[character & 0xFF];
  }

  /** Forgets what was found. */
  void clear() {
    foundCount = 0;
  }

  int found() {
    return foundCount;
  }

  /** The number of a name that was found. */
  int number(int index) {
    return found[index];
  }

  /** Looks up the names of content whose runs all end before {@code to}. */
  void scan(byte[] content, int from, int to) {
    for (int at = from; at < to; at++) {
      if (content[at] == '.') {
        int start = at;
        while (start > from && isInNames(content[start - 1])) {
          start--;
        }
        int end = at + 1;
        while (end < to && isInNames(content[end])) {
          end++;
        }
        run(content, start, end);
        at = end;
      }
    }
  }

  /** Looks up the ends of one run. */
  void run(byte[] content, int from, int to) {
    int end = to;
    while (end > from && content[end - 1] == '.') {
      end--;
    }
    int start = Math.max(from, end - lower.length);
    int length = end - start;
    for (int i = 0; i < length; i++) {
      byte each = content[start + i];
      lower[i] = each >= 'A' && each <= 'Z' ? (byte) (each + 32) : each;
    }
    ends(length);
    if (length > 1 && start == from && content[start] == length - 1 && lower[0] != '.') {
      whole(length - 1); // the first character is the length of what follows, in TLS
    }
  }

  private void ends(int length) {
    long rolling = 0;
    for (int i = length - 1; i >= 0; i--) {
      rolling = hash.step(rolling, lower[i]);
      if (i == 0 || lower[i - 1] == '.') {
        look(i, length - i, rolling);
      }
    }
  }

  private void whole(int length) {
    long rolling = 0;
    for (int i = length; i > 0; i--) {
      rolling = hash.step(rolling, lower[i]);
    }
    look(1, length, rolling);
  }

  private void look(int at, int length, long rolling) {
    long finished = hash.finish(rolling, length);
    if (length <= MOST && filter.mightContainHash(finished)) {
      int number = table.find(lower, at, length, finished);
      if (number >= 0) {
        if (foundCount == found.length) {
          found = Arrays.copyOf(found, foundCount * 2);
        }
        found[foundCount++] = number;
      }
    }
  }

  long memory() {
    return table.memory() + filter.sizeInBits() / Byte.SIZE;
  }
}
