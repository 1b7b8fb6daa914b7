package io.bloomery.testkit;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Where all randomness of the tests comes from. The system property {@code bloomery.test.seed}
 * shifts every seed, {@link Keys} included; 0, the default, leaves them as they are written. A
 * claim holds for any seed: what holds for the written ones only is a golden file or a vector, and
 * draws nothing.
 */
public final class Seeds {

  /** The property that shifts all seeds. */
  public static final String PROPERTY = "bloomery.test.seed";

  private static long shift = shift(Long.getLong(PROPERTY, 0));

  private Seeds() {}

  /** What stands for a seed in this run: of a generator, a hasher, or a filter that draws. */
  public static long of(long seed) {
    return seed + shift;
  }

  /** A generator. */
  public static SplittableRandom random(long seed) {
    return new SplittableRandom(of(seed));
  }

  /** Brings a list into another order. */
  public static void shuffle(List<?> list, long seed) {
    Collections.shuffle(list, new Random(of(seed)));
  }

  /** Shifts all seeds from now on as the property does from the start. */
  public static void use(long run) {
    shift = shift(run);
  }

  /** By how much a run moves seeds: far, so that neighbouring runs share none. */
  static long shift(long run) {
    return run == 0 ? 0 : new SplittableRandom(run).nextLong();
  }
}
