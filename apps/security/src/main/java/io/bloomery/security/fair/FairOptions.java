package io.bloomery.security.fair;

import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a {@link FairLimiter}; {@link #DEFAULT} has those of Linux' {@code sch_sfb}.
 *
 * @param levels hashes per client, at most 16
 * @param bins bins per level, at most 65,536
 * @param binSize requests in progress of a bin from which on it refuses more often
 * @param maxInProgress requests in progress of all bins of a client from which on its requests are
 *     refused
 * @param increment what a request to a full bin adds to the probability that it refuses
 * @param decrement what a request to an empty bin takes from that probability
 * @param rehashEvery the time after which other bins are chosen by a new hash
 * @param warmUp the time before that in which the new bins are filled beside the old ones
 * @param penaltyRate requests per second that all clients in the penalty box have together
 * @param penaltyBurst how many of these may come at once
 * @param nanoTime a clock that is never set back
 * @param random decides which requests are refused, and draws the hashes; null for a {@link
 *     java.security.SecureRandom}
 */
public record FairOptions(
    int levels,
    int bins,
    int binSize,
    int maxInProgress,
    double increment,
    double decrement,
    Duration rehashEvery,
    Duration warmUp,
    double penaltyRate,
    int penaltyBurst,
    LongSupplier nanoTime,
    @Nullable RandomGenerator random) {

  private static final int MAX_LEVELS = 16;
  private static final int MAX_BINS = 1 << 16;

  /** Eight levels of sixteen bins; a new hash every ten minutes. */
  public static final FairOptions DEFAULT =
      new FairOptions(
          8,
          16,
          20,
          25,
          1e-3,
          1.0 / 6_000,
          Duration.ofMinutes(10),
          Duration.ofMinutes(1),
          10,
          20,
          System::nanoTime,
          null);

  /**
   * Checks the parameters.
   *
   * @throws IllegalArgumentException if one is outside its range
   */
  public FairOptions {
    Objects.requireNonNull(nanoTime, "nanoTime");
    require("levels", levels, 1, MAX_LEVELS);
    require("bins", bins, 2, MAX_BINS);
    require("binSize", binSize, 1, Integer.MAX_VALUE);
    require("maxInProgress", maxInProgress, binSize, Integer.MAX_VALUE);
    require("increment", increment, Double.MIN_VALUE, 1);
    require("decrement", decrement, Double.MIN_VALUE, 1);
    require("penaltyRate", penaltyRate, 0, 1e9);
    require("penaltyBurst", penaltyBurst, 0, Integer.MAX_VALUE);
    require("rehashEvery in ms", (double) rehashEvery.toMillis(), 1, 9e12);
    require("warmUp in ms", (double) warmUp.toMillis(), 0, (double) rehashEvery.toMillis());
  }

  private static void require(String name, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw new IllegalArgumentException(
          "%s = %s is not between %s and %s".formatted(name, value, least, most));
    }
  }

  /**
   * The probability that a client shares each of its bins with one of those that overload the
   * service: [1 - (1 - 1/N)^M]^L.
   *
   * @param overloading how many clients overload the service
   * @return between 0 and 1
   */
  public double misclassification(long overloading) {
    double taken = -Math.expm1(overloading * Math.log1p(-1.0 / bins));
    return Math.pow(taken, levels);
  }

  /**
   * The same with other levels and bins.
   *
   * @param hashes levels
   * @param perLevel bins per level
   * @return changed parameters
   */
  public FairOptions withBins(int hashes, int perLevel) {
    return new FairOptions(
        hashes,
        perLevel,
        binSize,
        maxInProgress,
        increment,
        decrement,
        rehashEvery,
        warmUp,
        penaltyRate,
        penaltyBurst,
        nanoTime,
        random);
  }

  /**
   * The same with another penalty box.
   *
   * @param perSecond requests per second of all clients in it
   * @param burst how many of these may come at once
   * @return changed parameters
   */
  public FairOptions withPenalty(double perSecond, int burst) {
    return new FairOptions(
        levels,
        bins,
        binSize,
        maxInProgress,
        increment,
        decrement,
        rehashEvery,
        warmUp,
        perSecond,
        burst,
        nanoTime,
        random);
  }

  /**
   * The same with another clock and randomness, for simulations.
   *
   * @param nanos a clock that is never set back
   * @param drawn the randomness
   * @return changed parameters
   */
  public FairOptions with(LongSupplier nanos, RandomGenerator drawn) {
    return new FairOptions(
        levels,
        bins,
        binSize,
        maxInProgress,
        increment,
        decrement,
        rehashEvery,
        warmUp,
        penaltyRate,
        penaltyBurst,
        nanos,
        drawn);
  }
}
