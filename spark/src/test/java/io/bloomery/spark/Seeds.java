package io.bloomery.spark;

import java.util.SplittableRandom;

/** Generators of these tests, whose seeds {@code bloomery.test.seed} shifts as those of core. */
final class Seeds {

  private Seeds() {}

  static SplittableRandom random(long seed) {
    long run = Long.getLong("bloomery.test.seed", 0);
    return new SplittableRandom(seed + (run == 0 ? 0 : new SplittableRandom(run).nextLong()));
  }
}
