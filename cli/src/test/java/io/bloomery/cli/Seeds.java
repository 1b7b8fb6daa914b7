package io.bloomery.cli;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Where all randomness of these tests comes from. The system property {@code bloomery.test.seed}
 * shifts every seed; 0, the default, leaves them as they are written. A claim holds for any seed.
 */
public final class Seeds {

  private static final long RUN = Long.getLong("bloomery.test.seed", 0);
  private static final long SHIFT = RUN == 0 ? 0 : new SplittableRandom(RUN).nextLong();

  private Seeds() {}

  /** A generator. */
  public static SplittableRandom random(long seed) {
    return new SplittableRandom(seed + SHIFT);
  }

  /** Brings a list into another order. */
  public static void shuffle(List<?> list, long seed) {
    Collections.shuffle(list, new Random(seed + SHIFT));
  }
}
