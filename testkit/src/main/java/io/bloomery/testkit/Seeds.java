package io.bloomery.testkit;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * The source of all randomness in tests. The system property {@code bloomery.test.seed} shifts
 * every seed, including {@link Keys}; 0, the default, leaves them as written. A claim must hold for
 * any seed: golden files and vectors, which hold only for fixed values, draw nothing.
 */
public final class Seeds {

  /** The property that shifts all seeds. */
  public static final String PROPERTY = "bloomery.test.seed";

  private static long shift = shift(Long.getLong(PROPERTY, 0));

  private Seeds() {}

  /** The shifted seed of this run, for a generator, a hasher, or a filter that draws. */
  public static long of(long seed) {
    return seed + shift;
  }

  /** A generator. */
  public static SplittableRandom random(long seed) {
    return new SplittableRandom(of(seed));
  }

  /** Shuffles a list. */
  public static void shuffle(List<?> list, long seed) {
    Collections.shuffle(list, new Random(of(seed)));
  }

  /** Shifts all seeds from now on as the property does from the start. */
  public static void use(long run) {
    shift = shift(run);
  }

  /** The amount by which a run shifts seeds: large, so that neighbouring runs share none. */
  static long shift(long run) {
    return run == 0 ? 0 : new SplittableRandom(run).nextLong();
  }
}
