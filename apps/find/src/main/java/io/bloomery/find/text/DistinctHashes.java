package io.bloomery.find.text;

import java.security.SecureRandom;

/**
 * A set of distinct hashes, in an open-addressing table that grows. The slot of a hash depends on a
 * random number, so that no prepared text fills one part of the table. Not thread-safe.
 */
public final class DistinctHashes {

  private static final int FIRST = 1 << 12;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final long multiplier = RANDOM.nextLong() | 1;
  private long[] table = new long[FIRST];
  private int size; // without zero
  private boolean zero;

  /** Adds a hash if it is new. */
  public void add(long hash) {
    if (hash == 0) {
      zero = true;
      return;
    }
    long[] table = this.table;
    int mask = table.length - 1;
    int at = (int) ((hash * multiplier) >>> Long.numberOfLeadingZeros(mask));
    while (table[at] != 0) {
      if (table[at] == hash) {
        return;
      }
      at = (at + 1) & mask;
    }
    table[at] = hash;
    if (2 * ++size > table.length) {
      grow();
    }
  }

  private void grow() {
    long[] old = table;
    table = new long[2 * old.length];
    size = 0;
    for (long hash : old) {
      if (hash != 0) {
        add(hash);
      }
    }
  }

  /** All hashes, in no particular order. */
  public long[] toArray() {
    long[] all = new long[size()];
    int count = 0;
    for (long hash : table) {
      if (hash != 0) {
        all[count++] = hash;
      }
    }
    return all;
  }

  /** The number of hashes. */
  public int size() {
    return size + (zero ? 1 : 0);
  }
}
