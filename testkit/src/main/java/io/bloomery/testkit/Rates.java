package io.bloomery.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;

/**
 * Assertions about measured rates, in standard deviations of what was predicted and from both
 * sides: a filter that is better than its formula is as suspicious as a worse one.
 */
public final class Rates {

  private Rates() {}

  /**
   * Hits must lie within {@code sigmas} binomial standard deviations of {@code trials·p}, above and
   * below. The sample must be large enough that both sides can fail; with {@code p} 0 or 1 the
   * number of hits must be exact.
   */
  public static void assertRate(long hits, long trials, double p, double sigmas) {
    checkArguments(hits, trials, p, sigmas);
    double mean = trials * p;
    double deviation = Math.sqrt(mean * (1 - p));
    if (p != 0 && p != 1 && deviation <= sigmas) {
      throw new IllegalArgumentException(
          "a sample of %d decides nothing about %g: the standard deviation of the hits is %.2f and must exceed %.1f"
              .formatted(trials, p, deviation, sigmas));
    }
    assertThat(Math.abs(hits - mean))
        .as(
            "%d hits of %d, rate %.6g, expected %.6g: %.2f standard deviations, %.1f are allowed",
            hits,
            trials,
            (double) hits / trials,
            p,
            deviation == 0 ? 0 : (hits - mean) / deviation,
            sigmas)
        .isLessThanOrEqualTo(sigmas * deviation);
  }

  /**
   * Hits must not exceed {@code trials·p} by more than chance allows with probability {@code
   * exp(-sigmas²/2)} (Chernoff's bound, valid for any number of expected hits: 3 of 100 at a rate
   * of 0.0002 and 5 sigmas). For rates too small for {@link #assertRate}.
   */
  public static void assertRateAtMost(long hits, long trials, double p, double sigmas) {
    checkArguments(hits, trials, p, sigmas);
    double share = (double) hits / trials;
    // The logarithm of the bound on the probability of this many hits or more.
    double exponent =
        share <= p ? 0 : part(hits, share / p) + part(trials - hits, (1 - share) / (1 - p));
    assertThat(exponent)
        .as("%d hits of %d, at most rate %.6g expected", hits, trials, p)
        .isLessThanOrEqualTo(sigmas * sigmas / 2);
  }

  private static double part(long count, double ratio) {
    return count == 0 ? 0 : count * Math.log(ratio);
  }

  /**
   * The mean of independent samples must lie within {@code sigmas} of its own standard errors plus
   * {@code relative} (0.01 is 1 %) of the expected value: catalogue rule R4. Needs 20 samples. Few
   * samples estimate their own deviation only roughly, so more standard errors are allowed: as many
   * as make a failure as improbable as {@code sigmas} of a known deviation ({@link #student}).
   */
  public static void assertMean(double[] samples, double expected, double sigmas, double relative) {
    if (samples.length < 20) {
      throw new IllegalArgumentException(samples.length + " samples; 20 are needed");
    }
    double mean = mean(samples);
    double allowed = student(sigmas, samples.length) * standardError(samples) + relative * expected;
    assertThat(Math.abs(mean - expected))
        .as("mean %.6g of %d samples, expected %.6g", mean, samples.length, expected)
        .isLessThanOrEqualTo(allowed);
  }

  /**
   * How many estimated standard errors are as improbable as {@code sigmas} known ones: the quantile
   * of Student's distribution by Wallace's approximation, which is within 1 % from 20 samples on. 5
   * are 7.37 for 20 samples, 5.60 for 60 and 5.16 for 200.
   */
  public static double student(double sigmas, int samples) {
    double freedom = samples - 1.0;
    double z = sigmas * (8 * freedom + 3) / (8 * freedom + 1);
    return Math.sqrt(freedom * Math.expm1(z * z / freedom));
  }

  /**
   * How many deviations the farthest of many normal samples exceeds as rarely as one sample exceeds
   * {@code sigmas}: by the sum of the probabilities, an upper bound however they depend on each
   * other. 5 are 5.43 for 10 samples and 6.66 for 20,480.
   */
  public static double ofFarthest(double sigmas, long samples) {
    // ln of the tail of the normal distribution, by the continued fraction of Mills's ratio.
    double target = logTail(sigmas) - Math.log((double) samples);
    double low = sigmas;
    double high = sigmas + 10;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (logTail(middle) > target) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private static double logTail(double x) {
    double fraction = x;
    for (int i = 100; i >= 1; i--) {
      fraction = x + i / fraction;
    }
    return -x * x / 2 - Math.log(fraction * Math.sqrt(2 * Math.PI));
  }

  /**
   * Counts must be distributed as predicted: chi-square within {@code sigmas} standard deviations
   * from both sides (Fisher's normal approximation). Every expected count must be 5 or more.
   */
  public static void assertDistribution(long[] counts, double[] probabilities, double sigmas) {
    long total = Arrays.stream(counts).sum();
    double chiSquare = 0;
    for (int i = 0; i < counts.length; i++) {
      double expected = total * probabilities[i];
      if (expected < 5) {
        throw new IllegalArgumentException("cell " + i + " expects " + expected + " of " + total);
      }
      chiSquare += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    double freedom = counts.length - 1;
    double z = Math.sqrt(2 * chiSquare) - Math.sqrt(2 * freedom - 1);
    assertThat(Math.abs(z))
        .as("chi-square %.1f with %.0f degrees of freedom, z = %.2f", chiSquare, freedom, z)
        .isLessThanOrEqualTo(sigmas);
  }

  /** The same for equal probabilities. */
  public static void assertUniform(long[] counts, double sigmas) {
    double[] equal = new double[counts.length];
    Arrays.fill(equal, 1.0 / counts.length);
    assertDistribution(counts, equal, sigmas);
  }

  /**
   * The standard deviation of the rate {@code fill^probes} of one Bloom filter, relative to its
   * mean, to first order in that of its fill: {@code keys·probes} independent throws, λ per bit,
   * leave the number of bits set with the variance {@code bits·e^-λ·(1 - (1 + λ)·e^-λ)}.
   */
  public static double rateDeviation(double bits, double keys, int probes) {
    double load = keys * probes / bits;
    double zero = Math.exp(-load);
    double deviation = Math.sqrt(zero * (1 - (1 + load) * zero) / bits);
    return probes * deviation / (1 - zero);
  }

  public static double mean(double[] samples) {
    return Arrays.stream(samples).average().orElseThrow();
  }

  /** The standard deviation of the mean, estimated from the samples. */
  public static double standardError(double[] samples) {
    double mean = mean(samples);
    double squares = Arrays.stream(samples).map(x -> (x - mean) * (x - mean)).sum();
    return Math.sqrt(squares / (samples.length - 1.0) / samples.length);
  }

  private static void checkArguments(long hits, long trials, double p, double sigmas) {
    if (hits < 0 || trials < 1 || hits > trials) {
      throw new IllegalArgumentException(hits + " hits of " + trials + " trials");
    }
    if (!(p >= 0 && p <= 1) || !(sigmas > 0)) {
      throw new IllegalArgumentException("p " + p + ", sigmas " + sigmas);
    }
  }
}
