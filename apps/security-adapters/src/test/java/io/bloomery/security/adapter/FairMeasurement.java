package io.bloomery.security.adapter;

import io.bloomery.security.fair.FairLimiter;
import io.bloomery.security.fair.FairOptions;
import io.bloomery.testkit.Seeds;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * How often a client shares all its bins with clients that overload a service, beside the formula;
 * {@code bench/security fair} runs it, and it is not a test. One such client per limiter, since
 * those of one limiter share its bins.
 */
final class FairMeasurement {

  private static final int TRIALS = 200_000;
  private static final int[][] SHAPES = {{2, 23, 10}, {8, 16, 10}, {8, 16, 20}, {8, 16, 50}};

  private FairMeasurement() {}

  public static void main(String[] arguments) {
    for (int[] shape : SHAPES) {
      measure(shape[0], shape[1], shape[2]);
    }
  }

  /** Each request to a bin fills it and makes it refuse; permits are never closed. */
  private static void measure(int levels, int bins, int overloading) {
    SplittableRandom random = Seeds.random(levels * 1_000L + overloading);
    FairOptions plain = FairOptions.DEFAULT.with(() -> 0, random);
    FairOptions options =
        new FairOptions(
            levels,
            bins,
            1,
            1_000,
            1,
            plain.decrement(),
            plain.rehashEvery(),
            plain.warmUp(),
            0,
            0,
            plain.nanoTime(),
            random);
    FairOptions always = options.withPenalty(1e9, Integer.MAX_VALUE);
    long penalized = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      FairLimiter limiter = FairLimiter.create(always);
      for (int client = 0; client < overloading; client++) {
        String name = "bad " + client;
        limiter.enter(name); // until its bins are full
        limiter.enter(name);
      }
      penalized += limiter.enter("good").isPenalized() ? 1 : 0;
    }
    Measured.rate(
        String.format(
            Locale.ROOT,
            "good clients share all of %d levels of %d bins with %d overloading ones",
            levels,
            bins,
            overloading),
        penalized,
        TRIALS,
        options.misclassification(overloading));
  }
}
