package io.bloomery.internal.probe;

/**
 * A bulk add to a filter that is larger than the cache, part by part. A larger hash never has a
 * lower block, so hashes with the same top bits touch the same few pages, and some lines of them
 * more than once while they are in the cache (decision 026).
 *
 * <p>The scratch of 4 MB belongs to one call.
 */
final class HashParts {

  private static final int PARTS_LOG = 9;

  /** The most hashes buffered for a part. */
  private static final int ROOM = 1024;

  /** Smaller filters, up to 32 MB, are quick to fill in any order. */
  private static final long MIN_WORDS = 1 << 22;

  /** With fewer hashes, a part gets too few to share cache lines. */
  private static final int MIN_HASHES = 1 << 18;

  private HashParts() {}

  /** Whether splitting into parts saves time. */
  static boolean pay(int hashes, long words) {
    return hashes >= MIN_HASHES && words >= MIN_WORDS;
  }

  /** Sets the bits of hashes {@code from…to-1} for one writer. */
  static void set(long[] hashes, int from, int to, BlockProbes probes, long[] heap) {
    long[] waiting = new long[ROOM << PARTS_LOG];
    int[] ends = new int[1 << PARTS_LOG];
    for (int part = 0; part < ends.length; part++) {
      ends[part] = part * ROOM;
    }
    for (int i = from; i < to; i++) {
      long hash = hashes[i];
      int part = (int) (hash >>> (Long.SIZE - PARTS_LOG));
      int end = ends[part];
      waiting[end++] = hash;
      if (end == (part + 1) * ROOM) {
        probes.setEach(waiting, end - ROOM, end, heap);
        end -= ROOM;
      }
      ends[part] = end;
    }
    for (int part = 0; part < ends.length; part++) {
      probes.setEach(waiting, part * ROOM, ends[part], heap);
    }
  }
}
