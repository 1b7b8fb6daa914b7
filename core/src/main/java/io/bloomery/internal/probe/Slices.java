package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Words;

/**
 * The positions of {@link io.bloomery.hash.IndexScheme#SLICES}: fields of one long hash, which is
 * the mixing stream of a key's hash. A field has as many bits as m needs and is skipped if it is m
 * or more, so that every position is equally likely.
 *
 * <p>Fields are numbered consecutively; which of them are positions depends on all fields before.
 * On average fewer than half of them are skipped.
 */
final class Slices {

  private final long bits;
  private final int count;
  private final int width;
  private final int perOutput;

  Slices(long bits, int count) {
    this.bits = bits;
    this.count = count;
    this.width = Long.SIZE - Long.numberOfLeadingZeros(bits - 1);
    this.perOutput = Long.SIZE / width;
  }

  private long field(long hash, int number) {
    long output = Mix.stream(hash, number / perOutput);
    return output << (number % perOutput * width) >>> (Long.SIZE - width);
  }

  /** The number of the first field from {@code number} on that is a position. */
  private int next(long hash, int number) {
    int at = number;
    while (field(hash, at) >= bits) {
      at++;
    }
    return at;
  }

  /** Position {@code i}; reads all fields before it. */
  long position(long hash, int i) {
    int at = next(hash, 0);
    for (int left = i; left > 0; left--) {
      at = next(hash, at + 1);
    }
    return field(hash, at);
  }

  void indexes(long hash, long[] into) {
    int at = -1;
    for (int i = 0; i < count; i++) {
      at = next(hash, at + 1);
      into[i] = field(hash, at);
    }
  }

  boolean allSet(long hash, Words words) {
    int at = -1;
    for (int i = 0; i < count; i++) {
      at = next(hash, at + 1);
      if (!words.getBit(field(hash, at))) {
        return false;
      }
    }
    return true;
  }

  boolean setAll(long hash, Words words) {
    boolean changed = false;
    int at = -1;
    for (int i = 0; i < count; i++) {
      at = next(hash, at + 1);
      changed |= words.setBit(field(hash, at));
    }
    return changed;
  }
}
