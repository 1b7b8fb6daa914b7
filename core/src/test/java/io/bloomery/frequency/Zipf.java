package io.bloomery.frequency;

import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Seeds;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Streams in which key {@code i} comes in proportion to {@code 1/(i+1)^s}. */
final class Zipf {

  private Zipf() {}

  /** Key numbers of {@code events} independent draws of {@code keys} keys. */
  static int[] stream(int keys, double s, int events, int seed) {
    double[] cumulative = new double[keys];
    double sum = 0;
    for (int i = 0; i < keys; i++) {
      sum += Math.pow(i + 1, -s);
      cumulative[i] = sum;
    }
    SplittableRandom random = Seeds.random(Keys.hash(seed));
    int[] stream = new int[events];
    for (int i = 0; i < events; i++) {
      int found = Arrays.binarySearch(cumulative, random.nextDouble() * sum);
      stream[i] = Math.min(keys - 1, found < 0 ? -1 - found : found + 1);
    }
    return stream;
  }

  /** How often each key comes in a stream. */
  static long[] counts(int keys, int[] stream) {
    long[] counts = new long[keys];
    for (int key : stream) {
      counts[key]++;
    }
    return counts;
  }
}
