package io.bloomery.similarity;

import io.bloomery.internal.probe.Mix;

/** A few distinct numbers out of many, drawn by a hash; all subsets are equally likely. */
final class Subsets {

  private Subsets() {}

  /**
   * Fills {@code into} with distinct numbers of {@code 0…range-1} (Floyd's method): for t = range -
   * count … range - 1 the number {@code reduce(s_(t+1), t + 1)} with s the stream of the hash, or t
   * itself if that is there already.
   */
  static void draw(long hash, int range, int[] into) {
    int count = 0;
    for (int t = range - into.length; t < range; t++) {
      int drawn = (int) Mix.reduce(Mix.stream(hash, t + 1), t + 1L);
      into[count] = has(into, count, drawn) ? t : drawn;
      count++;
    }
  }

  private static boolean has(int[] numbers, int count, int number) {
    for (int i = 0; i < count; i++) {
      if (numbers[i] == number) {
        return true;
      }
    }
    return false;
  }
}
