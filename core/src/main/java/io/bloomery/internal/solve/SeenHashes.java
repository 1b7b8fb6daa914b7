package io.bloomery.internal.solve;

import io.bloomery.internal.hash.SecretSlots;
import java.util.Arrays;

/** A growing set of hashes, for keys that were already decoded, which a peer may have chosen. */
public final class SeenHashes {

  private long[] slots = new long[16];
  private final SecretSlots places = new SecretSlots();
  private int size;
  private boolean hasZero;
  private long steps;

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

  /** The slots that were passed in all searches so far. */
  long steps() {
    return steps;
  }

  private boolean insert(long hash) {
    int mask = slots.length - 1;
    int at = places.of(hash, slots.length);
    while (slots[at] != 0) {
      if (slots[at] == hash) {
        return false;
      }
      at = (at + 1) & mask;
      steps++;
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
