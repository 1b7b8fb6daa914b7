package io.bloomery.internal.solve;

import java.util.Arrays;

/** A growing set of hashes, for keys that were already decoded. */
public final class SeenHashes {

  private long[] slots = new long[16];
  private int size;
  private boolean hasZero;

  /** Adds a hash; false if it was there. */
  public boolean add(long hash) {
    if (hash == 0) {
      boolean isNew = !hasZero;
      hasZero = true;
      return isNew;
    }
    if (2 * size >= slots.length) {
      grow();
    }
    return insert(hash);
  }

  private boolean insert(long hash) {
    int mask = slots.length - 1;
    int at = (int) hash & mask;
    while (slots[at] != 0) {
      if (slots[at] == hash) {
        return false;
      }
      at = (at + 1) & mask;
    }
    slots[at] = hash;
    size++;
    return true;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[2 * old.length];
    size = 0;
    Arrays.stream(old).filter(hash -> hash != 0).forEach(this::insert);
  }
}
