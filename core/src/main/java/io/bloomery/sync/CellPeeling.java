package io.bloomery.sync;

import io.bloomery.internal.bits.KeyList;
import io.bloomery.internal.solve.SeenHashes;
import java.util.Arrays;

/**
 * Lists the keys of an invertible table by removing them one after another. The work is bounded for
 * any content: no key is removed twice, and no more keys are removed than there are cells. A valid
 * table never reaches that limit, since each removed key leaves one more cell empty for good.
 */
final class CellPeeling {

  private final InvertibleShape shape;
  private final KeyCodec codec;
  private final CellHash cells;
  private final long[] words;
  private final int stride;
  private final KeyList here;
  private final KeyList there;
  private final SeenHashes seen = new SeenHashes();
  private int[] waiting;
  private int waitingCount;

  /** Takes over the words. */
  CellPeeling(InvertibleShape shape, KeyCodec codec, CellHash cells, long[] words) {
    this.shape = shape;
    this.codec = codec;
    this.cells = cells;
    this.words = words;
    this.stride = shape.cellWords();
    this.here = new KeyList(stride - 2);
    this.there = new KeyList(stride - 2);
    this.waiting = new int[Math.max(16, shape.cells() / 4)];
  }

  Difference run() {
    for (int at = words.length - stride; at >= 0; at -= stride) {
      offer(at);
    }
    boolean sound = true;
    while (waitingCount > 0 && sound) {
      int at = waiting[--waitingCount];
      if (isSingle(at)) {
        sound = here.size() + there.size() < shape.cells() && takeOut(at);
      }
    }
    long unresolved = unresolved();
    return new Difference(
        codec, shape.valueBytes(), here, there, sound && unresolved == 0, unresolved);
  }

  private void offer(int at) {
    if (Math.abs(words[at]) == 1) {
      if (waitingCount == waiting.length) {
        waiting = Arrays.copyOf(waiting, 2 * waiting.length);
      }
      waiting[waitingCount++] = at;
    }
  }

  private boolean isSingle(int at) {
    return Math.abs(words[at]) == 1 && cells.isSingle(codec, words, at, at);
  }

  /** Removes the key of a cell from all its cells; returns false if it was removed before. */
  private boolean takeOut(int at) {
    long hash = CellHash.hash(codec, words, at);
    if (!seen.add(hash)) {
      return false;
    }
    long[] key = Arrays.copyOfRange(words, at, at + stride);
    (key[0] > 0 ? here : there).add(key, 2);
    for (int i = 0; i < shape.hashesPerKey(); i++) {
      int cell = cells.at(hash, i);
      CellHash.add(words, cell, -key[0], key, 0, stride);
      offer(cell);
    }
    return true;
  }

  private long unresolved() {
    long[] zero = new long[stride];
    long count = 0;
    for (int at = 0; at < words.length; at += stride) {
      count += Arrays.equals(words, at, at + stride, zero, 0, stride) ? 0 : 1;
    }
    return count;
  }
}
