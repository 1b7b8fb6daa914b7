package io.bloomery.internal.solve;

import io.bloomery.internal.bits.KeyHashes;
import java.util.Arrays;

/** Remixed hashes, put into groups by their high bits so that a solver works in the cache. */
final class GroupedKeys {

  final long[] keys;

  /** Where each group begins, and the number of keys. */
  final int[] starts;

  private GroupedKeys(long[] keys, int[] starts) {
    this.keys = keys;
    this.starts = starts;
  }

  /** Counts, then copies every hash to its place; by two threads, each half of them, if allowed. */
  static GroupedKeys of(KeyHashes hashes, long seed, int groups, int threads) {
    int count = Math.toIntExact(hashes.size());
    int half = threads < 2 ? count : count / 2;
    int[] first = new int[groups];
    int[] second = new int[groups];
    Pair.run(
        threads,
        () -> forPieces(hashes, 0, half, (piece, from, to) -> count(piece, from, to, seed, first)),
        () ->
            forPieces(
                hashes, half, count, (piece, from, to) -> count(piece, from, to, seed, second)));
    int[] starts = new int[groups + 1];
    for (int i = 0; i < groups; i++) {
      starts[i + 1] = starts[i] + first[i] + second[i];
      second[i] = starts[i] + first[i];
      first[i] = starts[i];
    }
    long[] keys = new long[count];
    Pair.run(
        threads,
        () ->
            forPieces(
                hashes, 0, half, (piece, from, to) -> move(piece, from, to, seed, first, keys)),
        () ->
            forPieces(
                hashes,
                half,
                count,
                (piece, from, to) -> move(piece, from, to, seed, second, keys)));
    return new GroupedKeys(keys, starts);
  }

  /** Takes the hashes {@code from…to-1} of one piece. */
  private interface Action {
    void run(long[] piece, int from, int to);
  }

  private static void forPieces(KeyHashes hashes, int from, int to, Action action) {
    int begin = 0;
    for (int i = 0; i < hashes.pieces() && begin < to; i++) {
      int end = begin + hashes.length(i);
      if (end > from) {
        action.run(hashes.piece(i), Math.max(from, begin) - begin, Math.min(to, end) - begin);
      }
      begin = end;
    }
  }

  private static void count(long[] piece, int from, int to, long seed, int[] sizes) {
    int groups = sizes.length;
    for (int i = from; i < to; i++) {
      sizes[CellLayout.group(CellLayout.remix(piece[i], seed), groups)]++;
    }
  }

  private static void move(long[] piece, int from, int to, long seed, int[] places, long[] keys) {
    int groups = places.length;
    for (int i = from; i < to; i++) {
      long key = CellLayout.remix(piece[i], seed);
      keys[places[CellLayout.group(key, groups)]++] = key;
    }
  }

  /** Turns the keys back into hashes. */
  long[] unmix(long seed) {
    Arrays.setAll(keys, i -> CellLayout.unmix(keys[i], seed));
    return keys;
  }
}
